"""`abacist import`, `export`, `construct` and `sharpen`: networks from elsewhere, made, and written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.analysis import constructed, sharpened
from abacist.bridge.folding import Convention
from abacist.bridge.pytorch_promise import FOLDED, folded_parts
from abacist.bridge.state_dicts import load_network, load_state_dict
from abacist.cells import cell_named
from abacist.cells.sharpening import check_gates
from abacist.cli.networks import (
    NetworksOfAName,
    NewFolderOption,
    OneNetwork,
    OptionalNetworkArgument,
    RunOption,
    joined,
    keep_networks,
)
from abacist.cli.options import CELL_NAMES, StoreOption, open_results
from abacist.cli.screen import say
from abacist.errors import BadInput
from abacist.fields import Field, Range
from abacist.files import write_whole
from abacist.languages import language_asked_for, language_from_text, language_text
from abacist.report import comma_separated, runs_table
from abacist.specs.files import NetworkFile, metadata_of, save_network
from abacist.wording import escape_controls, plural


def import_(
    file: Annotated[Path, typer.Argument(help="A .pt or .safetensors file of a module's state_dict.")],
    convention: Convention,
    cell: Annotated[str | None, f"Its cell: {CELL_NAMES}.", "what the file says"] = None,
    language: Annotated[
        str | None, "What it was trained on.", "what the file says, or dyck-1 if it has 2 inputs"
    ] = None,
    out: Annotated[Path | None, "The folder to create.", "the file's name"] = None,
) -> None:
    """Import a network trained in PyTorch: recurrent layers and one linear layer, under any names.

    Its inputs are one-hot symbols in the order of `abacist languages`, or of --symbols. An embedding is
    folded into the first layer, a start symbol into the states before a word. No code in the file is run.

    Example: abacist import model.pt --language dyck-2 --symbols "_([)]" --out model
    """
    chosen_cell = None if cell is None else cell_named(cell)
    asked_for = None if language is None else language_asked_for(language)
    convention.require(asked_for)
    about = metadata_of(file) if file.suffix == ".safetensors" else {}
    if "cell" in about and convention == Convention():
        networks = NetworkFile.load(file, chosen_cell).networks
    else:
        networks = load_network(file, chosen_cell, asked_for, convention)
    layout = networks.layout
    usual = "dyck-1" if layout.inputs == layout.outputs == 2 else None
    text = about.get("language", usual)
    chosen = language_asked_for(language) if language else text and language_from_text(text)
    if chosen:
        networks.check_language(chosen)
    written = language_text(chosen) if chosen else None
    folded = folded_parts(load_state_dict(file), convention, networks)
    target = out or file.with_suffix("")
    keep_networks(networks, {"language": written, "from": escape_controls(file.name), FOLDED: folded}, target)
    say(
        f"{layout.cell.name} with {plural(layout.hidden, 'hidden unit')}, {plural(layout.inputs, 'input')} "
        f"and {plural(layout.outputs, 'output')}, {networks.parameters.dtype}, kept in {target}"
    )


def export(
    network: OptionalNetworkArgument = None,
    out: Annotated[Path | None, "The .safetensors file to write."] = None,
    run: RunOption = None,
    results: StoreOption = Path("results"),
    csv: Annotated[Path | None, "Write all runs of a store as CSV; - is standard output."] = None,
) -> None:
    """Write one network for PyTorch, named as in a module with the parts `rnn` and `output`.

    With --csv instead, write all runs of a store as a table that any program can open.

    Example: abacist export dyck-1-lstm --run 0 --out network.safetensors   or   abacist export --csv runs.csv
    """
    if (csv is None) == (out is None):
        raise BadInput("say what to write: --out for one network, or --csv for all runs of a store")
    if csv is not None:
        if network is not None and not Path(network).is_dir():
            raise BadInput(f"--csv writes all runs of a store, so name a folder with one, got {network!r}")
        store = open_results(results if network is None else Path(network))
        text = comma_separated(runs_table(store.runs))
        if str(csv) == "-":
            print(text, end="")
        else:
            write_whole(csv, text.encode())
            say(f"all runs written to {csv}")
        return
    assert out is not None
    if network is None:
        raise BadInput("name a network: a run key prefix, or a folder")
    if out.suffix != ".safetensors":
        raise BadInput(f"{out}: a network is written as .safetensors")
    chosen = OneNetwork(network, run, results=results).networks()[0]
    save_network(chosen.networks, 0, out, about=chosen.about())
    say(f"{chosen.title}, written to {out}")


def construct(
    language: Annotated[str, typer.Argument(help="dyck-1, shuffle-N, or a shuffle of these.")],
    out: NewFolderOption,
    precision: Annotated[str, "float32 or float64."] = "float32",
) -> None:
    """Make an LSTM with hand-set weights that counts, for Dyck-1 and shuffles of it.

    It has a unit for every pair of brackets, whose cell state is the pair's depth, exactly: a control
    for networks that were trained.

    Example: abacist construct shuffle-2 --out counter
    """
    chosen = language_asked_for(language)
    networks = constructed(chosen, precision)
    keep_networks(networks, {"language": language_text(chosen), "from": "constructed"}, out)
    units = plural(networks.layout.hidden, "hidden unit")
    say(f"lstm with {units} that counts {chosen.name}, {precision}, kept in {out}")


def sharpen(
    *,
    choice: NetworksOfAName,
    factor: Annotated[
        float, Field("What the inputs of all gates are multiplied by.", Range(above=0), formerly="by")
    ],
    out: NewFolderOption,
) -> None:
    """Make networks with sharper gates: the inputs of all gates multiplied by a number.

    Weights and biases of the gates are multiplied; the output layer stays as it is.

    Example: abacist sharpen dyck-1-lstm --run 0 --factor 4 --out sharper
    """
    networks = choice.networks()
    first = networks[0]
    check_gates(first.networks.layout.cell)
    origin = first.title if len(networks) == 1 else first.place
    language = first.language if choice.language is None else first.language_or(choice.language)
    about = {
        "language": None if language is None else language_text(language),
        "steps": first.about().get("steps"),
        "from": f"{origin}, sharpened by {factor:g}",
    }
    keep_networks(sharpened(joined(networks), factor), about, out)
    gates = "the gates they had" if factor == 1 else f"gates {factor:g} times as sharp"
    say(f"{plural(len(networks), 'network')} with {gates}, kept in {out}")
