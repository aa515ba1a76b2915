"""The program that lays words out on a device: from end to end, as they come, to side by side."""

from __future__ import annotations

#: Threads of a block.
LAYING_BLOCK = 128

#: What the program is called with, by type and name.
_ARGUMENTS = (
    "const unsigned *__restrict__ codes", "const long long *__restrict__ begins",
    "const int *__restrict__ lengths", "const int *__restrict__ starts", "unsigned *__restrict__ rows",
    "int slots", "int columns", "int first", "int part",
)  # fmt: skip

#: A thread copies a word, and neighbouring threads write neighbouring columns. Codes (symbol,) are those of
#: a part of the columns; begins (slot, column of the part); lengths (slot, column); starts (slot,), where a
#: slot begins in rows (step, column).
LAYING_PROGRAM = f"""\
extern "C" __global__ void lay({", ".join(_ARGUMENTS)}) {{
  const long long word = (long long)(blockIdx.x) * {LAYING_BLOCK} + threadIdx.x;
  const int slot = word / part, column = first + word % part;
  if (slot >= slots) return;
  const unsigned *from = codes + begins[word];
  unsigned *to = rows + (long long)(starts[slot]) * columns + column;
  const int length = lengths[(long long)(slot) * columns + column];
  for (int step = 0; step < length; step++) to[(long long)(step) * columns] = from[step];
}}
"""
