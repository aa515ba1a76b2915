"""The paper's figures as we have them are those of its own table."""

from __future__ import annotations

import re

from abacist.experiments import TABLE_3

#: The rows of table 3 in the paper's source.
PRINTED = r"""
Dyck-$1$ & RNN & 0.45 & 76.17 & 46.96 & 0.28 & 73.62 & 41.89 & 0.06 & 24.44 & 7.19 \\
Dyck-$1$ & GRU & 99.37 & 100 & 100 & 99.34 & 100 & 100 & 67.68 & 95.58 & 84.38 \\
\bf{Dyck-1} & \bf{LSTM} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{99.98} & \bf{100} & \bf{100} \\
Shuffle-$2$ & RNN & 33.68 & 87.77 & 58.16 & 29.42 & 86.48 & 55.37 & 0.54 & 25.58 & 2.75 \\
Shuffle-$2$ & GRU & 99.73 & 100 & 99.97 & 99.62 & 99.98 & 99.93 & 83.70 & 95.18 & 93.12 \\
\bf{Shuffle-2} & \bf{LSTM} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{100} & \bf{96.84} & \bf{99.98} & \bf{99.35} \\
Shuffle-$6$ & RNN & 0.26 & 57.39 & 44.54 & 0.16 & 54.80 & 41.38 & 0 & 0.64 & 0.15 \\
Shuffle-$6$ & GRU & 96.32 & 99.98 & 99.78 & 96.08 & 99.98 & 99.81 & 51.96 & 97.30 & 85.14 \\
\bf{Shuffle-6} & \bf{LSTM} & \bf{99.68} & \bf{100} & \bf{100} & \bf{99.74} & \bf{100} & \bf{100} & \bf{82.92} & \bf{99.72} & \bf{98.14} \\
Dyck-$2$ & RNN & 4.37 & 31.67 & 14.74 & 2.96 & 27.46 & 12.21 & 0 & 0.46 & 0.01 \\
Dyck-$2$ & GRU & 7.78 & 53.34 & 28.71 & 5.38 & 49.06 & 25.08 & 0 & 1.56 & 0.05 \\
\bf{Dyck-2} & \bf{LSTM} & \bf{19.76} & \bf{52.13} & \bf{35.82} & \bf{16.58} & \bf{48.24} & \bf{31.29} & \bf{0} & \bf{1.46} & \bf{0.20} \\
"""  # noqa: E501


def test_table_3_is_the_papers() -> None:
    rows = {}
    for line in PRINTED.strip().splitlines():
        language, cell, *numbers = re.sub(r"\\bf\{(.*?)\}|[$\\]", r"\1", line).lower().split("&")
        rows[language.strip(), cell.strip()] = [float(number) for number in numbers]
    figures = {
        key: [row[name].of(s) for name in ("training", "short", "long") for s in ("min", "max", "median")]
        for key, row in TABLE_3.items()
    }
    assert figures == rows
    assert list(figures) == list(rows)
