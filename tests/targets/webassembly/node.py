"""Running a module in Node: one process, values in and out as JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abacist.cells import Layout
from abacist.targets.webassembly import module_text, training_text

_AROUND = """\
import * as abacist from "./abacist.mjs";
import { readFileSync, writeFileSync } from "node:fs";
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const given = JSON.parse(readFileSync("given.json", "utf-8"));
await abacist.ready;
const made = (() => {
%s
})();
writeFileSync("made.json", JSON.stringify(made, plain));
"""


def in_node(folder: Path, layouts: Sequence[Layout], script: str, given: Any, more: str = "") -> Any:
    """What a script returns: the body of a function that has `given`, and the module as `abacist`.

    The module follows and trains networks of some layouts; `more` stands behind its text.
    """
    text = module_text(layouts) + training_text(layouts) + more
    (folder / "abacist.mjs").write_text(text, encoding="utf-8")
    (folder / "script.mjs").write_text(_AROUND % script, encoding="utf-8")
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    done = subprocess.run(["node", "script.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads((folder / "made.json").read_text(encoding="utf-8"))
