"""Results of models from outside in a store, beside the networks that were trained here."""

from __future__ import annotations

from pathlib import Path

from abacist.bridge.model_judging import Judgement
from abacist.errors import BadInput
from abacist.experiments import Run, Store
from abacist.experiments.joining import differences, joined
from abacist.fields import checked


@checked
def keep(judgement: Judgement, store: Store | Path | str, *, replace: bool = False) -> Run:
    """Write a judgement into a store as a run of its model; what the store knows of it is joined with it.

    A run is known by the model's name and settings, the sets and the seed. One that came out differently is
    of another model, and is refused; with `replace` it takes the place of the one that is there.
    """
    if not isinstance(store, Store):
        with Store(store) as opened:
            return keep(judgement, opened, replace=replace)
    run = judgement.run()
    known = None if replace else store.get(run.key)
    if known is not None:
        if differences(known, run):
            raise BadInput(
                f"{store.path}: has another run of {judgement.name} with seed {run.seed} and other "
                "accuracies; give the model another name or settings, or replace it"
            )
        run = joined(known, run)
    store.put([run])
    return run
