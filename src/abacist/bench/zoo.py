"""How fast every cell trains, against an LSTM of as many units."""

from __future__ import annotations

from collections.abc import Iterator

from abacist.bench.measure import Row, rate, side_by_side
from abacist.cells import Cell, cell_named
from abacist.engine import Block, begin, training_words
from abacist.experiments import experiment_named
from abacist.languages import language_named
from abacist.specs import Spec

_RUNS, _HIDDEN, _WORDS, _REPEATS = 16, 4, 1_000, 3

#: Work on memories takes its time; what is below this share of an LSTM's speed is more than that.
_AT_LEAST = 0.01


def rows() -> Iterator[Row]:
    """A row for every cell of the experiment `zoo`, in its order."""
    lstm, tokens = _block(cell_named("lstm"))
    for cell in dict.fromkeys(task.spec.cell for task in experiment_named("zoo").tasks):
        block, _ = _block(cell)
        ours, theirs = side_by_side(_REPEATS, lambda: _train(block), lambda: _train(lstm))  # noqa: B023
        yield Row(what(cell.name), rate(tokens / ours), rate(tokens / theirs), theirs / ours, _AT_LEAST)


def what(cell: str) -> str:
    """What the row of a cell is called."""
    return f"training {_RUNS} {cell} (dyck-1, {_HIDDEN} units), against LSTMs"


def _block(cell: Cell) -> tuple[Block, int]:
    """Networks that have been trained once, so that all is compiled, and how many symbols they have."""
    spec = Spec(language_named("dyck-1"), cell, _HIDDEN, epochs=1, training=_WORDS)
    words = [training_words(spec, seed) for seed in range(_RUNS)]
    block = Block(begin(spec, range(_RUNS)), words)
    _train(block)
    return block, sum(len(own.symbols) for own in words)


def _train(block: Block) -> None:
    """One more epoch."""
    block.train(block.epochs + 1)
