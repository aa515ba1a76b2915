// Languages as the tables of their automata, which `language_tables` makes.

/**
 * A counter automaton's move tests every counter: "0" zero, "+" positive, "*" either.
 * @typedef {{source: number, symbol: number, tests: string, target: number, updates: readonly number[]}} CounterMove
 * @typedef {{source: number, symbol: number, top: number | null, target: number, pop: boolean,
 *   push: number | null}} StackMove
 * @typedef {{name: string, glyphs: readonly string[], outputs: number, marksEnd: boolean, always: readonly number[],
 *   counterNames: readonly string[], updates: readonly (readonly number[])[], states: number,
 *   accepting: readonly number[], counters: number, moves: readonly (CounterMove | StackMove)[]}} LanguageTables
 * @typedef {{state: number, counters: number[], stack: number[]}} Configuration
 * @typedef {{moves: (CounterMove | StackMove | undefined)[], next: Uint8Array}} Situation
 * @typedef {{targets: Uint8Array, leftAt: number, depths: number[][]}} Reading targets (time, output), as `label` has
 *   them: zero from where the word leaves the language; leftAt is −1 if it does not, its length if it ends too early;
 *   depths (time, counter), of all symbols, also behind that place
 */

/** What an output says that may be predicted or not. */
export const EITHER = 2;

/** A language: what may come next, and where a word leaves it. */
export class Language {
  /**
   * What is possible in a state, by which counters are not zero or what is on top of the stack.
   * @type {Map<number, Situation>}
   */
  #situations = new Map();

  /** @param {LanguageTables} tables */
  constructor(tables) {
    this.tables = tables;
    this.symbols = tables.glyphs.length;
    this.outputs = tables.outputs;
    this.accepting = new Set(tables.accepting);
    this.always = new Set(tables.always);
  }

  /** @returns {Configuration} */
  get start() {
    return { state: 0, counters: new Array(this.tables.counters).fill(0), stack: [] };
  }

  /**
   * The configuration after one more symbol, null if it cannot come next.
   * @param {Configuration} at @param {number} symbol @returns {Configuration | null}
   */
  step(at, symbol) {
    const move = this.#situation(at).moves[symbol];
    if (move === undefined) return null;
    if ("tests" in move) {
      return { state: move.target, counters: at.counters.map((n, i) => n + move.updates[i]), stack: at.stack };
    }
    const stack = move.pop ? at.stack.slice(0, -1) : at.stack;
    return { state: move.target, counters: at.counters, stack: move.push === null ? stack : [...stack, move.push] };
  }

  /** Whether a word may end here. @param {Configuration} at */
  accepts(at) {
    return this.accepting.has(at.state) && at.stack.length === 0 && at.counters.every((n) => n === 0);
  }

  /** What may come next, (output,). @param {Configuration} at */
  next(at) {
    return this.#situation(at).next.slice();
  }

  /** @param {Configuration} at @returns {Situation} */
  #situation(at) {
    let key = at.stack.length > 0 ? at.stack[at.stack.length - 1] + 1 : 0;
    at.counters.forEach((n, i) => (key += n > 0 ? 2 ** i : 0));
    key = key * this.tables.states + at.state;
    let known = this.#situations.get(key);
    if (known === undefined) {
      const moves = Array.from({ length: this.symbols }, (_, symbol) => this.#fitting(at, symbol));
      const possible = [...moves.map((move) => Number(move !== undefined)), Number(this.accepts(at))];
      known = { moves, next: Uint8Array.from(possible.slice(0, this.outputs)) };
      this.#situations.set(key, known);
    }
    return known;
  }

  /** @param {Configuration} at @param {number} symbol */
  #fitting(at, symbol) {
    const top = at.stack[at.stack.length - 1];
    return this.tables.moves.find((move) => {
      if (move.source !== at.state || move.symbol !== symbol) return false;
      if (!("tests" in move)) return move.top === null || move.top === top;
      return at.counters.every((n, i) => move.tests[i] === "*" || (move.tests[i] === "+") === n > 0);
    });
  }

  /** Follow any string over the alphabet. @param {ArrayLike<number>} word @returns {Reading} */
  read(word) {
    const targets = new Uint8Array(word.length * this.outputs), depths = [];
    const depth = this.tables.counterNames.map(() => 0);
    let leftAt = -1;
    /** @type {Configuration} */
    let at = this.start;
    for (let t = 0; t < word.length; t++) {
      this.tables.updates[word[t]].forEach((move, counter) => (depth[counter] += move));
      depths.push([...depth]);
      if (leftAt >= 0) continue;
      const after = this.step(at, word[t]);
      if (after === null) {
        leftAt = t;
      } else {
        at = after;
        targets.set(this.#situation(at).next, t * this.outputs);
      }
    }
    if (leftAt < 0 && !this.accepts(at)) leftAt = word.length;
    return { targets, leftAt, depths };
  }

  /**
   * The labels of packed words, (symbol, output), every step of which counts.
   * @param {{symbols: Uint8Array, offsets: Uint32Array}} words
   */
  label({ symbols, offsets }) {
    const targets = new Uint8Array(symbols.length * this.outputs);
    for (let i = 0; i + 1 < offsets.length; i++) {
      const own = this.read(symbols.subarray(offsets[i], offsets[i + 1])).targets;
      targets.set(own, offsets[i] * this.outputs);
    }
    return { symbols, offsets, targets, counted: new Uint8Array(symbols.length).fill(1) };
  }

  /**
   * What a string needs in order to be taken, (time, output): see `Words.to_recognise`.
   * @param {ArrayLike<number>} word
   */
  needs(word) {
    const targets = new Uint8Array(word.length * this.outputs).fill(EITHER), last = word.length - 1;
    for (let t = 0; t < last; t++) targets[t * this.outputs + word[t + 1]] = 1;
    for (let output = 0; last >= 0 && output < this.outputs; output++) {
      if (this.tables.marksEnd ? output === this.symbols : !this.always.has(output)) {
        targets[last * this.outputs + output] = this.tables.marksEnd ? 1 : 0;
      }
    }
    return targets;
  }

  /** The symbols that a text has, the longest glyph first, and how many characters are none. @param {string} text */
  symbolsIn(text) {
    const { glyphs } = this.tables, symbols = [];
    let unknown = 0;
    for (let at = 0; at < text.length; ) {
      let best = -1;
      glyphs.forEach((glyph, symbol) => {
        if (text.startsWith(glyph, at) && (best < 0 || glyph.length > glyphs[best].length)) best = symbol;
      });
      if (best < 0) unknown++;
      else symbols.push(best);
      at += best < 0 ? 1 : glyphs[best].length;
    }
    return { symbols, unknown };
  }

  /** A word of glyphs as symbols, null if something in it is not in the alphabet. @param {string} text */
  parse(text) {
    const { symbols, unknown } = this.symbolsIn(text);
    return unknown > 0 ? null : symbols;
  }
}
