// Training of many runs at once: four lie in the lanes of a vector, each with its own weights and words.
import { bytesOfLetters, checkWeights, LANES, VECTOR_BYTES } from "./networks.js";
import { ORDER, OWN_ORDER, Stream, WEIGHTS } from "./random.js";

/** @import { Program, Words } from "./networks.js" */
/**
 * @typedef {{rate: number, beta1: number, beta2: number, epsilon: number}} Adam
 * @typedef {"shared" | "own" | "fixed"} Order
 * @typedef {{
 *   forward(weights: number, tape: number, words: number, end: number, scales: number, losses: number): void,
 *   backward(weights: number, gradient: number, tape: number, tapeEnd: number, adjoint: number, end: number,
 *     scales: number): void,
 *   update(weights: number, first: number, second: number, gradient: number, size: number, correction: number,
 *     beta1: number, beta2: number, rest1: number, rest2: number, epsilon: number): void}} Functions
 * @typedef {{run: number, weights: number, first: number, second: number, gradient: number, scales: number,
 *   words: number, starts: Uint32Array}} Four four runs from `run` on, and where what belongs to them lies; their words
 *   of slot i begin at step starts[i]
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

/** The lengths of words. @param {Words} words */
function lengthsOf({ offsets }) {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, i) => offsets[i + 1] - offsets[i]);
}

/**
 * Which word of a run lies in each slot; see engine/training.py.
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

/** Memory for the functions of a program; all addresses are reserved before it is opened. */
class Workplace {
  size = 0;
  bytes = new Uint8Array();
  numbers = new Float32Array();

  /** The address of so many bytes. @param {number} bytes */
  reserve(bytes) {
    const address = this.size;
    this.size += Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
    return address;
  }

  /** Make the memory, all zeros. @param {string} code @returns {Functions} */
  open(code) {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.size / 65536) });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfLetters(code)), { abacist: { memory } });
    this.bytes = new Uint8Array(memory.buffer);
    this.numbers = new Float32Array(memory.buffer);
    return /** @type {Functions} */ (/** @type {unknown} */ (exports));
  }

  /**
   * Numbers into one lane of vectors.
   * @param {number} address @param {number} lane @param {ArrayLike<number>} values
   */
  setLane(address, lane, values) {
    for (let i = 0, at = address / 4 + lane; i < values.length; i++, at += LANES) this.numbers[at] = values[i];
  }

  /** Numbers of one lane of vectors. @param {number} address @param {number} lane @param {number} count */
  lane(address, lane, count) {
    return Float32Array.from({ length: count }, (_, i) => this.numbers[address / 4 + lane + LANES * i]);
  }
}

/** Bytes of a step of a word: symbol, whether it counts, and targets of every lane. @param {Program} program */
function bytesOfStep({ outputs }) {
  return LANES * (2 + outputs);
}

/**
 * Online training of several runs at once: each has its own weights and words, and what it computes does not depend
 * on the others. One word of every run, one update, in the order in which the package visits the words, in float32.
 * Browsers let only workers make one.
 */
export class Trainer {
  /**
   * @param {Program} program @param {string} code its functions, bytes as letters
   * @param {readonly ArrayLike<number>[]} weights the initial ones of every run
   * @param {readonly Words[]} words of every run, equally many
   * @param {{adam?: Adam, order?: Order, seeds?: readonly number[]}} [options] the seeds are those of own orders
   */
  constructor(program, code, weights, words, { adam = ADAM, order = "shared", seeds = [] } = {}) {
    if (weights.length < 1) throw new RangeError("training needs at least one run, got none");
    for (const own of weights) checkWeights(program, own);
    if (words.length !== weights.length) {
      throw new RangeError(`every run needs words, got ${words.length} sets for ${weights.length} runs`);
    }
    const lengths = words.map(lengthsOf), count = lengths[0].length;
    if (count < 1) throw new RangeError("training needs at least one word, got none");
    const other = lengths.find((own) => own.length !== count);
    if (other !== undefined) {
      throw new RangeError(`runs at once need equally many words, got ${count} and ${other.length}`);
    }
    const slots = lengths.map((own, run) => slotsOf(order, seeds[run] ?? 0, own));
    this.program = program;
    this.adam = adam;
    this.order = order;
    this.runs = weights.length;
    this.place = new Workplace();
    /** Symbols of all runs in each slot. */
    this.symbols = new Uint32Array(count);
    this.visits = epochOrder(order, 0, count);
    this.updates = 0;
    this.fours = Array.from({ length: Math.ceil(this.runs / LANES) }, (_, i) => {
      return this.#reserved(LANES * i, lengths, slots);
    });
    const longest = Math.max(...lengths.map((own) => own.reduce((most, length) => Math.max(most, length))));
    this.tape = this.place.reserve(VECTOR_BYTES * program.tape * (longest + 1));
    this.adjoint = this.place.reserve(VECTOR_BYTES * program.adjoint);
    this.losses = this.place.reserve(VECTOR_BYTES);
    this.functions = this.place.open(code);
    for (const four of this.fours) {
      // A byte that is no symbol says that a lane has no word there, or that it has ended.
      const step = bytesOfStep(program), end = four.words + step * four.starts[count];
      for (let at = four.words; at < end; at += step) this.place.bytes.fill(program.inputs, at, at + LANES);
      for (let lane = 0; lane < LANES && four.run + lane < this.runs; lane++) {
        const run = four.run + lane;
        this.place.setLane(four.weights, lane, weights[run]);
        this.#lay(four, lane, words[run], slots[run]);
      }
    }
  }

  /**
   * Room for four runs, or what is left of them.
   * @param {number} run @param {readonly Uint32Array[]} lengths @param {readonly Uint32Array[]} slots @returns {Four}
   */
  #reserved(run, lengths, slots) {
    const { program, place, symbols } = this, starts = new Uint32Array(symbols.length + 1);
    for (let slot = 0; slot < symbols.length; slot++) {
      let longest = 0;
      for (let own = run; own < run + LANES && own < this.runs; own++) {
        const length = lengths[own][slots[own][slot]];
        symbols[slot] += length;
        longest = Math.max(longest, length);
      }
      starts[slot + 1] = starts[slot] + longest;
    }
    const vectors = () => place.reserve(VECTOR_BYTES * program.parameters);
    const [weights, first, second, gradient] = [vectors(), vectors(), vectors(), vectors()];
    const scales = place.reserve(VECTOR_BYTES * symbols.length);
    const words = place.reserve(bytesOfStep(program) * starts[symbols.length]);
    return { run, weights, first, second, gradient, scales, words, starts };
  }

  /**
   * Lay the words of a run into its lane.
   * @param {Four} four @param {number} lane @param {Words} words @param {Uint32Array} slots
   */
  #lay({ words, scales, starts }, lane, { symbols, offsets, targets, counted }, slots) {
    const { program: { outputs }, place: { bytes } } = this, step = bytesOfStep(this.program);
    this.place.setLane(scales, lane, Array.from(slots, (word, slot) => {
      let counting = 0;
      for (let t = offsets[word], at = words + step * starts[slot] + lane; t < offsets[word + 1]; t++, at += step) {
        bytes[at] = symbols[t];
        bytes[at + LANES] = counted[t];
        for (let o = 0; o < outputs; o++) bytes[at + LANES * (2 + o)] = targets[t * outputs + o];
        counting += counted[t];
      }
      return 1 / (Math.max(counting, 1) * outputs);
    }));
  }

  /** Whole epochs so far. */
  get epochs() {
    return Math.floor(this.updates / this.visits.length);
  }

  /** The weights of a run as they are now. @param {number} run */
  weights(run) {
    const { weights } = this.fours[Math.floor(run / LANES)];
    return this.place.lane(weights, run % LANES, this.program.parameters);
  }

  /**
   * Train on the next words of every run; the sum of each run's losses, each from before its update, and how many
   * symbols all runs together had.
   * @param {number} count
   */
  advance(count) {
    const { forward, backward, update } = this.functions, { rate, beta1, beta2, epsilon } = this.adam;
    const { program, tape, adjoint, losses, place } = this, step = bytesOfStep(program), width = VECTOR_BYTES * program.tape;
    const totals = new Float64Array(this.runs);
    let symbols = 0;
    for (let done = 0; done < count; done++) {
      const visit = this.updates % this.visits.length;
      if (visit === 0) this.visits = epochOrder(this.order, this.epochs, this.visits.length);
      const slot = this.visits[visit], updates = ++this.updates;
      const size = -rate / (1 - beta1 ** updates), correction = 1 / Math.sqrt(1 - beta2 ** updates);
      for (const { run, weights, first, second, gradient, scales, words, starts } of this.fours) {
        const steps = starts[slot + 1] - starts[slot], at = words + step * starts[slot], end = at + step * steps;
        const scale = scales + VECTOR_BYTES * slot;
        forward(weights, tape, at, end, scale, losses);
        backward(weights, gradient, tape, tape + width * steps, adjoint, end, scale);
        update(weights, first, second, gradient, size, correction, beta1, beta2, 1 - beta1, 1 - beta2, epsilon);
        for (let lane = 0; lane < LANES && run + lane < this.runs; lane++) {
          totals[run + lane] += place.numbers[losses / 4 + lane];
        }
      }
      symbols += this.symbols[slot];
    }
    return { losses: totals, symbols };
  }
}
