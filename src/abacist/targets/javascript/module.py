"""The whole text: the runtime, which is the same for every cell, and the programs of some layouts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from abacist.cells import Layout
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.targets.javascript.programs import program_name, program_text

#: The files of the runtime, each importing only from those before it.
RUNTIME = ("activations.js", "random.js", "words.js", "languages.js", "networks.js")


def module_text(layouts: Sequence[Layout]) -> str:
    """The text of a JavaScript module that follows, judges and trains networks of some layouts.

    It imports nothing. Beside what the files of the runtime export, it has `PROGRAMS`, the programs by
    name, such as `lstm 2 3 2` for 2 inputs, 3 units and 2 outputs.
    """
    for layout in layouts:
        expect("module_text: a layout", layout, Layout)
    named = {program_name(layout): layout for layout in layouts}
    if len(named) < len(set(layouts)):
        raise BadInput("module_text: cells need different names to stand in one module")
    programs = (f"{json.dumps(name)}: {program_text(layout)}," for name, layout in named.items())
    head = "/** @type {Record<string, Program>} */\nexport const PROGRAMS = {"
    return "\n".join([runtime_text(), head, *programs, "};", ""])


def script_text(layouts: Sequence[Layout]) -> str:
    """The same without exports: browsers load no module into a worker of a page opened from a file."""
    return without_exports(module_text(layouts))


def runtime_text() -> str:
    """The files of the runtime as one."""
    return joined(files("abacist.targets.javascript") / "runtime", RUNTIME)


def joined(folder: Traversable, names: Sequence[str]) -> str:
    """Modules of a folder as one, without what they import; each may import only from those before it."""
    return without_imports("\n".join((folder / name).read_text(encoding="utf-8") for name in names))


def without_imports(text: str) -> str:
    """A module's text without what it imports, to stand behind texts that have it."""
    return re.sub(r"^import [^;]*;\n|^/\*\* @import .*\n", "", text, flags=re.MULTILINE)


def without_exports(text: str) -> str:
    """A module's text as a plain script."""
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)
