// Following a network through any string of symbols: what it predicts, what is right, where it goes wrong.

/** @import { Engine, Accuracy, Horizon } from "./payload.js" */
/** @import { Program } from "../../../targets/webassembly/runtime/networks.js" */
/** @import { Language } from "../../../targets/webassembly/runtime/languages.js" */
/**
 * A network on the page; its group is the number of its kind, −1 if it was trained here.
 * @typedef {{key: string, group: number, title: string, label: string, language: Language, program: Program,
 *   weights: Float32Array, precision: string, accuracy: Accuracy | null, horizons: Horizon[]}} Network
 * @typedef {{symbol: number, values: Record<string, Float32Array>, predicted: Uint8Array, allowed: Uint8Array | null,
 *   wrong: boolean, depths: number[]}} Step allowed is null where the word has left the language
 * @typedef {{steps: Step[], leftAt: number, firstWrong: number}} Followed steps count from 0; −1 stands for never,
 *   leftAt is the length of a word that is only a beginning
 */

/** The weights of a network with gates so many times as sharp. @param {Engine} engine @param {Network} network @param {number} factor */
export function sharpened(engine, { program, weights }, factor) {
  return factor === 1 ? weights : engine.saturated(program, weights, factor);
}

/**
 * @param {Engine} engine @param {Network} network @param {number} factor @param {readonly number[]} word
 * @returns {Followed}
 */
export function follow(engine, network, factor, word) {
  const { program, language } = network, weights = sharpened(engine, network, factor);
  const { targets, leftAt, depths } = language.read(word);
  const steps = engine.trace(program, weights, word).map(({ values, predicted }, t) => {
    const allowed = leftAt >= 0 && t >= leftAt ? null : targets.subarray(t * language.outputs, (t + 1) * language.outputs);
    const wrong = allowed !== null && allowed.some((value, output) => value !== predicted[output]);
    return { symbol: word[t], values, predicted, allowed, wrong, depths: depths[t] };
  });
  return { steps, leftAt, firstWrong: steps.findIndex((step) => step.wrong) };
}

/** What the outputs of a language stand for: its symbols, and the end. @param {Language} language */
export function outputGlyphs({ tables, outputs }) {
  return Array.from({ length: outputs }, (_, output) => tables.glyphs[output] ?? "end");
}

/** A word as text. @param {Language} language @param {readonly number[]} word */
export function written({ tables }, word) {
  return word.map((symbol) => tables.glyphs[symbol]).join("");
}

/** The outputs that are set, as text. @param {Language} language @param {Uint8Array} set */
export function named(language, set) {
  const glyphs = outputGlyphs(language).filter((_, output) => set[output]).map((glyph) => `“${glyph}”`);
  const last = glyphs.pop();
  if (last === undefined) return "nothing";
  return glyphs.length > 0 ? `${glyphs.join(", ")} and ${last}` : last;
}
