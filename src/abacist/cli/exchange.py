"""`abacist import` and `abacist export`: networks from PyTorch and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.found import RunOption, find
from abacist.wording import several


def import_(
    file: Annotated[Path, typer.Argument(help="A .safetensors file of a module's state_dict.")],
    cell: Annotated[str, typer.Option(help="rnn, gru, lstm or rnn_relu.")],
    language: Annotated[
        str | None, typer.Option(help="What it was trained on.", show_default="dyck-1 if it has 2 inputs")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to make.", show_default="the file's name")
    ] = None,
) -> None:
    """Take a network trained in PyTorch: one recurrent layer and one linear layer, under any names.

    Its inputs must be one-hot symbols in the order of `abacist languages`.

    Example: abacist import model.safetensors --cell lstm --language dyck-1 --out model
    """
    from abacist.cells import cell_named
    from abacist.errors import BadFile, BadInput
    from abacist.languages import language_named
    from abacist.specs.files import Folder, load_network

    networks = load_network(file, cell_named(cell))
    layout = networks.layout
    name = language or ("dyck-1" if layout.inputs == layout.outputs == 2 else None)
    if name is not None:
        chosen = language_named(name)
        if (len(chosen.alphabet), chosen.outputs) != (layout.inputs, layout.outputs):
            raise BadInput(
                f"{name}: has {len(chosen.alphabet)} symbols and {chosen.outputs} outputs, "
                f"the network {layout.inputs} and {layout.outputs}"
            )
    target = out or file.with_suffix("")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadFile(f"{target}: is there already and not empty; name another folder with --out")
    Folder(networks, {"language": name, "from": file.name}).save(target)
    print(target)
    typer.echo(
        f"{layout.cell.name} with {several(layout.hidden, 'hidden unit')}, {several(layout.inputs, 'input')} "
        f"and {several(layout.outputs, 'output')}, {networks.parameters.dtype}, kept in {target}",
        err=True,
    )


def export(
    network: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN",
            help="The beginning of a run's key, or a folder of networks; of results, with --csv.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The .safetensors file to write.")] = None,
    run: RunOption = None,
    results: Annotated[Path, typer.Option("--results", help="The folder with the store.")] = Path("results"),
    csv: Annotated[Path | None, typer.Option("--csv", help="Write all runs of a store as CSV.")] = None,
) -> None:
    """Give one network to PyTorch, as safetensors with the names of a module with `rnn` and `output`.

    With --csv instead: all runs of a store as a table that every program opens.

    Example: abacist export dyck-1-lstm --run 0 --out network.safetensors   or   abacist export --csv runs.csv
    """
    from abacist.cli.table import chosen_runs
    from abacist.errors import BadInput
    from abacist.files import write_whole
    from abacist.report import comma_separated
    from abacist.specs.files import save_network

    if (csv is None) == (out is None):
        raise BadInput("say what to write: --out for one network, or --csv for all runs of a store")
    if csv is not None:
        folder = results if network is None else Path(network)
        write_whole(csv, comma_separated(chosen_runs(folder, [], None)).encode())
        typer.echo(f"all runs written to {csv}", err=True)
        return
    assert out is not None
    if network is None:
        raise BadInput("say which network: the beginning of a run's key, or a folder of networks")
    found = find(network, results)
    number = found.number(run)
    if out.suffix != ".safetensors":
        raise BadInput(f"{out}: a network is written as .safetensors")
    save_network(found.networks, number, out)
    typer.echo(f"{found.title(number)}, written to {out}", err=True)
