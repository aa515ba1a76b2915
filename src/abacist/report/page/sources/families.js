// Words that are made to break a network: kinds of them, and the shortest of a kind that does.

/** @import { Engine } from "./payload.js" */
/** @import { Network } from "./following.js" */
/** @import { Language } from "../../../targets/webassembly/runtime/languages.js" */
import { sharpened } from "./following.js";
import { LONGEST } from "./endings.js";

/**
 * A kind of words; make(pairs, n) is the nth, of at least so many counters. Where every word begins with the ones before
 * it, only the longest is tried.
 * @typedef {{name: string, label: string, about: string, make: (pairs: number[][], n: number) => number[],
 *   counters: number, prefixes: boolean}} Family
 */

/**
 * The symbols that raise and lower each counter by one, of counters that have both; none in a regular language.
 * @param {Language} language
 */
function pairs({ tables }) {
  return tables.counterNames
    .map((_, counter) => [1, -1].map((by) => tables.updates.findIndex((row) => row[counter] === by)))
    .filter((pair) => !pair.includes(-1));
}

/** @param {number} count @param {readonly number[]} piece */
const repeated = (count, piece) => Array.from({ length: count }, () => piece).flat();

/** @type {Family[]} */
export const FAMILIES = [
  {
    name: "alternation",
    label: "Back and forth",
    about: "one bracket opened and closed, again and again: the depth never exceeds 1",
    make: ([pair], n) => repeated(n, pair),
    counters: 1,
    prefixes: true,
  },
  {
    name: "nesting",
    label: "Deep nesting",
    about: "all brackets opened first, then closed",
    make: ([[open, close]], n) => [...repeated(n, [open]), ...repeated(n, [close])],
    counters: 1,
    prefixes: false,
  },
  {
    name: "saw",
    label: "Saw teeth",
    about: "eight up and eight down, again and again",
    make: ([[open, close]], n) => repeated(n, [...repeated(8, [open]), ...repeated(8, [close])]),
    counters: 1,
    prefixes: true,
  },
  {
    name: "crossing",
    label: "Crossing brackets",
    about: "two kinds of brackets that cross, as in none of the paper's training words",
    make: ([[a, b], [c, d]], n) => repeated(n, [a, c, b, d]),
    counters: 2,
    prefixes: true,
  },
];

/** The kinds that have words of a language. @param {Language} language */
export function familiesOf(language) {
  const own = pairs(language);
  return FAMILIES.filter(
    ({ make, counters }) => own.length >= counters && [1, 2, 3].every((n) => language.read(make(own, n)).leftAt < 0),
  );
}

/**
 * The shortest word of a kind that a network gets wrong; if it is right on all of them, the longest.
 * @param {Engine} engine @param {Network} network @param {number} factor @param {Family} family
 */
export function breaking(engine, network, factor, { make, prefixes }) {
  const { language, program } = network, weights = sharpened(engine, network, factor), own = pairs(language);
  const mistake = (/** @type {number[]} */ word) =>
    engine.firstMistake(program, weights, word, language.read(word).targets);
  const size = make(own, 2).length - make(own, 1).length, most = Math.floor(LONGEST / size), longest = make(own, most);
  if (prefixes) {
    const step = mistake(longest);
    return step < 0 ? longest : make(own, Math.floor(step / size) + 1);
  }
  for (let n = 1; n < most; n++) {
    const word = make(own, n);
    if (mistake(word) >= 0) return word;
  }
  return longest;
}
