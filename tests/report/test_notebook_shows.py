"""What people look at shows itself in a notebook, in valid HTML, and says what is true of it."""

from __future__ import annotations

from html import escape
from pathlib import Path

import html5lib
import numpy as np
import pytest

from abacist.analysis import (
    Answer,
    Horizon,
    Refutation,
    Search,
    Statement,
    certify,
    constructed,
    follow,
    horizon,
)
from abacist.experiments import Results
from abacist.languages import language_named
from abacist.report.figures import trace_figure
from tests.analysis.cases import networks, read
from tests.experiments.cases import made_up, small

DYCK = language_named("dyck-1")


def shown(value: object) -> str:
    """The HTML that an object shows itself with; refused if it is not valid."""
    html = getattr(value, "_repr_html_")()  # noqa: B009
    html5lib.HTMLParser(strict=True).parseFragment(html)
    return str(html)


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2", "shuffle-6", "anbn", "dyck-1||anbn"])
def test_a_language_shows_its_shortest_words_and_their_numbers(name: str) -> None:
    language = language_named(name)
    html = shown(language)
    counts = [sum(1 for _ in language.words(length)) for length in range(7)]
    assert escape(", ".join(f"{n:,}" for n in counts)) in html
    words = [language.alphabet.render(w) for length in range(1, 7) for w in language.words(length)]
    assert escape(", ".join(words[:6])) in html


def test_a_horizon_shows_both_ends() -> None:
    found = horizon(networks("dyck-1"), 0, DYCK, Search(to=20))
    assert found.wrong is not None
    assert f"<td>{found.proved_in(DYCK)} symbols</td>" in shown(found)
    assert f"<td>{len(found.wrong)} symbols, step {found.wrong.step}</td>" in shown(found)
    assert "<td>none found</td>" in shown(Horizon(30, None, Search(to=30), 64))


def test_an_answer_shows_the_verdict_and_what_else_came_out() -> None:
    proved = certify(constructed(DYCK), 0, DYCK)
    assert shown(proved).count("<tr>") == 1
    assert f"<th>proved</th><td>{escape(str(proved.asked))}</td>" in shown(proved)
    statement = Statement("dyck-1", "lstm", "float32", "all", None, 5)
    refuted = Answer(DYCK, statement, "refuted", None, Refutation((0, 1), 2, (0,), (0, 1)))
    wrong = "wrong at step 2 of a word of 2 symbols with depths up to 1, predicted (, right ( ): ()"
    assert f"<th>refuted</th><td>{wrong}</td>" in shown(refuted)
    assert str(refuted) == f"refuted: {wrong}"


def test_results_show_how_many_runs_there_are_of_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = (0.2, 0.9, 0.5)
    runs = tuple(made_up(small(), seed, {"long": {"3": share}}) for seed, share in enumerate(shares))
    monkeypatch.chdir(tmp_path)
    Path("a<b").mkdir()
    (Path("a<b") / "abacist.sqlite").touch()
    html = shown(Results(Path("a<b") / "abacist.sqlite", runs))
    spec = small()
    row = (spec.language.name, spec.cell.name, str(spec.hidden), "3", f"{100 * np.median(shares):.2f} %")
    assert "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" in html
    assert "<caption>3 runs in a&lt;b</caption>" in html
    assert "<td>—</td>" in shown(Results(Path("x") / "y", (made_up(small(), 0, {}),)))


def test_a_reading_is_valid_whatever_its_glyphs() -> None:
    renamed = DYCK.renamed(("<", "&"))
    assert "<td>&lt;</td>" in shown(follow(networks("dyck-1"), 0, renamed, "<&&"))


def test_a_figure_shows_itself_the_same_whenever_it_is_made() -> None:
    def picture(text: str) -> bytes:
        content = trace_figure(read("dyck-1", text), ["c"])._repr_png_()  # type: ignore[attr-defined]
        assert content.startswith(b"\x89PNG")
        return bytes(content)

    assert picture("(()") == picture("(()")
    assert picture("(()") != picture("(((")
