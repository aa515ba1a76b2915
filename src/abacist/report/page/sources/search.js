// The refuter in a browser: real words, all while there are few, then those with extreme states or close decisions.
import { configurationKey, ending, symbolsOf } from "./endings.js";
import { stepAll } from "../../../targets/webassembly/runtime/networks.js";

/** @import { Program } from "../../../targets/webassembly/runtime/networks.js" */
/** @import { Configuration, Language } from "../../../targets/webassembly/runtime/languages.js" */
/**
 * A prefix of words: its configuration as one of the words searched, its last symbol, the prefix before it, and how far
 * its last decisions are from being wrong.
 * @typedef {{states: Float32Array | null, within: Configuration, margin: number, symbol: number, before: Prefix | null}} Prefix
 * @typedef {{at: Configuration, prefixes: Prefix[]}} Meeting prefixes that lead to one configuration
 */

/** Prefixes kept for a configuration, and for all of one length; so few that all of them are kept. */
const KEPT = 24, KEPT_IN_ALL = 6000, FEW = 1000;

/**
 * The shortest word found that a network gets wrong; yields once for every length, what is known so far. The words
 * searched are those of a language within that of the network, which says what is right.
 * @param {Program} program @param {Float32Array} weights @param {Language} language @param {Language} words
 * @param {number} longest @param {number[]} shares of the prefixes with extreme states: for each a search keeps so many more,
 * with close decisions, and looks for shorter words than those before it
 * @returns {Generator<{length: number, word: number[] | null}>}
 */
export function* failingWords(program, weights, language, words, longest, shares = [0, 0.25]) {
  let known = { length: 0, word: /** @type {number[] | null} */ (null) };
  for (const share of shares) {
    for (const { length, word } of oneSearch(program, weights, language, words, (known.word?.length ?? longest + 1) - 1, share)) {
      known = { length: Math.max(length, known.length), word: word ?? known.word };
      yield known;
    }
  }
}

/**
 * @param {Program} program @param {Float32Array} weights @param {Language} language @param {Language} words
 * @param {number} longest @param {number} share @returns {Generator<{length: number, word: number[] | null}>}
 */
function* oneSearch(program, weights, language, words, longest, share) {
  /** @type {number[] | null} */
  let word = null;
  let limit = longest;
  /** @type {Map<string, Meeting>} */
  let layer = new Map([["", { at: language.start, prefixes: [{ states: null, within: words.start, margin: 0, symbol: -1, before: null }] }]]);
  /** The shortest ending of every configuration. @type {Map<string, number[] | null>} */
  const endings = new Map();
  const restOf = (/** @type {Configuration} */ at) => {
    const key = configurationKey(at), rest = endings.has(key) ? endings.get(key) : ending(words, at);
    endings.set(key, rest ?? null);
    return rest ?? null;
  };
  for (let length = 1; length <= limit && layer.size > 0; length++) {
    /** @type {Map<string, Meeting>} */
    const next = new Map();
    for (const { at, prefixes } of layer.values()) {
      for (let symbol = 0; symbol < language.symbols; symbol++) {
        const there = language.step(at, symbol);
        if (there === null) continue;
        const going = prefixes.flatMap((before) => {
          const within = words.step(before.within, symbol), rest = within && restOf(within);
          return within && rest && length + rest.length <= limit ? [{ before, within, rest }] : [];
        });
        if (going.length === 0) continue;
        const key = configurationKey(there), allowed = language.next(there);
        const meeting = next.get(key) ?? { at: there, prefixes: [] };
        const after = stepAll(program, weights, going.map(({ before }) => before.states), symbol, length - 1);
        for (const [place, { states, sums, predicted }] of after.entries()) {
          const { before, within, rest } = going[place];
          const margin = sums.reduce((least, sum, output) => Math.min(least, allowed[output] ? sum : -sum), Infinity);
          const prefix = { states, within, margin, symbol, before };
          if (predicted.some((value, output) => value !== allowed[output])) {
            if (word === null || length + rest.length < word.length) word = [...symbolsOf(prefix), ...rest];
            limit = Math.min(limit, word.length - 1);
          } else {
            meeting.prefixes.push(prefix);
          }
        }
        next.set(key, meeting);
      }
    }
    const each = Math.max(2, Math.min(KEPT, Math.floor(KEPT_IN_ALL / next.size)));
    if ([...next.values()].reduce((sum, { prefixes }) => sum + prefixes.length, 0) > FEW) {
      for (const meeting of next.values()) meeting.prefixes = thinned(meeting.prefixes, each, Math.floor(share * each));
    }
    layer = next;
    yield { length, word };
  }
}

/** Fewer prefixes: extreme ones, and of the others some that are close to a wrong decision. @param {Prefix[]} prefixes @param {number} most @param {number} close */
export function thinned(prefixes, most, close) {
  if (prefixes.length <= most) return prefixes;
  const kept = new Set(extremes(prefixes, most));
  const others = prefixes.filter((prefix) => !kept.has(prefix)).sort((a, b) => a.margin - b.margin);
  return [...kept, ...others.slice(0, close)];
}

/** The prefixes with the smallest and largest of every state, from both ends. @param {Prefix[]} prefixes @param {number} most */
function extremes(prefixes, most) {
  const value = (/** @type {Prefix} */ { states }, /** @type {number} */ place) => states?.[place] ?? 0;
  const places = prefixes[0].states?.length ?? 1;
  /** @type {Prefix[][]} only as many as are needed, since a memory has many states */
  const orders = [];
  /** @type {Set<Prefix>} */
  const kept = new Set();
  for (let next = 0; kept.size < most; next++) {
    const place = next % places, rank = Math.floor(next / places);
    const order = (orders[place] ??= [...prefixes].sort((a, b) => value(a, place) - value(b, place)));
    kept.add(order[rank]).add(order[order.length - 1 - rank]);
  }
  return [...kept].slice(0, most);
}
