"""Mistakes on the command line, each answered in one sentence that says what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperCommand

from abacist.errors import BadField, BadInput, UnknownName
from abacist.fields import in_words
from abacist.wording import closest

#: What other programs call commands and options, by what they are called here.
_ELSEWHERE = {
    "train": "fit learn",
    "run": "sweep experiment launch",
    "table": "summary",
    "runs": "list ls",
    "show": "info inspect describe",
    "figures": "plot plots draw",
    "page": "html website",
    "judge": "eval evaluate test predict classify",
    "certify": "prove verify",
    "sample": "generate",
    "corpus": "dataset data",
    "delete": "remove rm",
    "vacuum": "clean compact",
    "import": "load",
    "export": "save",
    "decay": "weight_decay",
    "jobs": "n_jobs workers cores",
    "where": "filter select",
    "out": "output output_dir save_to",
    "count": "number words n_words num_words",
    "device": "gpu cuda",
    "seed": "random_seed",
    "format": "json csv",
    "uniform": "source words_from",
    "--help": "help",
    "--version": "version",
}


class VerbCommand(TyperCommand):
    """A verb whose misuse is answered so."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        with in_one_sentence(self, args):
            extra = super().parse_args(ctx, args)
        if extra and not ctx.resilient_parsing:
            name, sign, value = extra[0].partition("=")
            option = _meant(name, _options(self)) if sign else None
            hint = f": {_usage(self)}" if option is None else f", did you mean --{option} {_shown(value)}?"
            raise BadInput(f"{extra[0]!r} is one argument too many{hint}")
        return extra


@contextmanager
def in_one_sentence(command: Any, words: Sequence[str]) -> Iterator[None]:
    """Say in one sentence what Typer refuses of the words after a command."""
    words = list(words)  # Typer takes them away as it reads them
    try:
        yield
    except typer.TyperException as error:
        refusal: Any = error
        kind, parameter = type(error).__name__, getattr(error, "param", None)
        if kind == "NoSuchOption":
            name = refusal.option_name  # of `-hidden` it is one letter
            whole = (word for word in words if re.match(r"-\w\w", word) and name[1:] in word)
            raise _no_such_option(command, name if name[:2] == "--" else next(whole, name)) from None
        if kind == "BadOptionUsage":
            takes = "takes no value" if _is_flag(command, refusal.option_name) else "needs a value"
            raise BadInput(f"{refusal.option_name} {takes}") from None
        if kind == "MissingParameter" and parameter is not None:
            raise BadInput(f"{_name(parameter)} is missing: {_usage(command)}") from None
        raise


def unknown_command(name: str, names: Iterable[str]) -> UnknownName:
    """There is no such command."""
    close = _meant(name, [*names, "--help", "--version"])
    return UnknownName(
        f"there is no command {name!r}"
        + ("; `abacist --help` lists them" if close is None else f", did you mean {close}?")
    )


def _no_such_option(command: Any, typed: str) -> UnknownName:
    """There is no such option, but one like it, or an argument."""
    shown = _shown(typed)
    name = typed.lstrip("-").lower().replace("_", "-")
    for one in command.params:
        if one.param_type_name == "argument" and name in (one.name, (one.metavar or "").lower()):
            return UnknownName(f"{shown} is no option, its value goes here: {_usage(command)}")
    close = _meant(name, _options(command))
    verb = "" if hasattr(command, "commands") else f" {command.name}"
    hint = f"; `abacist{verb} --help` lists them" if close is None else f", did you mean --{close}?"
    return UnknownName(f"{verb.strip() or 'abacist'} has no option {shown}{hint}")


def _shown(word: str) -> str:
    """A word of the command line in a sentence: on one line."""
    return repr(word)[1:-1]


def _options(command: Any) -> list[str]:
    """The options of a command that its help lists, without hyphens."""
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    return [text[2:] for one in shown for text in one.opts if text.startswith("--")] + ["help"]


def _meant(name: str, names: Iterable[str]) -> str | None:
    listed = list(names)
    plain = name.lower().replace("-", "_")
    elsewhere = [here for here in listed if plain in _ELSEWHERE.get(here, "").split()]
    return elsewhere[0] if elsewhere else closest(name, listed)


def _is_flag(command: Any, typed: str) -> bool:
    return any(getattr(one, "is_flag", False) for one in command.params if typed in one.opts)


def _usage(command: Any) -> str:
    """How a command is called with what it needs: `abacist train LANGUAGE CELL`."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    needed = [one for one in command.params if one.param_type_name != "argument" and one.required]
    words = [_name(one) if one.required else f"[{_name(one)}]" for one in arguments]
    words += [f"{_name(one)} {one.name.upper()}" for one in needed]
    return " ".join(["abacist", command.name, *words])


def _name(parameter: Any) -> str:
    """An option or argument as usage has it: `--out`, `LANGUAGE`, `FROM …`."""
    if parameter.param_type_name != "argument":
        return str(parameter.opts[0])
    return f"{parameter.metavar or parameter.name.upper()}{' …' if parameter.nargs == -1 else ''}"


@dataclass(frozen=True)
class _Unread:
    """A text in place of a number."""

    text: str
    kind: type


def number_reader(kind: type) -> Callable[[Any], Any]:
    """What reads a number on the command line; `check_read` refuses what it cannot read."""

    def read(text: Any) -> Any:
        try:
            return kind(text)
        except ValueError:
            return _Unread(text, kind)

    return read


def check_read(name: str, value: Any) -> None:
    """Refuse the value of an option that is no number, but should be."""
    if isinstance(value, _Unread):
        raise BadField("", name, f"must be {in_words((value.kind,))}", repr(value.text))
