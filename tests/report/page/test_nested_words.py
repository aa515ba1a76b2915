"""Failing words among nested words alone: nested, wrong in the engine, the shortest where that is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Refutation, Search
from abacist.cells import cell_named
from abacist.corpora import Window, pack_texts
from abacist.engine import first_mistakes, train
from abacist.experiments import HorizonAim, Run
from abacist.languages import Language, language_named, language_text
from abacist.report.page import PageNetwork, content, write_page
from abacist.report.page.content import network_of_run
from abacist.specs import Networks, Spec
from abacist.specs.pretraining import Pretraining
from abacist.targets.webassembly import joined, language_tables, program_name
from tests.experiments.cases import made_up, made_up_horizons, small
from tests.report.page.test_breaking import check_word, pressed
from tests.report.page.test_every_language import SOURCES
from tests.report.page.unpacking import SHARES, content_in, shown, spec_of
from tests.report.page.visits import Visit
from tests.requirements import need
from tests.targets.webassembly.node import in_node

_SEARCH = """
const { PROGRAMS, Language, failingWords } = abacist;
return given.map(({ name, weights, language, words, longest }) => {
  const [own, inner] = [language, words].map((tables) => new Language(tables));
  const found = (...shares) => {
    let known = null;
    for (known of failingWords(PROGRAMS[name], Float32Array.from(weights), own, inner, longest, ...shares)) {}
    return known.word;
  };
  return { extremes: found([0]), both: found() };
});
"""

#: All words up to this length are looked at by brute force; the search goes further.
LONGEST, SEARCHED = 6, 60

_COUNT, _SHUFFLE, _DYCK = (language_named(name) for name in ("dyck-1", "shuffle-2", "dyck-2"))
_TRAINED = replace(
    small(hidden=3, epochs=6, training=3000, rate=0.005, short=Window(2, 30), long=Window(32, 40)),
    language=_SHUFFLE,
    cell=cell_named("gru"),
)


def _networks() -> Iterator[tuple[Networks, Language[Any], Language[Any]]]:
    """Each network with its language and that of the words searched: all of its language, or nested ones."""
    counting = train(replace(_TRAINED, language=_COUNT), list(range(4))).networks
    for run in range(len(counting)):
        yield Networks(counting.layout, counting.parameters[run : run + 1]), _COUNT, _COUNT
    trained = train(_TRAINED, list(range(8))).networks
    beginners = train(replace(_TRAINED, epochs=2), list(range(6))).networks
    for networks in (trained, beginners):
        for run in range(len(networks)):
            one = Networks(networks.layout, networks.parameters[run : run + 1])
            yield one, _SHUFFLE, _DYCK
            yield one, _SHUFFLE, _SHUFFLE


Answers = list[tuple[Networks, Language[Any], Language[Any], dict[str, list[int] | None]]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    need("node")
    cases = list(_networks())
    given = [
        {
            "name": program_name(one.layout),
            "weights": one.parameters[0].tolist(),
            "language": language_tables(language),
            "words": language_tables(words),
            "longest": SEARCHED,
        }
        for one, language, words in cases
    ]
    layouts = list(dict.fromkeys(one.layout for one, _, _ in cases))
    folder, code = tmp_path_factory.mktemp("node"), joined(SOURCES, ("endings.js", "search.js"))
    made = in_node(folder, layouts, _SEARCH, given, code)
    return [(*case, found) for case, found in zip(cases, made, strict=True)]


def wrong_at(networks: Networks, language: Language[Any], words: list[tuple[int, ...]]) -> Any:
    return first_mistakes(networks, 0, pack_texts(language, words)) >= 0


@cache
def words_to(language: Language[Any], longest: int) -> list[tuple[int, ...]]:
    """All words of a language up to a length, by trying every symbol."""

    def begun(word: tuple[int, ...], state: Any) -> Iterator[tuple[int, ...]]:
        if word and language.accepts(state):
            yield word
        for symbol, after in language.successors(state) if len(word) < longest else ():
            yield from begun((*word, symbol), after)

    return list(begun((), language.start))


def test_a_failing_word_is_one_of_those_searched_and_wrong_in_the_engine(answers: Answers) -> None:
    nested = 0
    for networks, language, words, found in answers:
        word = found["both"]
        assert word is not None
        assert tuple(word) in words
        assert wrong_at(networks, language, [tuple(word)]).all()
        nested += words == _DYCK
    assert nested == 14


def test_no_shorter_word_of_those_searched_fails(answers: Answers) -> None:
    short = set()
    for networks, language, words, found in answers:
        listed = words_to(words, LONGEST if words == language else LONGEST + 2)
        wrong = wrong_at(networks, language, listed)
        length = len(found["both"] or ())
        fewest = min((len(word) for word, own in zip(listed, wrong, strict=True) if own), default=None)
        longest = max(map(len, listed))
        assert length == fewest or (fewest is None and length > longest)
        short |= {(words.name, length)} if fewest is not None else set()
    assert {"dyck-2", "shuffle-2"} <= {name for name, _ in short}
    assert len(short) > 3


def test_close_decisions_beside_extreme_states_find_no_longer_words(answers: Answers) -> None:
    shorter = 0
    for _, _, _, found in answers:
        both, extremes = (len(found[name] or ()) for name in ("both", "extremes"))
        assert both <= extremes
        shorter += both < extremes
    assert shorter > 0


@need("node")
def test_of_too_many_states_the_extreme_ones_stay_and_those_closest_to_a_wrong_decision(
    tmp_path: Path,
) -> None:
    margins = np.random.default_rng(0).permutation(40)
    prefixes = [{"states": [place], "margin": int(margin)} for place, margin in enumerate(margins)]
    folder, code = tmp_path, joined(SOURCES, ("endings.js", "search.js"))
    kept = in_node(folder, [], "return abacist.thinned(given, 8, 4);", prefixes, code)
    extreme, middle = {0, 1, 2, 3, 36, 37, 38, 39}, range(4, 36)
    closest = sorted(middle, key=lambda place: margins[place])[:4]
    assert {one["states"][0] for one in kept} == extreme | set(closest)


def test_nested_words_come_with_languages_whose_training_words_they_are(tmp_path: Path) -> None:
    languages = content_in(tmp_path, [shown(spec_of("shuffle-3")), shown(spec_of("dyck-3"))])["languages"]
    found = {name: own["nested"] for name, own in languages.items()}
    nested = {"shuffle-2": "dyck-2", "shuffle-3": "dyck-3", "shuffle-6": "dyck-6"}
    for name, words in found.items():
        if name in nested:
            plain = json.loads(json.dumps(language_tables(language_named(nested[name]))))
            assert words == {"title": nested[name].capitalize(), "tables": plain}
        else:
            assert words is None
    assert set(nested) < set(found)


def _with_horizons(spec: Spec, *names: str) -> Run:
    """A made-up run of which the store knows a horizon on words of each language, all for an empty name."""
    aims = (HorizonAim(Search(10 + n)) for n in range(len(names)))
    pairs = zip(made_up_horizons(aims), names, strict=True)
    texts = [(one, language_text(language_named(name)) if name else "") for one, name in pairs]
    return made_up(spec, 0, SHARES, horizons=tuple(replace(one, words=text) for one, text in texts))


def test_horizons_among_some_words_stand_after_those_of_all(tmp_path: Path) -> None:
    run = _with_horizons(spec_of("shuffle-2"), "dyck-2", "")
    (packed,) = content_in(tmp_path, [network_of_run(run, run.key)])["networks"]
    assert [own["words"] for own in packed["horizons"]] == ["", "dyck-2"]
    assert [own["proved"] for own in packed["horizons"]] == [10, 10]  # 11 has no words
    said = "every word of up to 10 symbols is proved right; no failing word is known"
    assert [own["text"] for own in packed["horizons"]] == [said, f"among words of Dyck-2, {said}"]


def test_a_horizon_among_words_that_are_not_at_hand_is_left_out(tmp_path: Path) -> None:
    known = _with_horizons(spec_of("shuffle-2"), "").outcome.horizons
    run = made_up(spec_of("shuffle-2"), 0, SHARES, horizons=(*known, replace(known[0], words="nowhere")))
    (packed,) = content_in(tmp_path, [network_of_run(run, run.key)])["networks"]
    assert [own["words"] for own in packed["horizons"]] == [""]


def test_settings_of_training_that_the_form_does_not_have_are_in_the_title_of_a_kind() -> None:
    usual, title = spec_of(), "Dyck-1 · LSTM · 3 units"
    changes: dict[str, Any] = {
        "init forget:1": {"init": "forget:1"},
        "pretrain epochs 20, sharpen 16": {"pretrain": Pretraining(sharpen=16)},
        "carry states yes": {"carry_states": True},
        "state noise 0.1": {"state_noise": 0.1},
        "schedule cosine:20": {"schedule": "cosine"},
    }
    assert shown(usual).group == title
    for text, settings in changes.items():
        assert shown(replace(usual, **settings)).group == f"{title} · {text}"


@pytest.fixture(scope="module")
def networks() -> list[PageNetwork]:
    """One of Dyck-1, one of Shuffle-2, and one whose failing words of both kinds the store knows."""
    cases = list(_networks())
    (of_all,) = _with_horizons(spec_of("shuffle-2"), "").outcome.horizons
    words = {"": (0, 2, 1, 3), language_text(_DYCK): (0, 2, 3, 1)}
    found = [Refutation(word, 3, (0, 1, 2, 3), (0, 1, 2)) for word in words.values()]
    horizons = tuple(
        replace(of_all, horizon=replace(of_all.horizon, proved=2, wrong=wrong), words=text)
        for wrong, text in zip(found, words, strict=True)
    )
    run = made_up(spec_of("shuffle-2"), 0, SHARES, horizons=horizons)
    return [
        PageNetwork("count", "Dyck-1", "one", _COUNT, cases[0][0]),
        PageNetwork("shuffle", "Shuffle-2", "one", _SHUFFLE, cases[4][0]),
        network_of_run(run, "stored"),
    ]


@pytest.fixture(scope="module")
def page_file(networks: list[PageNetwork], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nested") / "page.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "_MOST_SEARCHED", 0)
        write_page(networks, path, cells=())
    return path


def _lines(visit: Visit) -> list[str]:
    return visit.page.locator("#horizons li").all_inner_texts()


@pytest.mark.thorough
@need("browser")
def test_the_choice_stands_where_training_words_are_not_all(visit: Visit) -> None:
    shown = {}
    for key in ("count", "shuffle", "stored"):
        visit.go(network=key)
        shown[key] = visit.page.is_visible("#nested-only")
    assert shown == {"count": False, "shuffle": True, "stored": True}


@pytest.mark.thorough
@need("browser")
def test_with_the_choice_a_nested_word_fails_and_is_noted_beside_that_of_all(
    visit: Visit, networks: list[PageNetwork]
) -> None:
    visit.go(network="shuffle")
    lengths = []
    for nested in (False, True):
        visit.page.locator("#nested-only").set_checked(nested)
        assert visit.text("broken") == ""
        assert pressed(visit, "search") == "fails"
        word = check_word(visit, networks[1])
        assert word in _DYCK or not nested
        lengths.append(len(word))
    assert ("nested" in visit.text("broken"), lengths[0] < lengths[1]) == (True, True)
    said = [f"wrong on a word of {length} symbols." for length in lengths]
    first = [line for line in _lines(visit) if line.startswith("× 1 ")]
    assert first == [f"× 1 (unchanged): {said[0]}", f"× 1 (unchanged): among words of Dyck-2, {said[1]}"]
    current = visit.page.locator("#horizons [aria-current]").inner_text()
    assert current == first[1]
    visit.page.locator("#nested-only").set_checked(False)
    assert visit.page.locator("#horizons [aria-current]").inner_text() == first[0]


@pytest.mark.thorough
@need("browser")
def test_a_stored_word_is_that_of_the_words_chosen(visit: Visit) -> None:
    visit.go(network="stored")
    for nested, text in ((False, "([)]"), (True, "([])"), (False, "([)]")):
        visit.page.locator("#nested-only").set_checked(nested)
        pressed(visit, "search")
        assert visit.value("word") == text
    visit.go(network="count")  # where all words are nested, the choice is none
    visit.page.click("#break-search")
    visit.page.wait_for_selector("#broken.fails")
    assert "nested" not in visit.text("broken")
