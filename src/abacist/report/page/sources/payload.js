// What the page comes with: the engine that Python has made, and the networks.

/** @import { Program } from "../../../targets/webassembly/runtime/networks.js" */
/** @import { Language, LanguageTables } from "../../../targets/webassembly/runtime/languages.js" */
/** @import { DrawingTables } from "../../../targets/webassembly/runtime/words.js" */
/**
 * The runtime and its programs; see docs/page.md.
 * @typedef {Pick<typeof import("../../../targets/webassembly/runtime/networks.js"), "trace" |
 *   "firstMistake" | "saturated"> & {PROGRAMS: Record<string, Program>, ready: Promise<void>, Language: new (tables:
 *   LanguageTables) => Language}} Engine
 * @typedef {{title: string, tables: LanguageTables}} NestedWords
 * @typedef {{title: string, tables: LanguageTables, words: DrawingTables | null, nested: NestedWords | null}} LanguageContent
 *   nested is the language of the usual training words, where these are not all words
 * @typedef {{factor: number, words: string, text: string, proved: number, wrong: number[] | null, holds: boolean, everyWord: boolean}} Horizon
 *   what is known of a network with gates so many times as sharp, among all words or those of the language with that name;
 *   wrong is null where no word is known, or it is too long
 * @typedef {Record<string, number | null>} Accuracy in percent, by set
 * @typedef {{title: string, language: string, cell: string, hidden: number,
 *   paper: Record<string, number[]> | null}} Group the paper's minimum, maximum and median, by set
 * @typedef {{key: string, group: number, label: string, language: string, program: string, precision: string,
 *   weights: string, accuracy: Accuracy | null, horizons: Horizon[]}} PackedNetwork
 * @typedef {{version: string, languages: Record<string, LanguageContent>, cells: {name: string, title: string}[],
 *   gated: string[], factors: number[], units: number[], trained: string[], groups: Group[], networks: PackedNetwork[]}} Content
 */

/** The names of the engine that the page itself uses. */
const EXPORTS = "{ PROGRAMS, ready, Language, trace, firstMistake, saturated }";

/**
 * Unpack what Python has packed: JSON, deflated, in letters.
 * @param {string} letters @returns {Promise<{engine: string, worker: string, content: Content}>}
 */
export async function unpack(letters) {
  const stream = new Blob([bytesOf(letters)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** @param {string} letters */
export function bytesOf(letters) {
  return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
}

/** The engine of a page, from its text, once its programs are compiled. @param {string} text @returns {Promise<Engine>} */
export async function engineOf(text) {
  const engine = new Function(`${text}\nreturn ${EXPORTS};`)();
  await engine.ready;
  return engine;
}

/** The weights of a network, in single precision. @param {PackedNetwork} network @returns {Float32Array} */
export function weightsOf({ weights, precision }) {
  const { buffer } = bytesOf(weights);
  return precision === "float32" ? new Float32Array(buffer) : Float32Array.from(new Float64Array(buffer));
}
