// What a worker does, so that the page stays responsive: train a network, or look for a word that breaks one.
// Its text is appended to that of the engine, whose programs it uses.
import { Language } from "../../../targets/webassembly/runtime/languages.js";
import { accepted } from "../../../targets/webassembly/runtime/networks.js";
import { drawWords } from "../../../targets/webassembly/runtime/words.js";
import { initialWeights, Trainer } from "../../../targets/webassembly/runtime/training.js";
import { failingWords } from "./search.js";

/** @import { LanguageTables } from "../../../targets/webassembly/runtime/languages.js" */
/** @import { DrawingTables } from "../../../targets/webassembly/runtime/words.js" */
/** @import { Program, Words } from "../../../targets/webassembly/runtime/networks.js" */
/**
 * Several networks are trained at once, one for every seed.
 * @typedef {{kind: "train", program: string, language: LanguageTables, words: DrawingTables, seeds: number[],
 *   epochs: number, slow: boolean}} TrainOrder
 * @typedef {{kind: "search", program: string, language: LanguageTables, words: LanguageTables, weights: Float32Array,
 *   longest: number, seconds: number}} SearchOrder `words` is the language whose words are searched
 * @typedef {{kind: "drawing", drawn: number}} Drawing
 * @typedef {{weights: Float32Array, loss: number, short: number | null, long: number | null}} Learnt shares in percent,
 *   at the end of an epoch
 * @typedef {{kind: "learning", epochs: number, symbols: number, seconds: number, runs: Learnt[], done: boolean}} Learning
 * @typedef {{kind: "searching", length: number, word: number[] | null, done: boolean}} Searching
 */

/** Milliseconds of work between two messages, and of training before the first ones: they change the most. */
const PIECE = 40;

/** Words trained on between two messages in slow motion. */
const SLOW = 25;

/** Words of a set that networks are judged on while they learn; in the end they are judged on all. */
const SAMPLE = 500;

/** Lets messages come in, such as the wish to stop. */
const pause = (milliseconds = 0) => new Promise((go) => setTimeout(go, milliseconds));

/** @param {TrainOrder} order @param {Record<string, Program>} programs @param {Record<string, string>} codes */
async function train({ program: name, language: tables, words, seeds, epochs, slow }, programs, codes) {
  const program = programs[name], language = new Language(tables);
  /** @type {Words[][]} training, short and long words of every run */
  const sets = [];
  for (const seed of seeds) {
    const drawn = drawWords(words, seed);
    sets.push(words.splits.map((split) => language.label(drawn[split.name])));
    postMessage({ kind: "drawing", drawn: sets.length });
  }
  const weights = seeds.map((seed) => initialWeights(program, seed));
  const trainer = new Trainer(program, codes[name], weights, sets.map(([training]) => training));
  const count = sets[0][0].offsets.length - 1;
  let symbols = 0, seconds = 0;
  while (trainer.epochs < epochs) {
    const begun = performance.now(), left = count - (trainer.updates % count), losses = seeds.map(() => 0);
    let done = 0;
    // Never across the end of an epoch, where networks are judged.
    do {
      const piece = Math.min(slow ? SLOW : 50, left - done), made = trainer.advance(piece);
      done += piece;
      made.losses.forEach((loss, run) => (losses[run] += loss));
      symbols += made.symbols;
    } while (!slow && done < left && performance.now() - begun < PIECE);
    seconds += (performance.now() - begun) / 1000;
    const epoch = trainer.updates / count, whole = done === left, most = epoch >= epochs ? Infinity : SAMPLE;
    const runs = seeds.map((_, run) => {
      const weights = trainer.weights(run), [, short, long] = sets[run];
      const share = (/** @type {Words} */ set) => (whole ? judged(program, weights, set, most) : null);
      return { weights, loss: losses[run] / done, short: share(short), long: share(long) };
    });
    postMessage({ kind: "learning", epochs: epoch, symbols, seconds, runs, done: epoch >= epochs });
    await pause(slow ? PIECE : 0);
  }
}

/** The share of words that a network gets right, in percent. @param {Program} program @param {Float32Array} weights @param {Words} words @param {number} most */
function judged(program, weights, words, most) {
  const offsets = words.offsets.subarray(0, Math.min(most, words.offsets.length - 1) + 1);
  return (100 * accepted(program, weights, { ...words, offsets })) / (offsets.length - 1);
}

/** @param {SearchOrder} order @param {Record<string, Program>} programs */
async function search({ program, language, words, weights, longest, seconds }, programs) {
  const begun = performance.now(), searched = [language, words].map((tables) => new Language(tables));
  let told = begun, known = { length: 0, word: /** @type {number[] | null} */ (null) };
  for (known of failingWords(programs[program], weights, searched[0], searched[1], longest)) {
    const now = performance.now();
    if (now - begun > 1000 * seconds) break;
    if (now - told < PIECE) continue;
    told = now;
    postMessage({ kind: "searching", ...known, done: false });
    await pause();
  }
  postMessage({ kind: "searching", ...known, done: true });
}

/** Take orders. @param {Record<string, Program>} programs @param {Record<string, string>} codes of training @param {Promise<void>} ready when programs are compiled */
export function takeOrders(programs, codes, ready) {
  addEventListener("message", async (/** @type {MessageEvent<TrainOrder | SearchOrder>} */ { data }) => {
    await ready;
    if (data.kind === "train") await train(data, programs, codes);
    else await search(data, programs);
  });
}
