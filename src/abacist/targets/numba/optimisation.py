"""How LLVM optimises a program: once, and without a search for vectors, which are there already."""

from __future__ import annotations

from typing import Any


def optimise_once(library: Any) -> None:
    """Let the code that is being made for a library of Numba's be optimised as a whole, and that once.

    Numba would optimise every function by itself, then all of them, in two rounds, to get rid of counts of
    references. A program is one function, and counts nothing.
    """

    def lay_out(module: Any) -> None:
        module.data_layout = library.codegen._data_layout

    def optimise() -> None:
        found = library.codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False)
        passes, *builder = found if isinstance(found, tuple) else (found,)  # older ones come alone
        passes.run(library._final_module, *builder)

    library._optimize_functions, library._optimize_final_module = lay_out, optimise
