// What a worker does, so that the page stays responsive: train a network, or look for a word that breaks one.
// Its text is appended to that of the engine, whose programs it uses.
import { Language } from "../../../targets/javascript/runtime/languages.js";
import { accepted, initialWeights, Trainer } from "../../../targets/javascript/runtime/networks.js";
import { drawWords } from "../../../targets/javascript/runtime/words.js";
import { failingWords } from "./search.js";

/** @import { LanguageTables } from "../../../targets/javascript/runtime/languages.js" */
/** @import { DrawingTables } from "../../../targets/javascript/runtime/words.js" */
/** @import { Program } from "../../../targets/javascript/runtime/networks.js" */
/**
 * @typedef {{kind: "train", program: string, language: LanguageTables, words: DrawingTables, seed: number,
 *   epochs: number, slow: boolean}} TrainOrder
 * @typedef {{kind: "search", program: string, language: LanguageTables, weights: Float64Array, longest: number,
 *   seconds: number}} SearchOrder
 * @typedef {{kind: "learning", epochs: number, loss: number, symbols: number, seconds: number, weights: Float64Array,
 *   short: number | null, long: number | null, done: boolean}} Learning shares in percent, at the end of an epoch
 * @typedef {{kind: "searching", length: number, word: number[] | null, done: boolean}} Searching
 */

/** Milliseconds of work between two messages, and of training before the first ones: they change the most. */
const PIECE = 40;

/** Words trained on between two messages in slow motion. */
const SLOW = 25;

/** Lets messages come in, such as the wish to stop. */
const pause = (milliseconds = 0) => new Promise((go) => setTimeout(go, milliseconds));

/** @param {TrainOrder} order @param {Record<string, Program>} programs */
async function train({ program: name, language: tables, words, seed, epochs, slow }, programs) {
  const program = programs[name], language = new Language(tables), drawn = drawWords(words, seed);
  const [training, short, long] = words.splits.map((split) => language.label(drawn[split.name]));
  const weights = initialWeights(program, seed), trainer = new Trainer(program, weights, training, { seed });
  const count = training.offsets.length - 1;
  const share = (/** @type {typeof short} */ set) => (100 * accepted(program, weights, set)) / (set.offsets.length - 1);
  let symbols = 0, seconds = 0;
  while (trainer.epochs < epochs) {
    const begun = performance.now(), left = count - (trainer.updates % count);
    let done = 0, loss = 0;
    // Never across the end of an epoch, where the network is judged.
    do {
      const piece = Math.min(slow ? SLOW : 50, left - done);
      const made = trainer.advance(piece);
      done += piece;
      loss += made.loss;
      symbols += made.symbols;
    } while (!slow && done < left && performance.now() - begun < PIECE);
    seconds += (performance.now() - begun) / 1000;
    const whole = trainer.updates % count === 0, epoch = trainer.updates / count;
    postMessage({
      kind: "learning", epochs: epoch, loss: loss / done, symbols, seconds, weights: weights.slice(),
      short: whole ? share(short) : null, long: whole ? share(long) : null, done: epoch >= epochs,
    });
    await pause(slow ? PIECE : 0);
  }
}

/** @param {SearchOrder} order @param {Record<string, Program>} programs */
async function search({ program, language, weights, longest, seconds }, programs) {
  const begun = performance.now();
  let told = begun, known = { length: 0, word: /** @type {number[] | null} */ (null) };
  for (known of failingWords(programs[program], weights, new Language(language), longest)) {
    const now = performance.now();
    if (now - begun > 1000 * seconds) break;
    if (now - told < PIECE) continue;
    told = now;
    postMessage({ kind: "searching", ...known, done: false });
    await pause();
  }
  postMessage({ kind: "searching", ...known, done: true });
}

/** Take orders. @param {Record<string, Program>} programs */
export function takeOrders(programs) {
  addEventListener("message", (/** @type {MessageEvent<TrainOrder | SearchOrder>} */ { data }) => {
    if (data.kind === "train") void train(data, programs);
    else void search(data, programs);
  });
}
