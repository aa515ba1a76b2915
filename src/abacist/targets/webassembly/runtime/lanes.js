// Many runs at once, in WebAssembly: four lie in the lanes of a vector, each with its own weights and words.
import { ADAM, epochOrder, lengthsOf, slotsOf } from "../../javascript/runtime/networks.js";

/** @import { Adam, Order, Words } from "../../javascript/runtime/networks.js" */
/**
 * A program that Python has made for one layout. The letters of `code` are the bytes of a module; `values` says where states and outputs
 * begin on the tape, counted from a step, and how long they are.
 * @typedef {{name: string, inputs: number, outputs: number, parameters: number, tape: number, adjoint: number,
 *   values: Record<string, number[]>, code: string}} LaneProgram
 * @typedef {{
 *   forward(weights: number, tape: number, words: number, end: number, scales: number, losses: number): void,
 *   backward(weights: number, gradient: number, tape: number, tapeEnd: number, adjoint: number, end: number,
 *     scales: number): void,
 *   adam(weights: number, first: number, second: number, gradient: number, size: number, correction: number,
 *     beta1: number, beta2: number, rest1: number, rest2: number, epsilon: number): void}} LaneFunctions
 * @typedef {{run: number, weights: number, first: number, second: number, gradient: number, scales: number,
 *   words: number, starts: Uint32Array}} Four four runs from `run` on, and where what belongs to them lies; their words
 *   of slot i begin at step starts[i]
 */

/** Runs in a vector, and bytes of a vector of numbers. */
const LANES_OF_VECTOR = 4, VECTOR_BYTES = 16;

/** @type {WeakMap<LaneProgram, WebAssembly.Module>} */
const MODULES = new WeakMap();

/** Memory with a program that works in it; what lies there is told before it is made. */
class Workplace {
  /** @param {LaneProgram} lanes */
  constructor(lanes) {
    this.lanes = lanes;
    this.size = 0;
    this.bytes = new Uint8Array();
    this.numbers = new Float32Array();
  }

  /** The address of so many bytes. @param {number} bytes */
  reserve(bytes) {
    const address = this.size;
    this.size += Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
    return address;
  }

  /** Make the memory, all zeros. @returns {LaneFunctions} */
  open() {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.size / 65536) });
    let module = MODULES.get(this.lanes);
    if (module === undefined) {
      module = new WebAssembly.Module(Uint8Array.from(this.lanes.code, (letter) => letter.charCodeAt(0)));
      MODULES.set(this.lanes, module);
    }
    this.bytes = new Uint8Array(memory.buffer);
    this.numbers = new Float32Array(memory.buffer);
    const { exports } = new WebAssembly.Instance(module, { abacist: { memory } });
    return /** @type {LaneFunctions} */ (/** @type {unknown} */ (exports));
  }

  /**
   * Numbers into one lane of vectors.
   * @param {number} address @param {number} lane @param {ArrayLike<number>} values
   */
  setLane(address, lane, values) {
    const first = address / 4 + lane;
    for (let i = 0; i < values.length; i++) this.numbers[first + LANES_OF_VECTOR * i] = values[i];
  }

  /** Numbers of one lane of vectors. @param {number} address @param {number} lane @param {number} count */
  lane(address, lane, count) {
    return Float64Array.from({ length: count }, (_, i) => this.numbers[address / 4 + lane + LANES_OF_VECTOR * i]);
  }
}

/** Bytes of a step of a word: symbol, whether it counts, and targets of every lane. @param {LaneProgram} lanes */
function bytesOfStep({ outputs }) {
  return LANES_OF_VECTOR * (2 + outputs);
}

/**
 * Refuse runs that do not fit a program.
 * @param {LaneProgram} lanes @param {readonly ArrayLike<number>[]} weights
 */
function checkRuns(lanes, weights) {
  if (weights.length < 1) throw new RangeError("lanes need at least one run, got none");
  for (const { length } of weights) {
    if (length !== lanes.parameters) {
      throw new RangeError(`${lanes.name} has ${lanes.parameters} weights, got ${length}`);
    }
  }
}

/**
 * Networks on a word: of every run, states and outputs by name, unit after unit of step after step.
 * @param {LaneProgram} lanes @param {readonly ArrayLike<number>[]} weights of every run @param {ArrayLike<number>} word
 * @returns {Record<string, Float32Array>[]}
 */
export function followLanes(lanes, weights, word) {
  checkRuns(lanes, weights);
  const place = new Workplace(lanes), step = bytesOfStep(lanes), steps = word.length;
  const parameters = place.reserve(VECTOR_BYTES * lanes.parameters), symbols = place.reserve(step * steps);
  const scales = place.reserve(VECTOR_BYTES), losses = place.reserve(VECTOR_BYTES);
  const tape = place.reserve(VECTOR_BYTES * lanes.tape * (steps + 1)), { forward } = place.open();
  for (let t = 0; t < steps; t++) {
    const first = symbols + step * t;
    place.bytes.fill(word[t], first, first + LANES_OF_VECTOR);
  }
  return weights.map((_, run) => {
    const lane = run % LANES_OF_VECTOR;
    if (lane === 0) {
      for (const [own, values] of weights.slice(run, run + LANES_OF_VECTOR).entries()) {
        place.setLane(parameters, own, values);
      }
      forward(parameters, tape, symbols, symbols + step * steps, scales, losses);
    }
    return Object.fromEntries(Object.entries(lanes.values).map(([name, [start, size]]) => {
      const values = new Float32Array(steps * size);
      for (let t = 0; t < steps; t++) {
        values.set(place.lane(tape + VECTOR_BYTES * (lanes.tape * t + start), lane, size), t * size);
      }
      return [name, values];
    }));
  });
}

/**
 * Online training of several runs at once: each has its own weights and words, and what it computes does not depend
 * on the others. One word of every run, one update, in the order in which the package visits the words, in float32.
 */
export class LaneTrainer {
  /**
   * @param {LaneProgram} lanes @param {readonly ArrayLike<number>[]} weights the initial ones of every run
   * @param {readonly Words[]} words of every run, equally many
   * @param {{adam?: Adam, order?: Order, seeds?: readonly number[]}} [options] the seeds are those of own orders
   */
  constructor(lanes, weights, words, { adam = ADAM, order = "shared", seeds = [] } = {}) {
    checkRuns(lanes, weights);
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
    this.lanes = lanes;
    this.adam = adam;
    this.order = order;
    this.runs = weights.length;
    this.place = new Workplace(lanes);
    /** Symbols of all runs in each slot. */
    this.symbols = new Uint32Array(count);
    this.visits = epochOrder(order, 0, count);
    this.updates = 0;
    this.fours = Array.from({ length: Math.ceil(this.runs / LANES_OF_VECTOR) }, (_, i) => {
      return this.#reserved(LANES_OF_VECTOR * i, lengths, slots);
    });
    const longest = Math.max(...lengths.map((own) => own.reduce((most, length) => Math.max(most, length))));
    this.tape = this.place.reserve(VECTOR_BYTES * lanes.tape * (longest + 1));
    this.adjoint = this.place.reserve(VECTOR_BYTES * lanes.adjoint);
    this.losses = this.place.reserve(VECTOR_BYTES);
    this.functions = this.place.open();
    for (const four of this.fours) {
      // A byte that is no symbol says that a lane has no word there, or that it has ended.
      const step = bytesOfStep(lanes), end = four.words + step * four.starts[count];
      for (let at = four.words; at < end; at += step) this.place.bytes.fill(lanes.inputs, at, at + LANES_OF_VECTOR);
      for (let lane = 0; lane < LANES_OF_VECTOR && four.run + lane < this.runs; lane++) {
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
    const { lanes, place, symbols } = this, starts = new Uint32Array(symbols.length + 1);
    for (let slot = 0; slot < symbols.length; slot++) {
      let longest = 0;
      for (let own = run; own < run + LANES_OF_VECTOR && own < this.runs; own++) {
        const length = lengths[own][slots[own][slot]];
        symbols[slot] += length;
        longest = Math.max(longest, length);
      }
      starts[slot + 1] = starts[slot] + longest;
    }
    const vectors = () => place.reserve(VECTOR_BYTES * lanes.parameters);
    const [weights, first, second, gradient] = [vectors(), vectors(), vectors(), vectors()];
    const scales = place.reserve(VECTOR_BYTES * symbols.length);
    const words = place.reserve(bytesOfStep(lanes) * starts[symbols.length]);
    return { run, weights, first, second, gradient, scales, words, starts };
  }

  /**
   * Lay the words of a run into its lane.
   * @param {Four} four @param {number} lane @param {Words} words @param {Uint32Array} slots
   */
  #lay({ words, scales, starts }, lane, { symbols, offsets, targets, counted }, slots) {
    const { lanes: { outputs }, place: { bytes } } = this, step = bytesOfStep(this.lanes);
    this.place.setLane(scales, lane, Array.from(slots, (word, slot) => {
      let counting = 0;
      for (let t = offsets[word], at = words + step * starts[slot] + lane; t < offsets[word + 1]; t++, at += step) {
        bytes[at] = symbols[t];
        bytes[at + LANES_OF_VECTOR] = counted[t];
        for (let o = 0; o < outputs; o++) bytes[at + LANES_OF_VECTOR * (2 + o)] = targets[t * outputs + o];
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
    const { weights } = this.fours[Math.floor(run / LANES_OF_VECTOR)];
    return this.place.lane(weights, run % LANES_OF_VECTOR, this.lanes.parameters);
  }

  /**
   * Train on the next words of every run; the sum of each run's losses, each from before its update, and how many
   * symbols all runs together had.
   * @param {number} count
   */
  advance(count) {
    const { forward, backward, adam } = this.functions, { rate, beta1, beta2, epsilon } = this.adam;
    const { lanes, tape, adjoint, losses, place } = this, step = bytesOfStep(lanes), width = VECTOR_BYTES * lanes.tape;
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
        adam(weights, first, second, gradient, size, correction, beta1, beta2, 1 - beta1, 1 - beta2, epsilon);
        for (let lane = 0; lane < LANES_OF_VECTOR && run + lane < this.runs; lane++) {
          totals[run + lane] += place.numbers[losses / 4 + lane];
        }
      }
      symbols += this.symbols[slot];
    }
    return { losses: totals, symbols };
  }
}
