// Ways through a language: at random, and to the end of a word.

/** @import { Configuration, Language } from "../../../targets/javascript/runtime/languages.js" */

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
  return [...word, ...ending(language, at)];
}

/** The symbols that may come. @param {Language} language @param {Configuration} at */
function allowedAt(language, at) {
  return Array.from({ length: language.symbols }, (_, symbol) => symbol).filter(
    (symbol) => language.step(at, symbol) !== null,
  );
}

/** Symbols that lead to the end of a word, the nearest way. @param {Language} language @param {Configuration} at */
export function ending(language, at) {
  /** @param {Configuration} there */
  const left = (there) => there.stack.length + there.counters.reduce((sum, count) => sum + count, 0);
  const word = [];
  while (!language.accepts(at) && word.length < 2 * LONGEST) {
    let best = -1, fewest = Infinity, next = at;
    for (const symbol of allowedAt(language, at)) {
      const there = /** @type {Configuration} */ (language.step(at, symbol));
      if (left(there) < fewest) [best, fewest, next] = [symbol, left(there), there];
    }
    if (best < 0) break;
    word.push(best);
    at = next;
  }
  return word;
}
