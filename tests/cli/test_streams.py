"""Streams and locales: UTF-8 whatever the locale, one sentence where a stream is closed or is no text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from abacist.experiments import Store
from tests.cli.command import refused, shown
from tests.experiments.cases import TINY, made_up, small

#: Locales that read anything beyond ASCII wrongly unless they are told not to.
LOCALES = {
    "C": {"LC_ALL": "C", "LANG": "C"},
    "C, coercion off": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "POSIX": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an experiment and a finished store, all under names beyond ASCII."""
    shares = {name: {"3": 0.5} for name in ("training", "short", "long")}
    store = Store(tmp_path / "größe")
    store.put([made_up(small(), 0, shares)])
    store.close()
    (tmp_path / "größe.toml").write_text(f'title = "Nach Größe"\nruns = 1\n{TINY}', encoding="utf-8")
    return tmp_path


def command(
    folder: Path,
    *arguments: str | bytes,
    stdin: bytes = b"",
    shell: str = "",
    locale: dict[str, str] | None = None,
) -> tuple[int, str, str]:
    """Run the command in a folder; `shell` closes streams. Its exit code, output and errors, as UTF-8."""
    known = {n: v for n, v in os.environ.items() if not n.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    called: list[str | bytes] = [sys.executable, "-m", "abacist", *arguments]
    if shell:
        called = ["/bin/sh", "-c", f'exec "$@" {shell}', "sh", *called]
    done = subprocess.run(called, cwd=folder, input=stdin, capture_output=True, env=known | (locale or {}))
    output, errors = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in errors
    return done.returncode, output, errors


@pytest.mark.thorough
@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
def test_names_titles_and_words_are_utf_8_in_every_locale(folder: Path, locale: dict[str, str]) -> None:
    code, output, errors = command(folder, "table", "größe.toml", "--results", "größe", locale=locale)
    assert (code, errors) == (0, "")
    assert output.startswith("Nach Größe\n")
    code, output, errors = command(folder, "label", "dyck-4", "⟨⟩", locale=locale)
    assert (code, errors) == (0, "")
    assert "in dyck-4: 2 symbols" in output
    assert "⟩" in output
    code, output, errors = command(folder, "run", "maß.toml", locale=locale)
    assert (code, output) == (2, "")
    assert errors == "abacist: maß.toml: cannot be read, no such file or directory\n"


@pytest.mark.thorough
def test_a_name_that_is_no_text_is_shown_as_well_as_it_can_be(folder: Path) -> None:
    code, _, errors = command(folder, "run", b"a\xff.toml")
    assert (code, errors) == (2, "abacist: a\\udcff.toml: cannot be read, no such file or directory\n")


def test_a_toml_file_that_is_not_utf_8_is_refused(folder: Path) -> None:
    latin = folder / "latin.toml"
    latin.write_bytes('title = "größe"'.encode("latin-1"))
    assert refused("run", str(latin), code=1) == f"abacist: {latin}: is not a text file in UTF-8\n"


@pytest.mark.thorough
def test_words_that_are_not_utf_8_are_refused(folder: Path) -> None:
    code, output, errors = command(folder, "judge", "größe", stdin=b"()\n\xff()\n")
    assert (code, output) == (2, "")
    assert errors == "abacist: standard input is not text in UTF-8, see line 2\n"


@pytest.mark.thorough
def test_a_closed_standard_input_has_no_words(folder: Path) -> None:
    code, output, errors = command(folder, "judge", "größe", shell="<&-")
    assert (code, output) == (2, "")
    assert errors == "abacist: no words are given, and standard input cannot be read, bad file descriptor\n"
    assert command(folder, "judge", "größe", "()", shell="<&-")[0] == 0


def test_a_closed_standard_output_is_said_once(folder: Path) -> None:
    for arguments in (("table", "größe.toml", "--results", "größe"), ("languages", "--json"), ("--version",)):
        code, output, errors = command(folder, *arguments, shell=">&-")
        assert (code, output) == (1, "")
        assert errors == "abacist: standard output cannot be written to, bad file descriptor\n"


@pytest.mark.thorough
def test_what_prints_nothing_needs_no_standard_output(folder: Path) -> None:
    arguments = ("export", "--out", "n.safetensors", "größe", "--run", "0")
    assert command(folder, *arguments, shell=">&-")[0] == 0
    assert (folder / "n.safetensors").is_file()


def test_a_closed_standard_error_gets_nothing_and_nothing_goes_astray(folder: Path) -> None:
    """Messages must not end up among the data."""
    code, output, errors = command(folder, "judge", "größe", "()", shell="2>&-")
    assert (code, errors) == (0, "")
    assert "accepted" not in output
    code, output, _ = command(folder, "run", "maß.toml", shell="2>&-")
    assert (code, output) == (2, "")


@pytest.mark.thorough
def test_all_streams_closed_at_once_leave_the_store_as_it_is(folder: Path) -> None:
    before = (folder / "größe" / "abacist.sqlite").read_bytes()
    assert command(folder, "table", "größe.toml", "--results", "größe", shell="<&- >&- 2>&-")[0] == 1
    assert (folder / "größe" / "abacist.sqlite").read_bytes() == before


@pytest.mark.thorough
def test_no_warning_of_python_s_shows_where_it_comes_from(folder: Path) -> None:
    """A folder's name stands in a figure's title, and its letters may be missing from the font."""
    weights = str(folder / "n.safetensors")
    shown("export", "--out", weights, str(folder / "größe"), "--run", "0")
    shown("import", weights, "--cell", "rnn", "--out", str(folder / "漢"))
    code, _, errors = command(folder, "trace", "漢", "()", "--out", "trace.svg")
    assert code == 0
    assert ".py" not in errors
    (warning, drawn) = errors.splitlines()
    assert warning.startswith("abacist: warning: Glyph ")
    assert drawn == "drawn in trace.svg"


def test_a_pipe_or_a_device_is_written_and_not_replaced(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", folder / "pipe"], stdout=subprocess.PIPE) as reader:
        shown("export", "--csv", str(folder / "pipe"), "--results", str(folder / "größe"))
        assert reader.stdout is not None
        if not (folder / "pipe").is_fifo():
            reader.kill()  # it would wait for words for ever
        assert reader.stdout.read().startswith(b"key,")
    assert (folder / "pipe").is_fifo()
