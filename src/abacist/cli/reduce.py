"""`abacist reduce`: Dyck-n to Dyck-2 and back."""

from __future__ import annotations

from typing import Annotated

import typer

from abacist.cli.screen import show_json
from abacist.errors import BadInput
from abacist.languages import Dyck, bits_per_bracket, decode, encode


def reduce(
    pairs: Annotated[int, typer.Argument(help="The n of Dyck-n.")],
    word: Annotated[str, typer.Argument(help="Brackets of Dyck-n, or of Dyck-2 with --back.")],
    back: Annotated[bool, typer.Option("--back", help="From Dyck-2 back to Dyck-n.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with lengths and membership.")] = False,
) -> None:
    """Write brackets of Dyck-n as brackets of Dyck-2: one is balanced exactly when the other is.

    Example: abacist reduce 5 "{⟨⟩}"   and back: abacist reduce 5 "([(([[]]))])" --back
    """
    if pairs > 100_000:
        raise BadInput(f"pairs must be at most 100,000, got {pairs:,}")
    large, small = Dyck(pairs), Dyck(2)
    bits = bits_per_bracket(pairs)
    if back:
        image = small.alphabet.parse(word)
        original = decode(pairs, image)
    else:
        original = large.alphabet.parse(word)
        image = encode(pairs, original)
    if not json:
        print(large.alphabet.render(original) if back else small.alphabet.render(image))
        return
    show_json(
        {
            "pairs": pairs,
            "bits_per_bracket": bits,
            f"dyck-{pairs}": {
                "word": large.alphabet.render(original),
                "length": len(original),
                "member": original in large,
            },
            "image": {"word": small.alphabet.render(image), "length": len(image), "member": image in small},
        }
    )
