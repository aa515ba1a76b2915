"""Statements as CUDA C (`CudaEmitter`): a run is shared by a few neighbouring threads, its lanes.

Unit u of every vector belongs to lane u modulo the number of lanes. A lane with several units computes them
in rounds, each with variables of its own: everything a step works with is in registers. A whole vector is
gathered by shuffles, and a transposed product is summed over lanes by halving. A small network has one lane,
and no shuffles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from abacist.compiler.statements import Place, UnitLoop
from abacist.targets.emitter import Emitter

#: The functions of numbers: those of float32, by the hardware's exponentials and reciprocals; those of
#: float64; and those made of these. An exponential is at most 10¹⁸, so that a product of two is a number. NaN
#: stays NaN.
_FLOAT32 = """\
typedef float number;
__device__ __forceinline__ number power(number x) {
  number e;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(x * 1.4426950408889634f));
  asm("min.NaN.f32 %0, %0, %1;" : "+f"(e) : "f"(1e18f));
  return e;
}
__device__ __forceinline__ number quotient(number x, number y) {
  number inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(y));
  return x * inverse;
}
__device__ __forceinline__ number exact_quotient(number x, number y) {  // rounded about once
  number inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(y));
  const number q = x * inverse;
  return fma(inverse, fma(-y, q, x), q);
}
__device__ __forceinline__ number root(number x) {
  number y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
"""

_FLOAT64 = """\
typedef double number;
__device__ __forceinline__ number power(number x) {
  const number e = exp(x), most = 1e18;
  return e > most ? most : e;
}
__device__ __forceinline__ number quotient(number x, number y) { return x / y; }
__device__ __forceinline__ number exact_quotient(number x, number y) { return x / y; }
__device__ __forceinline__ number root(number x) { return sqrt(x); }
"""

_BOTH = """\
__device__ __forceinline__ number sigmoid(number x) { return quotient(1, 1 + power(-x)); }
__device__ __forceinline__ number tangent(number x) {
  const number e = power(-2 * x);
  return exact_quotient(1 - e, 1 + e);
}
__device__ __forceinline__ number sigmoid_times_tangent(number x, number y) {
  const number e = power(-2 * y);
  return exact_quotient(1 - e, (1 + power(-x)) * (1 + e));
}
__device__ __forceinline__ number relu(number x) { return x < 0 ? 0 : x; }
__device__ __forceinline__ number absolute(number x) { return x < 0 ? -x : x; }
__device__ __forceinline__ number smaller(number x, number y) { return x < y || x != x ? x : y; }
__device__ __forceinline__ number larger(number x, number y) { return x > y || x != x ? x : y; }
"""

#: Each operation as CUDA C. A further operation is a further line.
OPERATIONS: dict[str, str] = {
    "add": "({} + {})",
    "subtract": "({} - {})",
    "multiply": "({} * {})",
    "divide": "({} / {})",
    "sigmoid": "sigmoid({})",
    "tanh": "tangent({})",
    "sigmoid_times_tanh": "sigmoid_times_tangent({}, {})",
    "relu": "relu({})",
    "exp": "exp({})",
    "log": "log({})",
    "sqrt": "sqrt({})",
    "softplus": "(relu({0}) + log1p(exp(-absolute({0}))))",
    "minimum": "smaller({}, {})",
    "maximum": "larger({}, {})",
    "absolute": "absolute({})",
    "where_positive": "({} > 0 ? {} : number(0))",
}

#: The array of values that only the step itself needs.
_SCRATCH = "room"


def functions(precision: str) -> str:
    """The beginning of a program: what `number` is, and the functions of numbers."""
    return (_FLOAT32 if precision == "float32" else _FLOAT64) + _BOTH


def rounds(size: int, lanes: int) -> range:
    """The rounds of a lane for a vector of some size."""
    return range(-(-size // lanes))


class Text:
    """The lines of a program, indented."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def __call__(self, line: str) -> None:
        self.lines.append("  " * self._depth + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A head such as `for (;;) {`, what it holds, and the closing brace."""
        self(head)
        self._depth += 1
        yield
        self._depth -= 1
        self("}")

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


class CudaEmitter(Emitter[str]):
    """Writes statements into a text: a value is a text, `unit` the round."""

    operations = OPERATIONS

    def __init__(self, text: Text, lanes: int = 1) -> None:
        super().__init__()
        self.text, self.lanes = text, lanes
        self._declared: set[str] = set()
        self.vectors["x"] = None

    @property
    def round(self) -> int:
        return self.unit or 0

    @property
    def u(self) -> str:
        """The present unit."""
        return str(self.round) if self.lanes == 1 else f"(lane + {self.round * self.lanes})"

    def units(self, loop: UnitLoop) -> range:
        return rounds(loop.size, self.lanes)

    def within(self, size: int, line: str) -> None:
        """A line for the units of a vector: a lane without one skips it."""
        whole = (self.round + 1) * self.lanes <= size
        self.text(line if whole else f"if ({self.u} < {size}) {{ {line} }}")

    def variable(self, place: Place, number: int) -> str:
        """The variable of a lane's unit of a vector."""
        return f"{place.array}{place.offset}_{number}"

    def let(self, name: str, value: str) -> str:
        return self._constant(f"{name}r{self.round}", value)

    def _constant(self, name: str, value: str) -> str:
        self.text(f"const number {name} = {value};")
        return name

    def constant(self, number: float) -> str:
        return f"number({number!r})"

    def operation(self, name: str, arguments: Sequence[str]) -> str:
        return self.operations[name].format(*arguments)

    def multiply_add(self, a: str, b: str, c: str, negative: bool = False) -> str:
        return f"fma({'-' if negative else ''}{a}, {b}, {c})"

    def load(self, place: Place, column: int = 0) -> str:
        return self.variable(place, self.round)

    def store(self, place: Place, value: str, column: int = 0) -> None:
        variable = self.variable(place, self.round + column)
        declared = place.array != _SCRATCH or variable in self._declared
        self._declared.add(variable)
        self.text(f"{'' if declared else 'number '}{variable} = {value};")

    def gather(self, vector: str, place: Place, count: int) -> list[str]:
        owners = (divmod(k, self.lanes) for k in range(count))
        values = (self._from_lane(self.variable(place, number), lane) for number, lane in owners)
        return [self._constant(f"{vector}_{k}", value) for k, value in enumerate(values)]

    def _from_lane(self, variable: str, lane: int) -> str:
        return variable if self.lanes == 1 else f"__shfl_sync(mask, {variable}, {lane}, {self.lanes})"

    def dot(self, row: Place, vector: list[str] | None, start: str) -> str:
        """The input, which has no vector, is looked up."""
        return f"({start} + {self.lookup(row)})" if vector is None else super().dot(row, vector, start)

    def zeros(self, vector: str, count: int) -> list[str]:
        names = [f"{vector}_{k}" for k in range(count)]
        self.text(f"number {' = 0, '.join(names)} = 0;")
        return names

    def accumulate(self, sums: list[str], row: Place, factor: str) -> None:
        for column, total in enumerate(sums):
            self.text(f"{total} = {self.multiply_add(self.load(row, column), factor, total)};")

    def sums(self, vector: list[str]) -> list[str]:
        """For every round the total of a lane's unit over all lanes."""
        padded = [*vector, *["number(0)"] * (-len(vector) % self.lanes)]
        firsts = range(0, len(padded), self.lanes)
        return [self._over_lanes(padded[first : first + self.lanes]) for first in firsts]

    def _over_lanes(self, parts: list[str]) -> str:
        """Totals over all lanes, the n-th for lane n: half of them are sent away, then half of the rest."""
        while len(parts) > 1:
            half = len(parts) // 2
            name = f"half{len(self.text.lines)}"
            self.text(f"const bool {name} = lane & {half};")
            pairs = list(zip(parts[:half], parts[half:], strict=True))
            parts = []
            for k, (low, high) in enumerate(pairs):
                sent = f"__shfl_xor_sync(mask, {name} ? {low} : {high}, {half}, {self.lanes})"
                parts.append(self._constant(f"{name}_{k}", f"({name} ? {high} : {low}) + {sent}"))
        return parts[0]
