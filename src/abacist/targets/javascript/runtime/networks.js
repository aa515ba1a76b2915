// What is done with a printed program and weights: follow, judge, train and saturate a network.
import { ORDER, OWN_ORDER, Stream, WEIGHTS } from "./random.js";

/** @import { Language } from "./languages.js" */
/**
 * A program that Python has printed for one layout; `states` and `values` say where each begins and how long it is,
 * `gates` where the weights of gates begin and end.
 * @typedef {{name: string, cell: string, inputs: number, hidden: number, outputs: number, parameters: number,
 *   tensors: Record<string, number[]>, gates: number[][], bound: number,
 *   begins: number[][] | null, states: Record<string, number[]>,
 *   stateSize: number, values: Record<string, number[]>, stepRoom: number, judgeRoom: number,
 *   tape: number, adjoint: number,
 *   step(weights: Float64Array, room: Float64Array, symbol: number, t: number): void,
 *   judge(weights: Float64Array, room: Float64Array, symbols: Uint8Array, targets: Uint8Array,
 *     counted: Uint8Array, start: number, steps: number): number,
 *   gradient(weights: Float64Array, gradient: Float64Array, tape: Float64Array, adjoint: Float64Array,
 *     symbols: Uint8Array, targets: Uint8Array, counted: Uint8Array, start: number, steps: number,
 *     scale: number): number}} Program
 * @typedef {{symbols: Uint8Array, offsets: Uint32Array, targets: Uint8Array, counted: Uint8Array}} Words
 * @typedef {{rate: number, beta1: number, beta2: number, epsilon: number}} Adam
 * @typedef {"shared" | "own" | "fixed"} Order
 */

/** The paper's numbers. @type {Adam} */
export const ADAM = { rate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/**
 * The initialisation of PyTorch, or that of the cell, as the package draws it for a seed.
 * @param {Program} program @param {number} seed
 */
export function initialWeights(program, seed) {
  if (program.begins === null) throw new RangeError(`${program.cell} begins with weights that are not drawn one by one`);
  const stream = new Stream(seed, WEIGHTS);
  const weights = Float64Array.from({ length: program.parameters }, () => program.bound * (2 * stream.fraction() - 1));
  let place = 0;
  for (const [count, factor, offset] of program.begins) {
    for (const end = place + count; place < end; place++) weights[place] = factor * weights[place] + offset;
  }
  return weights;
}

/**
 * The weights with those of all gates multiplied.
 * @param {Program} program @param {Float64Array} weights @param {number} factor
 */
export function saturated(program, weights, factor) {
  if (program.gates.length === 0) throw new RangeError(`${program.cell} has no gates to sharpen`);
  const sharper = weights.slice();
  for (const [begin, end] of program.gates) {
    for (let place = begin; place < end; place++) sharper[place] *= factor;
  }
  return sharper;
}

/**
 * One symbol further. The states are those of an earlier step, or none at the beginning; nothing is changed. Of a memory
 * more need not be worked on than the t symbols before can have filled; it is done whole where their number is not told.
 * @param {Program} program @param {Float64Array} weights @param {Float64Array | null} states @param {number} symbol
 * @param {number} [t]
 * @returns {{states: Float64Array, values: Record<string, Float64Array>}} values: states, gates and outputs by name
 */
export function step(program, weights, states, symbol, t = Infinity) {
  const room = new Float64Array(program.stepRoom + program.stateSize);
  if (states !== null) room.set(states);
  program.step(weights, room, symbol, t);
  /** @type {Record<string, Float64Array>} */
  const values = {};
  for (const [name, [start, size]] of Object.entries(program.values)) values[name] = room.slice(start, start + size);
  return { states: room.slice(program.stepRoom), values };
}

/** The outputs that are predicted, by their scores. @param {Float64Array} y */
export function predicted(y) {
  return Uint8Array.from(y, (score) => Number(score > 0.5));
}

/**
 * The first step of a word, from 0, at which an output is not what the targets say, −1 if there is none.
 * @param {Program} program @param {Float64Array} weights @param {ArrayLike<number>} word @param {Uint8Array} targets
 */
export function firstMistake(program, weights, word, targets) {
  const room = new Float64Array(2 * program.judgeRoom), counted = new Uint8Array(word.length).fill(1);
  // Engines are fastest where an argument is always of one kind.
  return program.judge(weights, room, Uint8Array.from(word), targets, counted, 0, word.length);
}

/**
 * The symbol of any string, from 0, at which a network rejects it, −1 if it takes it; its length if it does
 * not allow the end. The language judges the first symbol and the empty word.
 * @param {Program} program @param {Float64Array} weights @param {Language} language @param {ArrayLike<number>} word
 */
export function firstRejection(program, weights, language, word) {
  if (word.length === 0) return language.accepts(language.start) ? -1 : 0;
  if (language.step(language.start, word[0]) === null) return 0;
  const mistake = firstMistake(program, weights, word, language.needs(word));
  return mistake < 0 ? -1 : mistake + 1;
}

/**
 * How many of some words are accepted: every step that counts is right.
 * @param {Program} program @param {Float64Array} weights @param {Words} words
 */
export function accepted(program, weights, { symbols, offsets, targets, counted }) {
  const room = new Float64Array(2 * program.judgeRoom);
  let found = 0;
  for (let i = 0; i + 1 < offsets.length; i++) {
    const start = offsets[i];
    if (program.judge(weights, room, symbols, targets, counted, start, offsets[i + 1] - start) < 0) found++;
  }
  return found;
}

/** The lengths of words. @param {Words} words */
export function lengthsOf({ offsets }) {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, i) => offsets[i + 1] - offsets[i]);
}

/**
 * Which word of a run lies in each slot; see engine/order.py.
 * @param {Order} order @param {number} seed that of an order of its own @param {Uint32Array} lengths
 */
export function slotsOf(order, seed, lengths) {
  if (order === "own") return new Stream(seed, OWN_ORDER).order(lengths.length);
  const slots = lengths.map((_, i) => i);
  return order === "shared" ? slots.sort((a, b) => lengths[a] - lengths[b] || a - b) : slots;
}

/**
 * The order in which an epoch visits the slots, the same for every run.
 * @param {Order} order @param {number} epoch @param {number} count
 */
export function epochOrder(order, epoch, count) {
  if (order === "fixed") return Uint32Array.from({ length: count }, (_, i) => i);
  return new Stream(0, ORDER, epoch).order(count);
}

/**
 * Online training with Adam: one word, one update, in the order in which the package visits the words.
 * `advance` does as many words as it is told, so that a worker can look at its messages in between.
 */
export class Trainer {
  /**
   * @param {Program} program @param {Float64Array} weights changed in place @param {Words} words
   * @param {{adam?: Adam, order?: Order, seed?: number}} [options] the seed is that of an order of its own
   */
  constructor(program, weights, words, { adam = ADAM, order = "shared", seed = 0 } = {}) {
    const count = words.offsets.length - 1;
    if (count < 1) throw new RangeError("training needs at least one word, got none");
    if (weights.length !== program.parameters) {
      throw new RangeError(`${program.name} has ${program.parameters} weights, got ${weights.length}`);
    }
    let longest = 0;
    this.lengths = lengthsOf(words);
    for (const length of this.lengths) longest = Math.max(longest, length);
    this.program = program;
    this.weights = weights;
    this.words = words;
    this.adam = adam;
    this.order = order;
    this.first = new Float64Array(program.parameters);
    this.second = new Float64Array(program.parameters);
    this.gradient = new Float64Array(program.parameters);
    this.tape = new Float64Array(program.tape * (longest + 1));
    this.adjoint = new Float64Array(program.adjoint);
    this.slots = slotsOf(order, seed, this.lengths);
    this.visits = this.slots;
    this.updates = 0;
    this.#begin(0);
  }

  /** Whole epochs so far. */
  get epochs() {
    return Math.floor(this.updates / this.slots.length);
  }

  /** @param {number} epoch */
  #begin(epoch) {
    this.visits = epochOrder(this.order, epoch, this.slots.length).map((slot) => this.slots[slot]);
  }

  /**
   * Train on the next words; the sum of their losses, each from before its update, and how many symbols they had.
   * @param {number} count
   */
  advance(count) {
    const { program, weights, gradient, words, lengths, tape, adjoint } = this;
    const { symbols, offsets, targets, counted } = words;
    let loss = 0, seen = 0;
    for (let done = 0; done < count; done++) {
      const place = this.updates % this.slots.length;
      if (place === 0 && this.updates > 0) this.#begin(this.epochs);
      const word = this.visits[place], start = offsets[word], steps = lengths[word];
      let counting = 0;
      for (let t = start; t < start + steps; t++) counting += counted[t];
      const scale = 1 / (Math.max(counting, 1) * program.outputs);
      gradient.fill(0);
      loss += program.gradient(weights, gradient, tape, adjoint, symbols, targets, counted, start, steps, scale);
      this.updates++;
      update(weights, this.first, this.second, gradient, this.updates, this.adam);
      seen += steps;
    }
    return { loss, symbols: seen };
  }
}

/**
 * Adam, as PyTorch computes it.
 * @param {Float64Array} weights @param {Float64Array} first @param {Float64Array} second @param {Float64Array} gradient
 * @param {number} updates @param {Adam} adam
 */
function update(weights, first, second, gradient, updates, { rate, beta1, beta2, epsilon }) {
  const size = -rate / (1 - beta1 ** updates), correction = 1 / Math.sqrt(1 - beta2 ** updates);
  const rest1 = 1 - beta1, rest2 = 1 - beta2;
  for (let p = 0; p < weights.length; p++) {
    const g = gradient[p];
    const m = (first[p] = beta1 * first[p] + rest1 * g);
    const v = (second[p] = beta2 * second[p] + rest2 * g * g);
    weights[p] += (size * m) / (Math.sqrt(v) * correction + epsilon);
  }
}
