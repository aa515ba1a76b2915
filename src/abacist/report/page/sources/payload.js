// What the page comes with: the engine that Python has printed, and the networks.

/** @import { Program } from "../../../targets/javascript/runtime/networks.js" */
/** @import { Language, LanguageTables } from "../../../targets/javascript/runtime/languages.js" */
/** @import { DrawingTables } from "../../../targets/javascript/runtime/words.js" */
/**
 * The runtime and its programs; see docs/page.md.
 * @typedef {Pick<typeof import("../../../targets/javascript/runtime/networks.js"), "step" | "predicted" |
 *   "firstMistake" | "saturated"> & {PROGRAMS: Record<string, Program>, Language: new (tables: LanguageTables) =>
 *   Language}} Engine
 * @typedef {{title: string, tables: LanguageTables, words: DrawingTables | null}} LanguageContent
 * @typedef {{factor: number, text: string, proved: number, wrong: number[] | null, holds: boolean, everyWord: boolean}} Horizon
 *   what is known of a network with gates so many times as sharp; wrong is null where no word is known, or it is too long
 * @typedef {Record<string, number | null>} Accuracy in percent, by set
 * @typedef {{title: string, language: string, cell: string, hidden: number,
 *   paper: Record<string, number[]> | null}} Group the paper's minimum, maximum and median, by set
 * @typedef {{key: string, group: number, label: string, language: string, program: string, precision: string,
 *   weights: string, accuracy: Accuracy | null, horizons: Horizon[]}} PackedNetwork
 * @typedef {{version: string, languages: Record<string, LanguageContent>, cells: {name: string, title: string}[],
 *   gated: string[], factors: number[], units: number[], trained: string[], groups: Group[], networks: PackedNetwork[]}} Content
 */

/** The names of the engine that the page itself uses. */
const EXPORTS = "{ PROGRAMS, Language, step, predicted, firstMistake, saturated }";

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

/** The engine of a page, from its text. @param {string} text @returns {Engine} */
export function engineOf(text) {
  return new Function(`${text}\nreturn ${EXPORTS};`)();
}

/** The weights of a network. @param {PackedNetwork} network @returns {Float64Array} */
export function weightsOf({ weights, precision }) {
  const { buffer } = bytesOf(weights);
  return precision === "float32" ? Float64Array.from(new Float32Array(buffer)) : new Float64Array(buffer);
}
