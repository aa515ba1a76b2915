"""The package's own compiled functions: one cache for all of them, and right without one."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import abacist
from abacist.errors import BadInput
from abacist.machine_code.compiled_functions import CompiledFunction, surroundings
from tests.machine_code.hostile import flip, trap

_SAMPLE = ("sample", "dyck-1", "--uniform", "--count", "3", "--lengths", "2:12", "--seed", "0")


def sampled(prefix: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Draw words with the command, in a process and an environment of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "ABACIST_CACHE"}
    owner = f"{_AS_OWNER} " if environment.pop("OWNER", "") and not os.getuid() else "exec "
    command = f'{prefix} {owner}"$@"'
    return subprocess.run(
        ["/bin/sh", "-c", command, "sh", sys.executable, "-m", "abacist", *_SAMPLE],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_function_of_the_package_has_another_cache() -> None:
    """Numba's own caches lie beside the source, and are believed whatever they say."""
    names = [found.name for found in pkgutil.walk_packages(abacist.__path__, "abacist.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    functions = [f for module in modules for f in vars(module).values() if isinstance(f, CompiledFunction)]
    assert len(functions) > 10
    texts = [Path(module.__file__ or "").read_text() for module in modules]
    assert sum("cache=True" in text for text in texts) == 1  # where they are made


def test_a_function_names_every_module_that_it_inlines() -> None:
    """Else its code would be believed after what it inlines has changed."""
    decorated = 0
    for path in sorted(Path(abacist.__path__[0]).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        calls = [node for node in nodes if isinstance(node, ast.Call) and _name(node.func) == "compiled"]
        if "compiled_functions import compiled" not in path.read_text():
            continue
        imported = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        used = {name.rpartition(".")[2] for name in imported if _can_be_inlined(name)}
        for call in calls:
            assert {_name(argument) for argument in call.args} == used, path.name
        decorated += len(calls)
    assert decorated > 10  # else they are looked for where they are not


def _can_be_inlined(module: str) -> bool:
    """Whether a module has functions for Numba, which are not `compiled` but part of what calls them."""
    source = Path(abacist.__path__[0]).parent.joinpath(*module.split(".")).with_suffix(".py")
    return module.startswith("abacist.") and source.is_file() and "from numba import" in source.read_text()


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


@pytest.fixture(scope="module")
def words() -> str:
    """What is drawn, by whatever cache the tests have."""
    done = subprocess.run(
        [sys.executable, "-m", "abacist", *_SAMPLE], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("\n") == 3
    return done.stdout


@pytest.mark.thorough
def test_a_damaged_or_forged_cache_is_made_again(tmp_path: Path, words: str) -> None:
    folder, marker = tmp_path / "cache", tmp_path / "marker"
    assert sampled(ABACIST_CACHE=str(folder)).stdout == words
    compiled = {path: path.read_bytes() for path in (folder / "compiled").iterdir()}
    assert compiled
    for damage in (lambda whole: flip(whole, 8000), lambda whole: whole[:32] + trap(marker)):
        for path, whole in compiled.items():
            path.write_bytes(damage(whole))
        again = sampled(ABACIST_CACHE=str(folder))
        assert (again.returncode, again.stdout, again.stderr) == (0, words, "")
        assert all(path.read_bytes() != damage(whole) for path, whole in compiled.items())
    assert not marker.exists()


@pytest.mark.thorough
def test_where_nothing_can_be_kept_the_words_are_the_same(tmp_path: Path, words: str) -> None:
    (tmp_path / "file").write_text("")
    done = sampled(XDG_CACHE_HOME=str(tmp_path / "file"), HOME=str(tmp_path / "file"))
    assert (done.returncode, done.stdout) == (0, words)
    assert done.stderr.startswith("abacist: compiled code is not kept for the next time (")
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_full_disk_is_called_the_cache_s(tmp_path: Path) -> None:
    """And not standard output's."""
    done = sampled("ulimit -f 16;", ABACIST_CACHE=str(tmp_path / "cache"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("abacist: the cache of compiled code (ABACIST_CACHE): ")
    assert done.stderr.endswith("cannot be written, file too large\n")
    assert done.stderr.count("\n") == 1
    assert [path.name for path in (tmp_path / "cache" / "compiled").iterdir()] == []


def test_another_text_or_another_type_is_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path))

    def used(text: bytes, value: Any) -> int:
        """The number of times that the code of a function that adds one came from the cache."""
        function = CompiledFunction(_one_more, [text], {})
        np.testing.assert_equal(function(value), np.add(value, 1))
        return hits(function)

    assert [used(b"a", 1), used(b"a", 1.5), used(b"b", 1), used(b"a", np.arange(3))] == [0, 0, 0, 0]
    assert [used(b"a", 1), used(b"a", 1.5), used(b"b", 1), used(b"a", np.arange(3))] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "setting",
    [
        "OPT",
        "LOOP_VECTORIZE",
        "SLP_VECTORIZE",
        "BOUNDSCHECK",
        "DEBUGINFO_DEFAULT",
        "ENABLE_AVX",
        "DISABLE_INTEL_SVML",
        "USING_SVML",
        "CPU_NAME",
        "CPU_FEATURES",
        "EXTEND_VARIABLE_LIFETIMES",
    ],
)
def test_code_of_other_settings_of_numba_is_other_code(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one command with NUMBA_OPT=0 would make all later ones slow."""
    usual = surroundings()
    monkeypatch.setattr(numba.config, setting, "another")
    assert surroundings() != usual


@pytest.mark.parametrize("setting", ["NUMBA_NUM_THREADS", "THREADING_LAYER", "CACHE_DIR", "COLOR_SCHEME"])
def test_settings_that_shape_no_code_are_not_part_of_its_name(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = surroundings()
    monkeypatch.setattr(numba.config, setting, "another")
    assert surroundings() == usual


def test_without_a_compiler_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """With NUMBA_DISABLE_JIT, Numba gives functions back as they are."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(BadInput, match=r"^NUMBA_DISABLE_JIT must not be set: "):
        CompiledFunction(_one_more, [b"plain"], {})(1)


def test_features_that_llvm_cannot_read_are_refused_before_it_reads_them() -> None:
    result = sampled(NUMBA_CPU_FEATURES="nonsense")
    says = "abacist: NUMBA_CPU_FEATURES must be features such as +avx2,-sse4a, got 'nonsense'\n"
    assert (result.returncode, result.stderr) == (2, says)


def test_numba_s_files_do_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither after the first call nor after one with other types, and no matter how the cache fares."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    settings: Any = numba.config
    before = settings.CACHE_DIR
    function = CompiledFunction(_one_more, [b"files"], {})
    assert [function(1), function(1.5), function(2)] == [2, 2.5, 3]
    assert len(function._dispatchers) == 2
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["compiled", "key"]
    assert before == settings.CACHE_DIR
    again = CompiledFunction(_one_more, [b"files"], {})
    assert [again(1), again(1.5)] == [2, 2.5]
    assert hits(again) == 2


def test_an_interrupted_compilation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    (temporary := tmp_path / "temporary").mkdir(0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    function = CompiledFunction(_one_more, [b"interrupted"], {})

    def interrupted(**_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba, "njit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            function(1)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["compiled"]
    assert [*temporary.iterdir()] == []
    assert CompiledFunction(_one_more, [b"interrupted"], {})(1) == 2


def test_numba_compiles_in_another_thread_than_the_main_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM calls back into Python, where the main thread would lose a Ctrl-C."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path))
    threads = []

    def watched(**options: Any) -> Any:
        threads.append(threading.current_thread())
        return njit(**options)

    njit = numba.njit
    monkeypatch.setattr(numba, "njit", watched)
    assert CompiledFunction(_one_more, [b"thread"], {})(1) == 2
    assert threading.main_thread() not in threads


#: What root runs so has the rights of an ordinary owner.
_AS_OWNER = (
    "exec setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search"
)


@pytest.mark.thorough
@pytest.mark.parametrize("umask", ["777", "177", "277"])
def test_every_umask_will_do(umask: str, tmp_path: Path, words: str) -> None:
    cache = tmp_path / "cache"
    for _ in range(2):  # once to fill it, once to use it
        done = sampled(f"umask {umask};", ABACIST_CACHE=str(cache), OWNER="yes")
        assert (done.returncode, done.stdout, done.stderr) == (0, words, "")
    assert len([*(cache / "compiled").iterdir()]) > 0


@pytest.mark.thorough
def test_a_complete_cache_may_be_read_only(tmp_path: Path, words: str) -> None:
    cache = tmp_path / "cache"
    assert sampled(ABACIST_CACHE=str(cache), OWNER="yes").stdout == words
    folders = (cache, cache / "compiled")
    for folder in folders:
        folder.chmod(0o500)
    done = sampled(ABACIST_CACHE=str(cache), OWNER="yes")
    for folder in folders:
        folder.chmod(0o700)
    assert (done.returncode, done.stdout, done.stderr) == (0, words, "")


def hits(function: CompiledFunction) -> int:
    """The number of times that code came from the cache."""
    return sum(sum(own.stats.cache_hits.values()) for own in function._dispatchers.values())


def _one_more(value):  # type: ignore[no-untyped-def]
    return value + 1
