"""Gradients as sums over the tape, a tile of an outer product at a time, as registers allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abacist.compiler import Band, Gradient, TrainingPlan
from abacist.targets.text import Text, sum_of, times

#: Rows and columns of a tile: its sums and what they are made of fit into sixteen registers.
_ROWS, _COLUMNS = 4, 3


def print_gradients(text: Text, plan: TrainingPlan) -> None:
    """Print the sums of all gradients; they are added to what is there."""
    text("// Gradients: sums over the tape, a tile at a time.")
    for band in plan.bands:
        whole = band.size - band.size % _ROWS
        for rows in (range(0, whole, _ROWS), range(whole, band.size, max(band.size - whole, 1))):
            if rows:
                _print_rows(text, plan, band, rows)


def _print_rows(text: Text, plan: TrainingPlan, band: Band, rows: range) -> None:
    """The sums of some rows, `rows.step` at a time: first the input's and the biases', then tiles."""
    inputs = [part for part in band.parts if part.columns is plan.graph.x]
    biases = [part for part in band.parts if part.columns is None]
    names = [f"z{row}" for row in range(rows.step)]
    head = f"for (let q = {rows.start}; q < {rows.stop}; q += {rows.step}) {{"
    with text.block(head if len(rows) > 1 else "{"):
        q = "q" if len(rows) > 1 else rows.start
        if inputs or biases:
            sums = [f"b{row}" for row in range(rows.step)]
            text(f"let {', '.join(f'{name} = 0' for name in sums)};")
            with text.block(_over_time(plan)):
                _load(text, plan, band, names, q)
                for part in inputs:
                    places = (_place(plan, part, q, row) for row in range(rows.step))
                    _add(text, (f"gradient[{place} + symbols[start + t]]" for place in places), names)
                _add(text, sums, names)
            for part in biases:
                _add(text, (f"gradient[{_place(plan, part, q, row)}]" for row in range(rows.step)), sums)
        for part in band.parts:
            if part not in inputs and part not in biases:
                for columns in _columns(part):
                    _print_tile(text, plan, band, part, columns, names, q)


def _print_tile(
    text: Text, plan: TrainingPlan, band: Band, part: Gradient, columns: range, names: list[str], q: str | int
) -> None:
    """The sums of some rows and columns."""
    assert part.columns is not None
    first = plan.on_tape(part.columns)
    sums = [[f"g{row}{c}" for c in range(len(columns))] for row in range(len(names))]
    with text.block("{"):
        text(f"let {', '.join(f'{name} = 0' for row in sums for name in row)};")
        with text.block(_over_time(plan)):
            _load(text, plan, band, names, q)
            loads = (f"x{n} = tape[{sum_of('now', first + c)}]" for n, c in enumerate(columns))
            text(f"const {', '.join(loads)};")
            for z, row in zip(names, sums, strict=True):
                _add(text, row, [f"{z} * x{n}" for n in range(len(columns))])
        for number, row in enumerate(sums):
            places = (_place(plan, part, q, number, c) for c in columns)
            _add(text, (f"gradient[{place}]" for place in places), row)


def _add(text: Text, sums: Iterable[str], terms: Iterable[str]) -> None:
    """Add a term to each of some sums, in one line."""
    text(" ".join(f"{total} += {term};" for total, term in zip(sums, terms, strict=True)))


def _columns(part: Gradient) -> Iterator[range]:
    """The columns of a gradient, a tile's width at a time."""
    assert part.columns is not None
    for first in range(0, part.columns.size, _COLUMNS):
        yield range(first, min(first + _COLUMNS, part.columns.size))


def _over_time(plan: TrainingPlan) -> str:
    return f"for (let t = 0, now = 0; t < steps; t++, now += {plan.tape.width}) {{"


def _load(text: Text, plan: TrainingPlan, band: Band, names: list[str], q: str | int) -> None:
    """The rows of this step, from the tape."""
    first = plan.tape.offsets[band.rows[0]]
    places = (_sum("now", q, first + row) for row in range(len(names)))
    text(f"const {', '.join(f'{n} = tape[{place}]' for n, place in zip(names, places, strict=True))};")


def _place(plan: TrainingPlan, part: Gradient, q: str | int, row: int, column: int = 0) -> str:
    """Where the gradient of a row and a column of a part lies."""
    width = 1 if part.columns is None else part.columns.size
    first = plan.layout.starts[part.tensor] + (part.first_row + row) * width + column
    return _sum("", times(width, q) if isinstance(q, str) else width * q, first)


def _sum(base: str, more: str | int, offset: int) -> str:
    return sum_of(base, more, offset) if isinstance(more, str) else sum_of(base, more + offset)
