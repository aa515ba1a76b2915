"""The deterministic real-time k-counter automaton, DCA_k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import product
from math import prod

from abacist.errors import BadInput, BadMove
from abacist.fields import check_fields
from abacist.languages.automaton import Automaton, Configuration
from abacist.limits import MACHINE_STEPS, Budget
from abacist.wording import plural

#: The update that sets a counter to zero, whatever it was.
RESET = -(1 << 30)


def passes(tests: str, counters: tuple[int, ...]) -> bool:
    """Whether counters pass tests, one character each: `0` for zero, `+` for positive, `*` for either."""
    return all(
        test == "*" or (test == "+") == (value > 0) for test, value in zip(tests, counters, strict=True)
    )


@dataclass(frozen=True)
class CounterMove:
    """From `source` on `symbol`, if the counters pass `tests`, go to `target` and add `updates`.

    `tests` has one character per counter: `0` for zero, `+` for positive, `*` for either.
    """

    source: int
    symbol: int
    tests: str
    target: int
    updates: tuple[int, ...]

    def fits(self, counters: tuple[int, ...]) -> bool:
        return passes(self.tests, counters)

    def overlaps(self, other: CounterMove) -> bool:
        """Whether some configuration fits both moves."""
        return (self.source, self.symbol) == (other.source, other.symbol) and all(
            "*" in (a, b) or a == b for a, b in zip(self.tests, other.tests, strict=True)
        )


@dataclass(frozen=True)
class CounterAutomaton(Automaton):
    """A finite control with counters that move by −1, 0 or +1, can be set to zero, and tested for it.

    It accepts in an accepting state with all counters at zero. `acceptance` adds pairs of a state and
    tests: it also accepts in that state where the counters pass these.
    """

    symbols: int
    states: int
    counters: int
    moves: tuple[CounterMove, ...]
    accepting_states: frozenset[int]
    acceptance: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        self._check((*self.accepting_states, *(state for state, _ in self.acceptance)), self.moves)
        for _, tests in self.acceptance:
            if len(tests) != self.counters or set(tests) - set("0+*"):
                raise BadInput(
                    f"CounterAutomaton: acceptance must test {self.counters} counters for 0, + or *, "
                    f"got {tests!r}"
                )
        for move in self.moves:
            if len(move.tests) != self.counters or len(move.updates) != self.counters:
                raise BadMove(
                    "CounterAutomaton", f"a move must name {plural(self.counters, 'counter')}", move
                )
            if set(move.tests) - set("0+*") or set(move.updates) - {-1, 0, 1, RESET}:
                raise BadMove("CounterAutomaton", "tests are 0, + or *, updates -1, 0 or 1", move)
            if any(u == -1 and test != "+" for test, u in zip(move.tests, move.updates, strict=True)):
                raise BadMove("CounterAutomaton", "only a counter whose test is + may go down", move)
        _ = self._by_key  # which refuses moves that overlap

    def __repr__(self) -> str:
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        shown = (f"{name}={v!r}" for name, v in values if v or name not in ("counters", "acceptance"))
        return f"{type(self).__name__}({', '.join(shown)})"

    @cached_property
    def _by_key(self) -> dict[tuple[int, int], list[CounterMove]]:
        """The moves by source and symbol; refuses those that overlap."""
        table: dict[tuple[int, int], list[CounterMove]] = {}
        budget = Budget("CounterAutomaton", MACHINE_STEPS)
        for move in self.moves:
            others = table.setdefault((move.source, move.symbol), [])
            budget.spend(len(others))
            if any(move.overlaps(other) for other in others):
                raise self._second(move)
            others.append(move)
        return table

    @property
    def kind(self) -> str:
        return f"DCA{self.counters}"

    @property
    def initial(self) -> Configuration:
        return 0, (0,) * self.counters

    def move(self, configuration: Configuration, symbol: int) -> Configuration | None:
        state, counters = configuration
        for move in self._by_key.get((state, symbol), ()):
            if move.fits(counters):
                return move.target, tuple(max(c + u, 0) for c, u in zip(counters, move.updates, strict=True))
        return None

    def accepting(self, configuration: Configuration) -> bool:
        state, counters = configuration
        return (state in self.accepting_states and not any(counters)) or any(
            state == ending and passes(tests, counters) for ending, tests in self.acceptance
        )

    @property
    def resets(self) -> bool:
        """Whether some move sets a counter to zero."""
        return any(RESET in move.updates for move in self.moves)

    @property
    def endings(self) -> tuple[tuple[int, str], ...]:
        """All that it accepts by: states with tests, those with all counters at zero first."""
        return (
            tuple((state, "0" * self.counters) for state in sorted(self.accepting_states)) + self.acceptance
        )

    def heights(self, configuration: Configuration) -> tuple[int, ...]:
        return configuration[1]


def side_by_side(machines: Sequence[CounterAutomaton]) -> CounterAutomaton:
    """Automata that each move on their own symbols: it recognises the shuffle of their languages.

    Without any it accepts the empty word alone.
    """
    states, counters = prod(m.states for m in machines), sum(m.counters for m in machines)
    strides = [prod(m.states for m in machines[place:]) for place in range(1, len(machines) + 1)]
    moves, symbols, before = [], 0, 0
    for machine, stride in zip(machines, strides, strict=True):
        after = counters - before - machine.counters
        others = [state for state in range(states) if state // stride % machine.states == 0]
        moves += [
            CounterMove(
                other + move.source * stride,
                symbols + move.symbol,
                "*" * before + move.tests + "*" * after,
                other + move.target * stride,
                (0,) * before + move.updates + (0,) * after,
            )
            for move in machine.moves
            for other in others
        ]
        symbols, before = symbols + machine.symbols, before + machine.counters
    endings = [
        (sum(state * stride for (state, _), stride in zip(parts, strides, strict=True)), tests)
        for parts in product(*(machine.endings for machine in machines))
        for tests in ["".join(tests for _, tests in parts)]
    ]
    plain = frozenset(state for state, tests in endings if set(tests) <= {"0"})
    tested = tuple(ending for ending in endings if not set(ending[1]) <= {"0"})
    return CounterAutomaton(symbols, states, counters, tuple(moves), plain, tested)
