// What the visitor is looking at: a network, how sharp its gates are, a word, and a step of it; and its link.
import { LONGEST } from "./endings.js";
import { follow } from "./following.js";

/** @import { Engine, Content } from "./payload.js" */
/** @import { Followed, Network } from "./following.js" */
/**
 * @typedef {{network?: Network, factor?: number, word?: readonly number[], at?: number}} Change
 * @typedef {{trained?: string, network?: string, word?: string, at?: number, factor?: number}} Linked
 */

/** Tells everyone who listens when something has changed. */
export class Session {
  /** @type {Set<(session: Session) => void>} */
  #listeners = new Set();
  /** @type {number[]} */
  word = [];
  factor = 1;
  /** How many symbols have been read: what is shown is the step after them. */
  at = 0;

  /** @param {Engine} engine @param {Content} content @param {Network[]} networks at least one */
  constructor(engine, content, networks) {
    this.engine = engine;
    this.content = content;
    this.networks = networks;
    this.network = networks[0];
    /** @type {Followed} */
    this.followed = follow(engine, this.network, 1, []);
  }

  /** @param {(session: Session) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    listener(this);
  }

  /** Whether the gates of the network can be sharpened. */
  get hasGates() {
    return this.content.gated.includes(this.network.program.cell);
  }

  /** How sharp its gates can be made, in order: × 1 leaves them unchanged. */
  get factors() {
    const { content, hasGates, network } = this, known = network.horizons.map(({ factor }) => factor);
    return hasGates ? [...new Set([...content.factors, ...known])].sort((a, b) => a - b) : [1];
  }

  /** Change what is looked at; without a step, it is the last one. @param {Change} change */
  change({ network = this.network, factor, word, at }) {
    const { network: before, factor: sharpness } = this;
    this.network = network;
    // Another network begins with its gates as trained; of what is asked for, the nearest is taken.
    const asked = factor ?? (network.key === before.key ? sharpness : 1), apart = (/** @type {number} */ own) => Math.abs(Math.log(own / asked));
    this.factor = this.factors.reduce((best, own) => (apart(own) < apart(best) ? own : best), 1);
    if (word !== undefined || network.language.tables.name !== before.language.tables.name) this.word = [...(word ?? [])].slice(0, LONGEST);
    if (word !== undefined || network !== before || this.factor !== sharpness) {
      this.followed = follow(this.engine, network, this.factor, this.word);
    }
    this.at = Math.max(0, Math.min(at ?? (word === undefined ? this.at : this.word.length), this.word.length));
    for (const listener of this.#listeners) listener(this);
  }
}

/** What a link says. @param {string} hash */
export function fromLink(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {Linked} */
  const linked = {};
  for (const name of /** @type {const} */ (["network", "trained", "word"])) {
    const value = asked.get(name);
    if (value !== null) linked[name] = value;
  }
  const [at, factor] = ["at", "factor"].map((name) => Number(asked.get(name) ?? NaN));
  if (Number.isSafeInteger(at)) linked.at = at;
  if (factor > 0 && factor < Infinity) linked.factor = factor;
  return linked;
}

/** The link to what is looked at. @param {Session} session */
export function toLink({ network, word, at, factor }) {
  const asked = new URLSearchParams();
  asked.set(network.group < 0 ? "trained" : "network", network.key);
  if (word.length > 0) asked.set("word", word.map((symbol) => network.language.tables.glyphs[symbol]).join(""));
  if (at < word.length) asked.set("at", String(at));
  if (factor !== 1) asked.set("factor", String(factor));
  return `#${asked}`;
}
