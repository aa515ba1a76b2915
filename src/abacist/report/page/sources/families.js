// Words that are made to break a network: kinds of them, and the shortest of a kind that does.

/** @import { Engine } from "./payload.js" */
/** @import { Network } from "./following.js" */
/** @import { Language } from "../../../targets/javascript/runtime/languages.js" */
import { sharpened } from "./following.js";
import { LONGEST } from "./endings.js";

/**
 * A kind of words; make(n) is the nth. Where every word begins with the ones before it, only the longest is tried.
 * @typedef {{name: string, label: string, about: string, make: (language: Language, n: number) => number[],
 *   prefixes: boolean}} Family
 */

/** The symbols that raise and lower each counter. @param {Language} language */
function pairs({ tables }) {
  return tables.counterNames.map((_, counter) => {
    const moving = (/** @type {number} */ by) => tables.updates.findIndex((row) => row[counter] === by);
    return [moving(1), moving(-1)];
  });
}

/** @param {number} count @param {readonly number[]} piece */
const repeated = (count, piece) => Array.from({ length: count }, () => piece).flat();

/** @type {Family[]} */
export const FAMILIES = [
  {
    name: "alternation",
    label: "Back and forth",
    about: "one bracket opened and closed, again and again: the depth never exceeds 1",
    make: (language, n) => repeated(n, pairs(language)[0]),
    prefixes: true,
  },
  {
    name: "nesting",
    label: "Deep nesting",
    about: "all brackets opened first, then closed",
    make: (language, n) => {
      const [open, close] = pairs(language)[0];
      return [...repeated(n, [open]), ...repeated(n, [close])];
    },
    prefixes: false,
  },
  {
    name: "saw",
    label: "Saw teeth",
    about: "eight up and eight down, again and again",
    make: (language, n) => {
      const [open, close] = pairs(language)[0];
      return repeated(n, [...repeated(8, [open]), ...repeated(8, [close])]);
    },
    prefixes: true,
  },
  {
    name: "crossing",
    label: "Crossing brackets",
    about: "two kinds of brackets that are not nested in one another, which no training word has",
    make: (language, n) => {
      const [[a, b], [c, d] = []] = pairs(language);
      return c === undefined ? [] : repeated(n, [a, c, b, d]);
    },
    prefixes: true,
  },
];

/** The kinds that have words of a language. @param {Language} language */
export function familiesOf(language) {
  return FAMILIES.filter(({ make }) => {
    const words = [1, 2, 3].map((n) => make(language, n));
    return words.every((word) => word.length > 0 && language.read(word).leftAt < 0);
  });
}

/**
 * The shortest word of a kind that a network gets wrong, or null if it is right on all up to the longest.
 * @param {Engine} engine @param {Network} network @param {number} factor @param {Family} family
 */
export function breaking(engine, network, factor, { make, prefixes }) {
  const { language, program } = network, weights = sharpened(engine, network, factor);
  const mistake = (/** @type {number[]} */ word) =>
    engine.firstMistake(program, weights, word, language.read(word).targets);
  const size = make(language, 2).length - make(language, 1).length, most = Math.floor(LONGEST / size);
  if (prefixes) {
    const step = mistake(make(language, most));
    return step < 0 ? null : make(language, Math.floor(step / size) + 1);
  }
  for (let n = 1; n <= most; n++) {
    const word = make(language, n);
    if (mistake(word) >= 0) return word;
  }
  return null;
}
