// Ways through a language: at random, and to the end of a word.

/** @import { Configuration, Language } from "../../../targets/webassembly/runtime/languages.js" */

/** Symbols that a word on the page may have. */
export const LONGEST = 1000;

/**
 * A random word of about so many symbols: any symbol that may come, then the way back to the end.
 * @param {Language} language @param {number} length
 */
export function randomWord(language, length) {
  /** @type {number[]} */
  const word = [];
  let at = language.start;
  for (let t = 0; t < length; t++) {
    const allowed = allowedAt(language, at);
    if (allowed.length === 0) break;
    const symbol = allowed[Math.floor(Math.random() * allowed.length)];
    at = /** @type {Configuration} */ (language.step(at, symbol));
    word.push(symbol);
  }
  return [...word, ...(ending(language, at) ?? [])];
}

/** The symbols that may come. @param {Language} language @param {Configuration} at */
function allowedAt(language, at) {
  return Array.from({ length: language.symbols }, (_, symbol) => symbol).filter(
    (symbol) => language.step(at, symbol) !== null,
  );
}

/** Configurations that a search for the end of a word looks at, at most. */
const MOST_CONFIGURATIONS = 20000;

/** A configuration as text. @param {Configuration} at */
export function configurationKey({ state, counters, stack }) {
  return `${state} ${counters} ${stack}`;
}

/**
 * The shortest way to the end of a word, as symbols; null if none was found.
 * A* search: no move removes more than `fastest` from counters and stack, which bounds the symbols still needed.
 * @param {Language} language @param {Configuration} start @returns {number[] | null}
 */
export function ending(language, start) {
  const fastest = Math.max(1, ...language.tables.moves.map(removedBy));
  const needed = (/** @type {Configuration} */ { stack, counters }) =>
    Math.ceil((stack.length + counters.reduce((sum, count) => sum + count, 0)) / fastest);
  /** @typedef {{at: Configuration, length: number, symbol: number, before: Way | null}} Way */
  /** @type {Way[][]} by the least length of the whole ending */
  const waiting = [];
  const push = (/** @type {Way} */ way) => (waiting[way.length + needed(way.at)] ??= []).push(way);
  const seen = new Set();
  push({ at: start, length: 0, symbol: -1, before: null });
  for (let least = 0; least < waiting.length; least++) {
    for (let way = waiting[least]?.pop(); way !== undefined; way = waiting[least].pop()) {
      const key = configurationKey(way.at);
      if (seen.has(key)) continue;
      if (language.accepts(way.at)) return symbolsOf(way);
      if (seen.add(key).size > MOST_CONFIGURATIONS) return null;
      for (const symbol of allowedAt(language, way.at)) {
        const at = /** @type {Configuration} */ (language.step(way.at, symbol));
        push({ at, length: way.length + 1, symbol, before: way });
      }
    }
  }
  return null;
}

/** How much a move removes from counters and stack. @param {Language["tables"]["moves"][number]} move */
function removedBy(move) {
  if ("tests" in move) return -move.updates.reduce((sum, update) => sum + update, 0);
  return Number(move.pop) - Number(move.push !== null);
}

/**
 * The symbols of a chain, the first one first; its beginning has none.
 * @typedef {{symbol: number, before: Link | null}} Link
 * @param {Link} last
 */
export function symbolsOf(last) {
  const symbols = [];
  for (let own = last; own.before !== null; own = own.before) symbols.push(own.symbol);
  return symbols.reverse();
}
