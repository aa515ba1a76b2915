"""Training in the browser: the run that the engine trains, stopped and typed at whenever one likes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from abacist.analysis import follow
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes, judge, train
from abacist.report.page import PageNetwork
from abacist.specs import Networks, Spec
from tests.report.page.shown_networks import GOOD, UNTRAINABLE
from tests.report.page.visits import Visit, one_network
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("browser")]


def start(visit: Visit, *, seed: int = 5, epochs: int = 2, count: int = 1, spec: Spec = GOOD) -> None:
    """Fill the form and press Train."""
    visit.page.select_option("#train-count", str(count))
    for name, value in (("language", spec.language.name), ("cell", spec.cell.name), ("units", spec.hidden)):
        visit.page.select_option(f"#train-{name}", str(value))
    visit.page.fill("#train-seed", str(seed))
    visit.page.fill("#train-epochs", str(epochs))
    visit.page.click("#train-start")


def finished(visit: Visit, times: int = 1) -> dict[str, Any]:
    """Wait until a network is trained; the last that its worker said."""
    visit.wait("times => window.told.filter((own) => own.done).length === times", times)
    visit.page.wait_for_selector("#training[aria-busy=false]")
    return visit.told("learning")[-1]


def begun(visit: Visit) -> None:
    """Wait until a network has learnt something."""
    visit.wait("() => window.told.some((own) => own.kind === 'learning')")


def check_states(visit: Visit, networks: Networks, text: str) -> None:
    """What is drawn is what the weights do."""
    reading = follow(networks, 0, GOOD.language, text)
    assert visit.value("word") == text
    _, values = visit.values(GOOD.language)
    for name, drawn in values.items():
        np.testing.assert_allclose(drawn, reading.values(name), rtol=1e-6, atol=1e-6)


def dyck_words(pairs: int) -> list[str]:
    """All words of Dyck-1 with so many brackets of each kind."""
    if pairs == 0:
        return [""]
    inside = [(left, pairs - 1 - left) for left in range(pairs)]
    return [f"({a}){b}" for x, y in inside for a in dyck_words(x) for b in dyck_words(y)]


def test_a_network_learns_to_count_as_the_engine_trains_it(visit: Visit) -> None:
    start(visit)
    last = finished(visit)
    own = one_network(GOOD.layout, last["runs"][0]["weights"])
    trained = train(GOOD, [5])
    np.testing.assert_allclose(own.parameters, trained.networks.parameters, rtol=0, atol=1e-3)
    learnt = last["runs"][0]
    for networks in (own, trained.networks):
        shares = judge(GOOD, [5], networks)
        assert (learnt["short"], learnt["long"]) == (100 * shares.of("short")[0], 100 * shares.of("long")[0])
    assert (learnt["short"], learnt["long"]) == (100, 100)
    every = [word for pairs in range(1, 8) for word in dyck_words(pairs)]
    assert len(every) == 1 + 2 + 5 + 14 + 42 + 132 + 429
    words = pack_texts(GOOD.language, [GOOD.language.alphabet.parse(word) for word in every])
    assert (first_mistakes(own, 0, words) < 0).all()

    visit.page.click("#train-type")
    visit.page.click("#clear")
    visit.page.keyboard.type("(()(()))")
    check_states(visit, own, "(()(()))")
    assert visit.page.locator("#tape .wrong").count() == 0
    assert re.findall(r"([\d.]+) %", visit.text("network-about")) == ["100", "100"]


def test_shares_and_losses_are_drawn_and_the_link_trains_the_same_again(
    open_page: Callable[..., Visit],
) -> None:
    visit = open_page()
    start(visit, seed=0)
    last = finished(visit)["runs"][0]
    epochs, losses, short, long = visit.columns("learning")
    assert epochs == sorted(epochs)  # type: ignore[type-var]
    assert epochs[-1] == 2
    assert len([share for share in short if share is not None]) == 2
    assert (short[-1], long[-1]) == (last["short"], last["long"])
    shares = judge(GOOD, [0], one_network(GOOD.layout, last["weights"]))
    assert (last["short"], last["long"]) == (100 * shares.of("short")[0], 100 * shares.of("long")[0])
    assert last["long"] < 100
    assert 0 < losses[-1] < losses[0]  # type: ignore[operator]
    assert len(visit.columns("train-states")) == 1 + 1 + GOOD.hidden
    visit.page.click("#train-type")
    said = re.findall(r"([\d.]+) %", visit.text("network-about"))
    assert [float(share) for share in said] == [round(last[name], 1) for name in ("short", "long")]

    visit.page.fill("#word", "(()(")
    visit.page.locator("#factor").fill("2")
    visit.page.locator("#step").fill("3")
    visit.wait("() => location.hash.includes('trained=') && location.hash.includes('at=3')")
    columns, shown = visit.columns(), visit.step
    again = open_page(link=visit.page.evaluate("location.hash"))
    assert finished(again)["runs"][0]["weights"] == last["weights"]
    again.wait("() => document.getElementById('word').value === '(()('")
    assert (again.columns(), again.step, again.at, again.value("factor")) == (columns, shown, 3, "2")
    assert again.value("run") == visit.value("run")


def test_it_is_stopped_half_way_and_typed_at(visit: Visit) -> None:
    start(visit, epochs=500)
    begun(visit)
    visit.page.click("#train-stop")
    assert visit.page.get_attribute("#training", "aria-busy") == "false"
    own = one_network(GOOD.layout, visit.told("learning")[-1]["runs"][0]["weights"])
    visit.page.click("#train-type")
    visit.page.fill("#word", "(()))")
    check_states(visit, own, "(()))")
    told = len(visit.told("learning"))
    visit.frames(20)
    assert len(visit.told("learning")) == told
    assert not visit.told("learning")[-1]["done"]


def test_before_anything_is_learnt_there_is_nothing_to_type_at(visit: Visit) -> None:
    assert visit.page.is_disabled("#train-type")
    assert visit.page.is_disabled("#train-stop")
    visit.page.evaluate(
        "() => { for (const name of ['train-start', 'train-stop']) document.getElementById(name).click(); }"
    )
    assert visit.page.is_disabled("#train-type")
    assert visit.page.is_enabled("#train-start")
    assert "Trained here" not in visit.page.locator("#group option").all_inner_texts()


def test_the_page_listens_while_it_trains(visit: Visit, networks: list[PageNetwork]) -> None:
    start(visit, epochs=500)
    begun(visit)
    visit.page.click("#clear")
    visit.type("(()")
    assert (visit.value("word"), visit.at) == ("(()", 3)
    visit.page.select_option("#group", label=networks[-1].group)
    visit.page.click("#random")
    visit.page.click("#back")
    assert visit.at == len(visit.value("word")) - 1
    said = len(visit.told("learning"))
    visit.wait("said => window.told.filter((own) => own.kind === 'learning').length > said", said)
    assert visit.page.get_attribute("#training", "aria-busy") == "true"
    visit.page.click("#train-stop")


def test_other_cells_train_on_other_languages(visit: Visit) -> None:
    offered = visit.page.locator("#train-language option").evaluate_all("all => all.map((one) => one.value)")
    assert {"dyck-1", "dyck-2", "shuffle-2"} <= set(offered)
    cells = visit.page.locator("#train-cell option").evaluate_all("all => all.map((one) => one.value)")
    assert {"rnn", "gru", "lstm"} <= set(cells)
    for name, cell in (("shuffle-2", "gru"), ("dyck-2", "rnn")):
        visit.page.select_option("#train-language", name)
        visit.page.select_option("#train-cell", cell)
        visit.page.fill("#train-epochs", "20")
        visit.page.select_option("#train-count", "1")
        said = len(visit.told("learning"))
        visit.page.click("#train-start")
        visit.wait("said => window.told.filter((own) => own.kind === 'learning').length > said", said)
        visit.page.click("#train-stop")
        visit.page.click("#train-type")
        visit.page.click("#random")
        assert visit.page.locator("#outputs tbody tr").count() == 4


def test_what_cannot_be_trained_is_refused_in_a_sentence(open_page: Callable[..., Visit]) -> None:
    name = UNTRAINABLE.spec.language.name
    visit = open_page(link=f"#trained={name}/lstm/3/0/1")
    assert visit.text("train-status").endswith(".")
    assert visit.page.get_attribute("#training", "aria-busy") != "true"
    assert visit.page.locator(f"#train-language option[value='{name}']").count() == 0
    visit.page.fill("#train-epochs", "0")
    visit.page.click("#train-start")
    visit.page.fill("#train-epochs", "")
    visit.page.click("#train-start")
    assert visit.told("learning") == []
    assert visit.page.get_attribute("#training", "aria-busy") != "true"


def test_several_networks_learn_at_once_each_as_if_alone(visit: Visit) -> None:
    start(visit, seed=2, epochs=1, count=4)
    together = finished(visit)["runs"]
    dots = visit.page.locator("#train-dots .dot")
    assert dots.count() == 4
    assert [dots.nth(n).get_attribute("data-key") for n in range(4)] == [
        f"dyck-1/lstm/{GOOD.hidden}/{seed}/1" for seed in range(2, 6)
    ]
    shares = [re.findall(r"([\d.]+) %", dots.nth(n).get_attribute("aria-label") or "") for n in range(4)]
    assert [float(share) for (share,) in shares] == [round(own["long"], 1) for own in together]
    assert len({tuple(own["weights"]) for own in together}) == 4
    visit.page.locator("#train-dots .dot").nth(1).press("Enter")
    assert "seed 3" in visit.text("train-word")
    visit.page.click("#train-type")
    visit.page.fill("#word", "(()")
    check_states(visit, one_network(GOOD.layout, together[1]["weights"]), "(()")
    assert len(visit.page.locator("#run option").all_inner_texts()) == 4
    start(visit, seed=3, epochs=1)
    assert finished(visit, 2)["runs"][0]["weights"] == together[1]["weights"]
    assert visit.page.locator("#train-dots .dot").count() == 0
    assert visit.page.locator("#run option").count() == 4  # what was trained again takes the old one's place
    visit.page.click("#train-type")
    check_states(visit, one_network(GOOD.layout, together[1]["weights"]), "(()")
    visit.page.select_option("#run", index=0)
    check_states(visit, one_network(GOOD.layout, together[0]["weights"]), "(()")
