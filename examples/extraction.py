"""An automaton out of a network: what does an LSTM trained on Dyck-1 do, as far as short strings tell?

Trains one network in seconds, then learns a deterministic automaton by asking it, with AALpy:
pip install '.[aalpy]'
"""

from __future__ import annotations

from abacist.bridge import extracted
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.engine import train
from abacist.languages import language_named
from abacist.specs import Spec

language = language_named("dyck-1")
spec = Spec(language, cell_named("lstm"), hidden=1, epochs=20, training=2_000, short=Window(2, 50))
networks = train(spec, seeds=[0]).networks

# A network that counts has no finite automaton: the longer the strings, the more depths it must tell apart.
for longest in (4, 8, 12):
    machine = extracted(networks, language, longest=longest)
    print(f"right on all strings of up to {longest} symbols: {len(machine.states)} states")

for state in machine.states:
    moves = ", ".join(
        f"{symbol} to {state.transitions[symbol].state_id}" for symbol in language.alphabet.glyphs
    )
    expects = "dead" if state.output is None else f"expects {state.output}"
    print(f"{state.state_id}: {expects}; {moves}")
