"""A page of a language of any kind opens, and its words can be typed and searched."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import abacist.report.page
from abacist.analysis.horizons.configurations import Configurations
from abacist.cells import cell_named
from abacist.errors import BadInput
from abacist.languages import CATALOGUE, WELL_KNOWN, Language, language_named, regular
from abacist.report.figures.house_style import title_of
from abacist.report.page import PageNetwork, write_page
from abacist.report.page.content import network_of_user
from abacist.specs import Networks, Spec
from abacist.targets.webassembly import joined, language_tables, program_name
from tests.report.page.visits import new_visit
from tests.requirements import need
from tests.targets.webassembly.node import in_node
from tests.wrong_input import is_refused

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SOURCES = Path(abacist.report.page.__file__).parent / "sources"


def _languages() -> dict[str, Language[Any]]:
    """All that have names, some with their ends marked, a shuffle and a regular expression; by name."""
    names = [*WELL_KNOWN, *(entry.name for entry in CATALOGUE), "dyck-1+end", "shuffle-2+end", "dyck-1||anbn"]
    languages = [*map(language_named, names), regular("(ab|ba)*c", title="expression")]
    return {language.name: language for language in languages}


def shown(language: Language[Any]) -> PageNetwork:
    networks = Networks.initial(Spec(language, cell_named("lstm"), 2).layout, [0], "float64")
    return network_of_user(language.name, "untrained", language, networks)


def _able() -> list[PageNetwork]:
    """A network of each language that a page can follow."""
    able = []
    for language in _languages().values():
        with suppress(BadInput):
            able.append(shown(language))
    return able


_WORDS = """
const seeds = [1, 2, 3, 4, 5, 6];
const sown = (seed) => () => ((seed = (seed * 16807) % 2147483647) - 1) / 2147483646;
const { PROGRAMS, Language, firstMistake, saturated } = abacist;
const { randomWord, ending, failingWords, familiesOf, breaking } = abacist;
const found = {};
for (const { tables, name, weights } of given) {
  const language = new Language(tables), program = PROGRAMS[name];
  const network = { language, program, weights: Float32Array.from(weights) };
  const engine = { firstMistake, saturated };
  const random = seeds.map((seed) => { Math.random = sown(seed); return randomWord(language, 9); });
  const endings = [];
  for (const word of random) {
    let at = language.start;
    for (let t = 0; t < word.length; t++) {
      at = language.step(at, word[t]);
      endings.push([word.slice(0, t + 1), ending(language, at)]);
    }
  }
  let searched = null;
  for (searched of failingWords(program, network.weights, language, language, 12)) {}
  const families = familiesOf(language).map((family) => [family.name, breaking(engine, network, 1, family)]);
  const { word } = searched;
  const step = word && firstMistake(program, network.weights, word, language.read(word).targets);
  found[tables.name] = { random, endings, families, word, step };
}
return found;
"""


def answers_of(networks: list[PageNetwork], folder: Path) -> dict[str, dict[str, Any]]:
    """What the page's own code says about the language of each network, in one process of Node."""
    layouts = list(dict.fromkeys(one.networks.layout for one in networks))
    sources = ("endings.js", "following.js", "families.js", "search.js")
    given = [
        {
            "tables": language_tables(one.language),
            "name": program_name(one.networks.layout),
            "weights": one.networks.parameters[0].tolist(),
        }
        for one in networks
    ]
    found: dict[str, dict[str, Any]] = in_node(folder, layouts, _WORDS, given, joined(SOURCES, sources))
    return found


def words_of(answer: dict[str, Any]) -> list[list[int]]:
    """All words in an answer: at random, made to break a network, and found by searching."""
    return [word for word in (*answer["random"], *(w for _, w in answer["families"]), answer["word"]) if word]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    need("node")
    return answers_of(_able(), tmp_path_factory.mktemp("node"))


def test_most_languages_can_beshown(answers: dict[str, Any]) -> None:
    assert {"dyck-1", "shuffle-6", "dyck-2", "anbncn", "tomita-3", "parity", "dyck-1+end"} <= set(answers)
    assert set(_languages()) - set(answers) == {
        "reset-dyck-1", "anbm-n-ge-m", "majority", "balance", "boolean-3", "boolean-5", "marked-palindromes",
    }  # fmt: skip
    for name in set(_languages()) - set(answers):
        assert is_refused(lambda name=name: shown(_languages()[name])).startswith(f"{name}: ")  # type: ignore[misc]


def test_random_words_and_words_that_break_a_network_are_words(answers: dict[str, Any]) -> None:
    broken = 0
    for name, language in _languages().items():
        if name in answers:
            own = answers[name]
            assert [word for word in words_of(own) if tuple(word) not in language] == []
            broken += own["word"] is not None and own["step"] >= 0
    assert broken > 30


def test_the_way_to_the_end_of_a_word_is_the_shortest(answers: dict[str, Any]) -> None:
    for name, language in _languages().items():
        known, looked_at = Configurations(language), 0
        for prefix, rest in answers.get(name, {"endings": []})["endings"][:60]:
            number = 0
            for symbol in prefix:
                known.expand(np.array([number]))
                number = int(known.successors[symbol, number])
            assert len(rest) == known.endings[number], (name, prefix)
            looked_at += 1
        assert looked_at > 0 or name not in answers


def test_kinds_of_words_are_offered_where_a_counter_goes_up_and_down(answers: dict[str, Any]) -> None:
    offered = {name: [kind for kind, _ in own["families"]] for name, own in answers.items()}
    assert offered["tomita-5"] == offered["parity"] == offered["dyck-2-3"] == offered["expression"] == []
    assert offered["dyck-1+end"] == ["alternation", "nesting", "saw"]
    assert offered["anbn"] == ["nesting"]


@pytest.mark.thorough
@need("browser")
def test_a_page_of_every_language_opens_and_works(running: Browser, tmp_path: Path) -> None:
    """A regular one is shown first, as in the page of a store that has no other."""
    networks = sorted(_able(), key=lambda own: own.language.name != "tomita-3")
    path = tmp_path / "page.html"
    write_page(networks, path, cells=())
    visit = new_visit(running, 1280, reduced_motion="reduce")
    visit.open(path)
    assert visit.text("word-about") == ""
    for own in networks:
        visit.go(network=own.key)
        visit.page.click("#glyphs button >> nth=0")
        assert visit.at == 1
        visit.page.click("#random")
        steps = visit.page.locator("#step").get_attribute("max")
        assert visit.page.locator("#tape .tile").count() == int(steps or 0)
        visit.page.click("#break-search")
        visit.page.wait_for_selector("#broken.fails, #broken.open, #broken.holds")
        assert visit.page.locator("#horizons li").count() == 3
        offered = visit.page.locator("#train-language option").evaluate_all(
            "all => all.map((one) => one.value)"
        )
        assert own.language.name in offered or title_of(own.language.name) in visit.text("untrained")
    visit.page.select_option("#train-count", "1")
    visit.page.fill("#train-epochs", "1")
    visit.page.click("#train-start")
    visit.page.wait_for_selector("#training[aria-busy=true]")
    visit.page.wait_for_selector("#training[aria-busy=false]")
    visit.check(path)
