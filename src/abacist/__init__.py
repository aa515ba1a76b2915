"""Abacist: a laboratory for small recurrent networks that count.

`import abacist as ab` has the names that a first script needs: `ab.train`, `ab.compare` and the others of
`laboratory.py`. They are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from abacist.laboratory import Spec as Spec
    from abacist.laboratory import cell as cell
    from abacist.laboratory import certify as certify
    from abacist.laboratory import compare as compare
    from abacist.laboratory import failing_words as failing_words
    from abacist.laboratory import figure as figure
    from abacist.laboratory import horizon as horizon
    from abacist.laboratory import judge as judge
    from abacist.laboratory import language as language
    from abacist.laboratory import open as open
    from abacist.laboratory import score as score
    from abacist.laboratory import trace as trace
    from abacist.laboratory import train as train

__version__ = "0.1.0"

#: The names of the laboratory.
_NAMES = (
    "Spec", "cell", "certify", "compare", "failing_words", "figure", "horizon", "judge", "language", "open",
    "score", "trace", "train",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(import_module("abacist.laboratory"), name)
    meant = import_module("abacist.wording").did_you_mean(name, _NAMES) if name[0] != "_" else ""
    raise AttributeError(f"module 'abacist' has no attribute {name!r}{meant}")


def __dir__() -> list[str]:
    return [*globals(), *_NAMES]
