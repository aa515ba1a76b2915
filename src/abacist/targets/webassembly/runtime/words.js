// Drawing words from the tables that `drawing_tables` makes: the same seed gives the words of the package.
import { CORPORA, Stream } from "./random.js";

/** @import { Choices } from "./random.js" */
/**
 * What a split of a recipe is drawn from. The words of brackets come from the grammar (`pairs`, `nested`), all
 * others are uniform words of a shuffle of `parts`, each (first symbol, pairs of brackets or 0, blocks or 0).
 * @typedef {{name: string, count: number, longest: number, lengths: Choices, words: Choices, pairs?: number,
 *   nested?: readonly number[], parts?: readonly (readonly number[])[]}} SplitTables
 * @typedef {{distinct: boolean, splits: readonly SplitTables[]}} DrawingTables
 * @typedef {{symbols: Uint8Array, offsets: Uint32Array}} Packed word i begins at offsets[i] and ends before
 *   offsets[i + 1]
 */

/**
 * All splits of a recipe, by name; the words of all of them together are distinct if the tables say so.
 * @param {DrawingTables} tables @param {number} seed @returns {Record<string, Packed>}
 */
export function drawWords(tables, seed) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {Record<string, Packed>} */
  const drawn = {};
  tables.splits.forEach((split, index) => {
    const stream = new Stream(seed, CORPORA, index);
    const offsets = new Uint32Array(split.count + 1);
    let symbols = new Uint8Array(split.longest * 64);
    const word = new Uint8Array(split.longest);
    for (let done = 0; done < split.count; ) {
      const length = stream.choose(split.lengths, 0);
      if (split.parts === undefined) grammarWord(stream, split, length, word);
      else uniformWord(stream, split, split.parts, length, word);
      const own = word.subarray(0, length);
      if (tables.distinct) {
        const key = String.fromCharCode(...own);
        if (seen.has(key)) continue;
        seen.add(key);
      }
      if (offsets[done] + length > symbols.length) {
        const larger = new Uint8Array(2 * symbols.length);
        larger.set(symbols);
        symbols = larger;
      }
      symbols.set(own, offsets[done]);
      offsets[++done] = offsets[done - 1] + length;
    }
    drawn[split.name] = { symbols: symbols.slice(0, offsets[split.count]), offsets };
  });
  return drawn;
}

/**
 * A word of the grammar. The stack holds what is still to be written: d·stride + m for an S of m > 0
 * pairs with room for d more levels, −1 − symbol for a closing bracket.
 * @param {Stream} stream @param {SplitTables} split @param {number} length @param {Uint8Array} out
 */
function grammarWord(stream, { words, pairs = 1, nested = [0, 1] }, length, out) {
  const [levels, stride] = nested;
  const deeper = levels > 0 ? stride : 0;
  const stack = [levels * stride + length / 2];
  let written = 0;
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (item < 0) {
      out[written++] = -1 - item;
      continue;
    }
    const left = stream.choose(words, item);
    if (left > 0) {
      stack.push(item - left, item - (item % stride) + left);
      continue;
    }
    const pair = pairs > 1 ? stream.below(pairs) : 0;
    out[written++] = 2 * pair;
    stack.push(-2 - 2 * pair);
    if (item % stride > 1) stack.push(item - deeper - 1);
  }
}

/**
 * A uniform word of a shuffle of parts.
 * @param {Stream} stream @param {SplitTables} split @param {readonly (readonly number[])[]} parts
 * @param {number} length @param {Uint8Array} out
 */
function uniformWord(stream, { words, longest }, parts, length, out) {
  let rest = length;
  const own = parts.map((_, i) => {
    const taken = i === parts.length - 1 ? rest : stream.choose(words, i * (longest + 1) + rest);
    rest -= taken;
    return taken;
  });
  const left = [...own];
  /** @type {number[][]} */
  const stacks = parts.map(() => []);
  for (let position = 0; position < length; position++) {
    let i = 0;
    if (parts.length > 1) {
      for (let ticket = stream.below(length - position); ticket >= left[i]; i++) ticket -= left[i];
    }
    const [first, pairs, blocks] = parts[i], stack = stacks[i], d = stack.length, r = left[i];
    if (blocks > 0) {
      out[position] = first + Math.floor(((own[i] - r) * blocks) / own[i]);
    } else if (d === 0 || (d < r && stream.below(2 * r * (d + 1)) < (d + 2) * (r - d))) {
      // Of the paths from depth d to 0 in r steps, (d+2)(r−d) / 2r(d+1) begin upwards.
      const pair = pairs > 1 ? stream.below(pairs) : 0;
      out[position] = first + 2 * pair;
      stack.push(pair);
    } else {
      out[position] = first + 2 * /** @type {number} */ (stack.pop()) + 1;
    }
    left[i]--;
  }
}
