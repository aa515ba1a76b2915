"""Which networks of a store a page shows: some of every kind, as many as it has room for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import chain

from abacist.cells import CELLS, Cell
from abacist.errors import BadInput
from abacist.experiments import Results, Run, catalogue, experiment_named
from abacist.fields import checked
from abacist.languages import language_named
from abacist.report.page.content import PageNetwork, group_title, network_built, network_of_run
from abacist.report.page.writing import fits
from abacist.specs import Spec
from abacist.wording import plural

#: Runs of one kind: as many as the paper has, fewer where there are too many kinds for that.
_RUNS = (10, 5, 3, 1)

#: Kinds that a visitor may be asked to choose among.
_KINDS = 100

#: The experiment whose networks stand first.
_FIRST = "counting"

#: Networks built by hand, as controls.
_BUILT = ("dyck-1", "shuffle-2")

#: Some networks of several kinds.
_Kinds = list[list[PageNetwork]]


@checked
def networks_for_page(
    results: Results | None,
    *,
    beside: Sequence[PageNetwork] = (),
    cells: Sequence[Cell] = tuple(CELLS.values()),
) -> tuple[list[PageNetwork], list[str]]:
    """Networks of a store, kind by kind, then those built by hand; and sentences on what is left out.

    There is room for them `beside` some networks and with `cells` to train.
    """
    built = [network_built(language_named(name)) for name in _BUILT]
    if results is None or not results.runs:
        return built, []
    keys = {network.key for network in beside}
    chosen: list[PageNetwork] = []
    refused: dict[Spec, str] = {}
    kinds = 0
    for runs_of in _in_order(results):
        refused |= {runs[0].spec: reason for runs in runs_of if (reason := _refusal(runs[0]))}
        able = [runs for runs in runs_of if runs[0].spec not in refused]
        some = [able[n] for n in _spread(len(able), _KINDS - kinds)]
        listed = [[_with_key(run, keys) for run in runs[: _RUNS[0]]] for runs in some]
        shown = _fitting(listed, lambda more: fits([*beside, *chosen, *more, *built], cells))  # noqa: B023
        kinds += len(shown)
        chosen += chain(*shown)
    sentences = []
    if len(chosen) < len(results.runs):
        sentences.append(
            f"{len(chosen):,} of {plural(len(results.runs), 'run')} in {results.folder} are on the page, "
            f"{kinds:,} of {plural(len(results.by_spec), 'kind')}; --network adds others"
        )
    if refused:
        spec, reason = next(iter(refused.items()))
        count = plural(len(refused), "kind")
        such = ", such as" if len(refused) > 1 else ":"
        sentences.append(f"the page cannot show {count}{such} {group_title(spec)}, because {reason}")
    return [*chosen, *built], sentences


def _in_order(results: Results) -> list[list[Sequence[Run]]]:
    """The runs of a store by spec: those that were measured first, then what is nobody's but the user's.

    Runs of other experiments in the catalogue appear only where there is nothing else.
    """
    specs = {name: [task.spec for task in experiment_named(name).tasks] for name in catalogue()}
    measured = dict.fromkeys(spec for spec in specs[_FIRST] if spec in results.by_spec)
    others = set(chain(*specs.values()))
    users = [spec for spec in results.by_spec if spec not in others]
    rest = list(results.by_spec) if not measured and not users else []
    return [[results.by_spec[spec] for spec in some] for some in (measured, users, rest) if some]


def _refusal(run: Run) -> str:
    """Why a page cannot show networks like that of a run; nothing if it can."""
    try:
        network_of_run(run, "")
    except BadInput as error:
        return str(error)
    return ""


def _with_key(run: Run, taken: set[str]) -> PageNetwork:
    """A run's network under the beginning of its key, or all of it where that is another's."""
    key = run.key[:8] if run.key[:8] not in taken else run.key
    taken.add(key)
    return network_of_run(run, key)


def _fitting(kinds: _Kinds, fit: Callable[[list[PageNetwork]], bool]) -> _Kinds:
    """As many networks of every kind as fit; else one of as many kinds as fit, from all over the list."""
    choices = [[kind[:most] for kind in kinds] for most in _RUNS]
    choices += [[kinds[n][:1] for n in _spread(len(kinds), some)] for some in range(len(kinds) - 1, 0, -1)]
    fitting = bisect_left(choices, True, key=lambda choice: fit([*chain(*choice)]))
    return choices[fitting] if fitting < len(choices) else []


def _spread(count: int, most: int) -> list[int]:
    """At most so many places of a list, evenly spread.

    >>> _spread(10, 4), _spread(3, 4)
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return [n * count // most for n in range(most)] if count > most else list(range(count))
