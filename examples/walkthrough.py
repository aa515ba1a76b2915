"""A walk through the paper, section by section, as a plain script with cells.

Open it in an editor that knows `# %%`, or run it: `python examples/walkthrough.py`. It takes a minute;
with `--quick` it takes a few seconds: fewer runs, words and epochs, and a higher learning rate. The
picture is the same in rough, RNN below GRU below LSTM, but the numbers are not the paper's.
"""

# %% How much of it
import sys
import tempfile
from pathlib import Path

import numpy as np

QUICK = "--quick" in sys.argv
RUNS, EPOCHS, TRAINING, TEST, RATE = (4, 10, 2_000, 200, 0.005) if QUICK else (10, 20, 10_000, 5_000, 0.001)
SIZES = {"epochs": EPOCHS, "training": TRAINING, "test": TEST, "rate": RATE}

# %% Section 2: automata. A counter for Dyck-1, k counters for Shuffle-k, a stack for Dyck-2.
from abacist.languages import Dyck, language_named, shuffle_words

dyck_1, dyck_2, shuffle_2 = (language_named(name) for name in ("dyck-1", "dyck-2", "shuffle-2"))
word = dyck_1.alphabet.parse("(())()()")
print(f"{dyck_1.alphabet.render(word)} makes {dyck_1.automaton().turns(word)[0]} turns of its counter")
an_bn = language_named("anbn")
print(f"aabb makes {an_bn.automaton().turns(an_bn.alphabet.parse('aabb'))[0]}: dynamic counting is more")

# %% Section 5: the task. What may come next after every symbol, as the paper codes it (tables 1 and 2).
for language in (dyck_2, shuffle_2):
    reading = language.read(language.alphabet.parse("([])"))
    print(f"([]) in {language.name}: {' '.join(str(step.code) for step in reading.steps)}")

# %% Section 6.2: shuffling.
print("ab || cd =", sorted("".join("abcd"[s] for s in w) for w in shuffle_words((0, 1), (2, 3))))
assert shuffle_2.alphabet.parse("([)]") in shuffle_2
assert dyck_2.alphabet.parse("([)]") not in dyck_2

# %% Section 6.3: Dyck-n is reducible to Dyck-2.
from abacist.languages import encode

large = Dyck(5)
nested = large.alphabet.parse("{⟨⟩}")
print("{⟨⟩} becomes", dyck_2.alphabet.render(encode(5, nested)))

# %% The corpora: the paper's grammar, drawn exactly; no brackets cross in them.
from abacist.corpora import draw, paper_recipe, summarise

for part in draw(paper_recipe(shuffle_2, seed=0, training=TRAINING, test=TEST)):
    summary = summarise(part)
    print(f"{summary.name}: {summary.words} words, mean length {summary.lengths.mean:.1f}, "
          f"deepest {summary.depths.values[-1]}, {100 * (summary.crossing or 0):.0f} % cross")  # fmt: skip

# %% Section 6.1, table 3: three cells on Dyck-1, three units.
from abacist.cells import cell_named
from abacist.specs import Spec
from abacist.engine import judge, train

for name in ("rnn", "gru", "lstm"):
    spec = Spec(dyck_1, cell_named(name), hidden=3, **SIZES)
    trained = train(spec, range(RUNS))
    accuracies = judge(spec, range(RUNS), trained.networks)
    medians = {s: float(np.median(100 * accuracies.of(s))) for s in accuracies.splits}
    print(name, ", ".join(f"{s} {median:.2f} %" for s, median in medians.items()))

# %% Section 7.2: one unit is enough for Dyck-1: its cell state goes up at ( and down at ).
from abacist.analysis import follow

spec = Spec(dyck_1, cell_named("lstm"), hidden=1, **SIZES)
one_unit = train(spec, range(RUNS))
best = int(np.argmin(one_unit.losses[:, -1]))
reading = follow(one_unit.networks, best, dyck_1, word)
print("symbol  depth  cell state")
for symbol, (depth,), (state,) in zip(reading.glyphs, reading.depths, reading.values("c"), strict=True):
    print(f"{symbol:>6}  {depth:>5}  {state:+10.2f}  {'#' * round(8 * abs(state))}")

# %% Section 7.3: only the last bracket of Dyck-2 words.
spec = Spec(dyck_2, cell_named("lstm"), hidden=4, steps="last", **SIZES)
last = train(spec, range(RUNS))
print("the last bracket, best run:", 100 * judge(spec, range(RUNS), last.networks).of("short").max(), "%")

# %% What the paper did not try: words of Shuffle-2 proper, where brackets cross.
from abacist.experiments import Store, Task, run
from abacist.report import markdown, table_of
from abacist.experiments import Experiment

spec = Spec(shuffle_2, cell_named("lstm"), hidden=4, **SIZES)
task = Task("crossing", spec, tuple(range(RUNS)), ("short", "long", "crossing short", "crossing long"))
with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
    results = run([task], store)
    print(markdown(table_of(Experiment("crossing", "Crossing brackets", (task,)), results)))
