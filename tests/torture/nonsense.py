"""Mutated TOML files and random command lines: one sentence, or work done."""

from __future__ import annotations

import os
import random
from pathlib import Path

from abacist.cli.app import VERBS, command_of
from tests.torture.trial import command, damaged

#: Values that are wrong nearly everywhere; none of them asks for hours of work.
_VALUES = (
    "0", "-1", "1", "2", "3", "1e400", "-0.0", "nan", "inf", "9" * 30, "true", '""', "[]", "{}", "[[1]]",
    "1979-05-27", '"dyck-1"', '"dyck-999"', '"shuffle-2"', '"lstm"', '"2:12"', '"12:2"', '"-1:4"',
    '"a\\u0000b"', "'größe'", '"anbn || dyck-1"', '"||"', "[1, 1]", "[0.1, 0.2]", "0x10", '"1/2,1/4"',
    '"1,1"', '"float64"', '"last"',
)  # fmt: skip
_FIELDS = (
    "title", "about", "language", "cell", "hidden", "epochs", "batch", "rate", "beta1", "beta2",
    "epsilon", "precision", "steps", "source", "training", "test", "short", "long", "grammar", "uniform",
    "by_count", "runs", "seed", "sets", "at_epochs", "task", "größe", "",
)  # fmt: skip


def mutated_toml(ground: Path, chance: random.Random) -> None:
    """A file is planned or refused."""
    path = ground / "tiny.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(lines))
        match chance.choice(("field", "field", "value", "gone", "twice", "table")):
            case "field":
                lines.append(f"{chance.choice(_FIELDS)} = {chance.choice(_VALUES)}")
            case "value":
                lines[at] = f"{lines[at].partition('=')[0]}= {chance.choice(_VALUES)}"
            case "gone":
                lines[at] = ""
            case "twice":
                lines.insert(at, lines[at])
            case _:
                lines.insert(at, chance.choice(("[[task]]", "[task]", "[[task]", "[x]")))
    data = "\n".join(lines).encode()
    path.write_bytes(damaged(data, chance) if chance.random() < 0.3 else data)
    command("run", str(path), "--results", str(ground / "new"), "--dry-run")


#: Words that command lines are made of, besides options; what is not said is small in the ground.
_WORDS = (
    "dyck-1", "dyck-2", "shuffle-2", "anbn", "anbn || dyck-1", "dyck-0", "lstm", "rnn", "gru", "()",
    "([)]", "((", "", "results", "networks", "words.npz", "tiny.toml", "one.safetensors", "nowhere", ".",
    "new.npz", "x.svg", "x.safetensors", "table-3", "claims", "few-units", "0", "1", "2",
    "-1", "1.5", "9" * 30, "2:12", "12:2", "long", "-long", "cell=lstm", "cell", "md", "json", "csv",
    "svg", "größe", "\x1b[31m", "\udcff", "1/2,1/4", "--", "-", "--json",
)  # fmt: skip

#: What takes minutes by itself, or ends in a server.
_LEFT_OUT = ("bench", "reproduce")


def random_command_line(ground: Path, chance: random.Random) -> None:
    """Any words after any verb: the command ends with a known code."""
    verb = chance.choice([name for name in VERBS if name not in _LEFT_OUT])
    options = [o for p in command_of(VERBS[verb]).params for o in p.opts if o.startswith("-")]
    arguments = [verb]
    for _ in range(chance.randrange(6)):
        if options and chance.random() < 0.5:
            arguments.append(chance.choice(options))
        arguments.append(chance.choice(_WORDS))
    if verb == "train" or (verb == "run" and "tiny.toml" not in arguments):
        arguments.insert(1, "--dry-run")
    before = Path.cwd()
    os.chdir(ground)
    try:
        command(*arguments)
    finally:
        os.chdir(before)
