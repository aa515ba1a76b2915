"""Automata learned by `examples/extraction.py`: what they say is what the networks do."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import constructed
from abacist.bridge import model_of
from abacist.engine.reference import forward
from abacist.languages import language_named
from tests.bridge.cases import leaky
from tests.engine.reference import first_rejection
from tests.requirements import need

DYCK = language_named("dyck-1")

SCRIPT = Path(__file__).parents[2] / "examples" / "extraction.py"


def extracted(*arguments: Any, **options: Any) -> Any:
    need("aalpy")
    return runpy.run_path(str(SCRIPT))["extracted"](*arguments, **options)


def strings(symbols: int, longest: int) -> list[tuple[int, ...]]:
    return [word for length in range(longest + 1) for word in product(range(symbols), repeat=length)]


def state_after(machine: Any, word: tuple[int, ...], glyphs: tuple[str, ...]) -> Any:
    state = machine.initial_state
    for symbol in word:
        state = state.transitions[glyphs[symbol]]
    return state


@pytest.mark.parametrize(("language", "longest"), [("dyck-1", 8), ("shuffle-2", 4)])
def test_a_dfa_takes_what_the_network_takes(language: str, longest: int) -> None:
    own, networks = language_named(language), leaky(language, 0.05)
    machine = extracted(networks, own, longest=longest, kind="dfa")
    for word in strings(len(own.alphabet), longest):
        taken = first_rejection(networks, 0, own, word) < 0
        assert state_after(machine, word, own.alphabet.glyphs).is_accepting == taken


def test_a_moore_machine_says_what_is_predicted_next() -> None:
    networks = leaky("dyck-1", 0.05)
    machine = extracted(model_of(networks), DYCK, longest=8)
    for word in strings(2, 8):
        later = [frozenset(np.flatnonzero(y > 0.5).tolist()) for y in forward(networks, 0, word)[1]]
        sets: list[frozenset[int]] = [DYCK.next_symbols(DYCK.start), *later]
        dead = any(symbol not in sets[time] for time, symbol in enumerate(word))
        said = state_after(machine, word, DYCK.alphabet.glyphs).output
        assert said == (None if dead else DYCK.alphabet.render_set(sets[-1]))


def test_longer_strings_need_more_states_of_what_counts() -> None:
    counts = [len(extracted(constructed(DYCK), DYCK, longest=longest).states) for longest in (4, 6, 8)]
    assert counts == [4, 5, 6]  # the depths up to half the length, and one that is dead


def test_without_aalpy_a_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aalpy", None)
    with pytest.raises(SystemExit, match="needs AALpy to learn automata: pip install aalpy"):
        runpy.run_path(str(SCRIPT))


@pytest.mark.thorough
def test_the_script_prints_the_automaton_of_a_network() -> None:
    need("aalpy")
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True)
    states = [int(count) for count in re.findall(r"symbols: (\d+) states", done.stdout)]
    assert states == sorted(states)
    assert len(re.findall(r"^s\d+: ", done.stdout, re.MULTILINE)) == states[-1]
