"""Our figure of memories: what is on the stack of a network that has one."""

from __future__ import annotations

from abacist.experiments import Results
from abacist.report.figures.memory_maps import memories_figure
from abacist.report.figures.paper_pictures import read_by
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import best, command, described, runs_of_task

#: A word with both kinds of brackets, and with one kind several times in a row, at every depth.
_WORD = "([[](()[])](([])[]))[([()])]"

#: The networks, what they are called here, and their memories.
_SHOWN = (
    ("stack_rnn_1", "Stack-RNN, rows of one number", "stack"),
    ("stack_rnn", "Stack-RNN, rows of five numbers", "stack"),
    ("baby_ntm", "Baby-NTM, rows of five numbers", "memory"),
)


def memories_picture(results: Results) -> Picture:
    """The rows of a memory beside the brackets that are open."""
    name = "dyck-2-memories"
    runs = {cell: runs_of_task(results, name, "memories", "dyck-2", cell) for cell, _, _ in _SHOWN}
    chosen = {cell: best(own) for cell, own in runs.items()}
    told = " ".join(f"{title}: {described(chosen[cell], runs[cell])}" for cell, title, _ in _SHOWN)
    return Picture(
        name,
        "What a network with a stack keeps on it, along a word of Dyck-2",
        "Above, the brackets that are open after each symbol, the last one opened first. Below, the rows of "
        "three networks' memories, the top row first, a band for each number of a row. See that the "
        "brackets' kinds can be read off the rows, and that a row is one bracket behind: a memory holds what "
        "is below the last open bracket, which the hidden state remembers by itself. An apostrophe would "
        f"mark a wrong step. {told}",
        command(results, name),
        lambda: memories_figure(
            [(title, read_by(chosen[cell], _WORD), memory) for cell, title, memory in _SHOWN], "Dyck-2"
        ),
    )
