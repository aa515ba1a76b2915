// What is done with a program and weights: follow, judge and sharpen a network. Steps are WebAssembly, in single
// precision, of up to four words side by side in the lanes of vectors.
import { EITHER } from "./languages.js";

/** @import { Language } from "./languages.js" */
/**
 * A program that Python has made for one layout. `room` is how many vectors a step works on, behind which the states
 * after it lie; `values` says where each begins and how long it is, `sums` where those begin whose signs decide; `gates`
 * where the weights of gates begin and end. Of the `states`, the names.
 * @typedef {{name: string, cell: string, inputs: number, outputs: number, parameters: number, gates: number[][],
 *   bound: number, begins: number[][] | null, states: string[], stateSize: number, values: Record<string, number[]>,
 *   sums: number, room: number, tape: number, adjoint: number}} Program
 * @typedef {{symbols: Uint8Array, offsets: Uint32Array, targets: Uint8Array, counted: Uint8Array}} Words
 * @typedef {(weights: number, room: number, symbols: number, t: number) => void} Step
 * @typedef {{values: Record<string, Float32Array>, predicted: Uint8Array}} Values states, gates and outputs by name, and
 *   which outputs are predicted
 */

/** Runs or words in a vector, and bytes of a vector of numbers. */
export const LANES = 4, VECTOR_BYTES = 16;

/**
 * The steps of all programs, and their memory: symbols, weights and the room of the network that reads.
 * @type {{numbers: Float32Array, bytes: Uint8Array, steps: Record<string, Step>} | null}
 */
let machine = null;

/** The lowest eight bits of each letter. @param {string} letters */
export function bytesOfLetters(letters) {
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Where the room begins, in numbers. @param {Program} program */
function roomOf({ parameters }) {
  return LANES * (1 + Math.ceil(parameters / LANES));
}

/**
 * Compile the steps of all programs. Until then no network can be followed: pages have to wait for all but small modules.
 * @param {string} code @param {Record<string, Program>} programs
 */
export async function start(code, programs) {
  const sizes = Object.values(programs).map((own) => 4 * roomOf(own) + VECTOR_BYTES * (own.room + own.stateSize));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(Math.max(1, ...sizes) / 65536) });
  const { instance } = await WebAssembly.instantiate(bytesOfLetters(code), { abacist: { memory } });
  const steps = /** @type {Record<string, Step>} */ (/** @type {unknown} */ (instance.exports));
  machine = { numbers: new Float32Array(memory.buffer), bytes: new Uint8Array(memory.buffer), steps };
}

/** A network that reads up to four words, until another one does. */
class Reader {
  /** @param {Program} program @param {ArrayLike<number>} weights */
  constructor(program, weights) {
    if (machine === null) throw new Error("the programs are not compiled yet");
    checkWeights(program, weights);
    this.program = program;
    this.numbers = machine.numbers;
    this.bytes = machine.bytes;
    this.step = machine.steps[program.name];
    this.room = roomOf(program);
    this.numbers.set(weights, LANES);
    this.numbers.fill(0, this.room, this.room + LANES * (program.room + program.stateSize));
  }

  /** One symbol further in every lane; t is how many came before. @param {ArrayLike<number>} symbols @param {number} t */
  read(symbols, t) {
    this.bytes.set(symbols, 0);
    this.step(VECTOR_BYTES, 4 * this.room, 0, t);
  }

  /** Take the states after a step for those before the next. */
  goOn() {
    const after = this.room + LANES * this.program.room;
    this.numbers.copyWithin(this.room, after, after + LANES * this.program.stateSize);
  }

  /** A vector of one lane. @param {number} lane @param {number} start @param {number} size */
  vector(lane, start, size) {
    const vector = new Float32Array(size);
    for (let i = 0, at = this.room + LANES * start + lane; i < size; i++, at += LANES) vector[i] = this.numbers[at];
    return vector;
  }

  /** The sums of a lane whose signs decide. @param {number} lane */
  sums(lane) {
    return this.vector(lane, this.program.sums, this.program.outputs);
  }

  /** Which outputs of a lane are predicted. @param {number} lane */
  predicted(lane) {
    return Uint8Array.from(this.sums(lane), (sum) => Number(sum > 0));
  }
}

/** Refuse weights that do not fit a program. @param {Program} program @param {ArrayLike<number>} weights */
export function checkWeights({ name, parameters }, { length }) {
  if (length !== parameters) throw new RangeError(`${name} has ${parameters} weights, got ${length}`);
}

/**
 * The weights with those of all gates multiplied.
 * @param {Program} program @param {Float32Array} weights @param {number} factor
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
 * A network on a word, step after step.
 * @param {Program} program @param {ArrayLike<number>} weights @param {readonly number[]} word @returns {Values[]}
 */
export function trace(program, weights, word) {
  const own = new Reader(program, weights), named = Object.entries(program.values);
  return word.map((symbol, t) => {
    own.read([symbol, symbol, symbol, symbol], t);
    const values = Object.fromEntries(named.map(([name, [start, size]]) => [name, own.vector(0, start, size)]));
    own.goOn();
    return { values, predicted: own.predicted(0) };
  });
}

/**
 * One symbol further from several states, null at the beginning, all after t symbols.
 * @param {Program} program @param {ArrayLike<number>} weights @param {readonly (Float32Array | null)[]} states
 * @param {number} symbol @param {number} t @returns {{states: Float32Array, sums: Float32Array, predicted: Uint8Array}[]}
 */
export function stepAll(program, weights, states, symbol, t) {
  const own = new Reader(program, weights), { numbers, room } = own, { stateSize } = program;
  return states.map((_, number) => {
    const lane = number % LANES;
    if (lane === 0) {
      for (let other = 0; other < LANES; other++) {
        const before = states[number + other] ?? null;
        for (let i = 0; i < stateSize; i++) numbers[room + LANES * i + other] = before === null ? 0 : before[i];
      }
      own.read([symbol, symbol, symbol, symbol], t);
    }
    return { states: own.vector(lane, program.room, stateSize), sums: own.sums(lane), predicted: own.predicted(lane) };
  });
}

/**
 * For every word the first step that counts, from 0, at which an output is not what the targets say, −1 if there is none.
 * @param {Program} program @param {ArrayLike<number>} weights @param {Words} words
 */
export function firstMistakes(program, weights, { symbols, offsets, targets, counted }) {
  const { outputs, sums } = program, mistakes = new Int32Array(offsets.length - 1).fill(-1), read = new Uint8Array(LANES);
  for (let first = 0; first < mistakes.length; first += LANES) {
    const own = new Reader(program, weights), { numbers } = own, at = own.room + LANES * sums;
    const end = Math.min(first + LANES, mistakes.length);
    for (let t = 0, open = true; open; t++) {
      open = false;
      for (let word = first; word < end; word++) {
        const left = mistakes[word] < 0 && offsets[word] + t < offsets[word + 1];
        read[word - first] = left ? symbols[offsets[word] + t] : 0;
        open ||= left;
      }
      own.read(read, t);
      own.goOn();
      for (let word = first; word < end; word++) {
        const place = offsets[word] + t;
        if (mistakes[word] >= 0 || place >= offsets[word + 1] || counted[place] === 0) continue;
        for (let o = 0; o < outputs; o++) {
          const target = targets[place * outputs + o];
          if (target !== EITHER && numbers[at + LANES * o + word - first] > 0 !== target > 0) mistakes[word] = t;
        }
      }
    }
  }
  return mistakes;
}

/**
 * The first mistake on one word, every step of which counts.
 * @param {Program} program @param {ArrayLike<number>} weights @param {ArrayLike<number>} word @param {Uint8Array} targets
 */
export function firstMistake(program, weights, word, targets) {
  const symbols = Uint8Array.from(word), offsets = Uint32Array.of(0, symbols.length);
  return firstMistakes(program, weights, { symbols, offsets, targets, counted: symbols.map(() => 1) })[0];
}

/**
 * The symbol of any string, from 0, at which a network rejects it, −1 if it takes it; its length if it does
 * not allow the end. The language judges the first symbol and the empty word.
 * @param {Program} program @param {ArrayLike<number>} weights @param {Language} language @param {ArrayLike<number>} word
 */
export function firstRejection(program, weights, language, word) {
  if (word.length === 0) return language.accepts(language.start) ? -1 : 0;
  if (language.step(language.start, word[0]) === null) return 0;
  const mistake = firstMistake(program, weights, word, language.needs(word));
  return mistake < 0 ? -1 : mistake + 1;
}

/**
 * How many of some words are accepted: every step that counts is right.
 * @param {Program} program @param {ArrayLike<number>} weights @param {Words} words
 */
export function accepted(program, weights, words) {
  return firstMistakes(program, weights, words).reduce((sum, mistake) => sum + Number(mistake < 0), 0);
}
