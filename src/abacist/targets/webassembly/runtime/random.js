// Random bits: NumPy's SFC64, one stream for every purpose of every seed, as corpora/stream.py has them.
// Numbers of 64 bits are two halves of 32, the upper one first.

/** What a stream is for; see `Purpose` of corpora/stream.py. */
export const CORPORA = 0, WEIGHTS = 1, ORDER = 2, OWN_ORDER = 5;

/**
 * NumPy's SeedSequence: words of 32 bits for a seed and a path.
 * @param {number} seed from 0 to 2⁵³ − 1
 * @param {readonly number[]} path whole numbers below 2³²
 * @param {number} count
 */
export function seedWords(seed, path, count) {
  const entropy = [seed >>> 0];
  if (seed >= 4294967296) entropy.push(Math.floor(seed / 4294967296));
  while (path.length > 0 && entropy.length < 4) entropy.push(0);
  entropy.push(...path);
  let hash = 0x43b0d7e5;
  /** @param {number} value */
  const hashed = (value) => {
    value = (value ^ hash) >>> 0;
    hash = Math.imul(hash, 0x931e8875) >>> 0;
    value = Math.imul(value, hash) >>> 0;
    return (value ^ (value >>> 16)) >>> 0;
  };
  /** @param {number} x @param {number} y */
  const mixed = (x, y) => {
    const result = (Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715)) >>> 0;
    return (result ^ (result >>> 16)) >>> 0;
  };
  const pool = [0, 1, 2, 3].map((place) => hashed(entropy[place] ?? 0));
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  }
  for (const word of entropy.slice(4)) {
    for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word));
  }
  hash = 0x8b51f9dd;
  return Array.from({ length: count }, (_, place) => {
    let value = (pool[place % 4] ^ hash) >>> 0;
    hash = Math.imul(hash, 0x58f38ded) >>> 0;
    value = Math.imul(value, hash) >>> 0;
    return (value ^ (value >>> 16)) >>> 0;
  });
}

/** A stream of random bits. After `next`, `high` and `low` are the halves of a number of 64 bits. */
export class Stream {
  /** @param {number} seed @param {number} purpose @param {...number} path */
  constructor(seed, purpose, ...path) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`seed must be a whole number from 0 to 2⁵³ − 1, got ${seed}`);
    }
    const [a, b, c, d, e, f] = seedWords(seed, [purpose, ...path], 6);
    // Three numbers, the lower half of each first, and a counter.
    this.state = new Uint32Array([b, a, d, c, f, e, 0, 1]);
    this.high = 0;
    this.low = 0;
    for (let round = 0; round < 12; round++) this.next();
  }

  /** 64 random bits into `high` and `low`. */
  next() {
    const s = this.state;
    const [ah, al, bh, bl, ch, cl, nh, nl] = s;
    const low = al + bl + nl;
    const high = (ah + bh + nh + Math.floor(low / 4294967296)) >>> 0;
    this.high = high;
    this.low = low >>> 0;
    s[7] = nl + 1;
    s[6] = nl === 4294967295 ? nh + 1 : nh;
    s[0] = bh ^ (bh >>> 11);
    s[1] = bl ^ ((bl >>> 11) | (bh << 21));
    const shifted = cl + ((cl << 3) >>> 0);
    s[3] = shifted;
    s[2] = ch + (((ch << 3) | (cl >>> 29)) >>> 0) + (shifted >= 4294967296 ? 1 : 0);
    const turned = (((cl << 24) | (ch >>> 8)) >>> 0) + this.low;
    s[5] = turned;
    s[4] = (((ch << 24) | (cl >>> 8)) >>> 0) + high + (turned >= 4294967296 ? 1 : 0);
  }

  /** A uniform whole number below a bound of at most 2²¹, without bias. @param {number} bound */
  below(bound) {
    const reject = 4294967296 % bound;
    for (;;) {
      this.next();
      const product = this.high * bound;
      if (product % 4294967296 >= reject) return Math.floor(product / 4294967296);
    }
  }

  /** A uniform number in [0, 1) of 53 bits. */
  fraction() {
    this.next();
    return (this.high * 2097152 + (this.low >>> 11)) / 9007199254740992;
  }

  /**
   * An option of a row of weighted choices; a row of one option costs no bits.
   * @param {Choices} choices @param {number} row
   */
  choose(choices, row) {
    let place = choices.rows[row];
    const last = choices.rows[row + 1] - 1;
    if (place < last) {
      this.next();
      const { high, low } = choices;
      while (place < last && (this.high > high[place] || (this.high === high[place] && this.low >= low[place]))) {
        place++;
      }
    }
    return choices.options[place];
  }

  /** The order in which as many random numbers of 64 bits would be sorted. @param {number} count */
  order(count) {
    const high = new Uint32Array(count), low = new Uint32Array(count);
    for (let place = 0; place < count; place++) {
      this.next();
      high[place] = this.high;
      low[place] = this.low;
    }
    return Uint32Array.from({ length: count }, (_, place) => place).sort(
      (a, b) => high[a] - high[b] || low[a] - low[b] || a - b,
    );
  }
}

/**
 * Rows of weighted options, as corpora/choices.py makes them: row r spans rows[r] to rows[r + 1], and
 * its thresholds are numbers of 64 bits in two halves.
 * @typedef {{rows: ArrayLike<number>, options: ArrayLike<number>, high: ArrayLike<number>,
 *   low: ArrayLike<number>}} Choices
 */
