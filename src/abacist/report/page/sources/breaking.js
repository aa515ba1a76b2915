// Break it: words that defeat a network, and gates so sharp that it holds.
import { byId, made, motionWanted, reveal } from "./elements.js";
import { breaking, familiesOf } from "./families.js";
import { sharpened, written } from "./following.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { Horizon } from "./payload.js" */
/** @import { Searching, SearchOrder } from "./worker.js" */

/** How far words are looked for, and for how many seconds at most. */
const LONGEST_SEARCHED = 300, SECONDS = 15;

/** @param {Session} session @param {() => Worker} hire */
export function breakIt(session, hire) {
  const told = byId("broken", HTMLElement), slider = byId("factor", HTMLInputElement);
  /** @type {Worker | null} */
  let searching = null;
  let playing = 0, moving = false;
  const halt = () => {
    searching?.terminate();
    searching = null;
    cancelAnimationFrame(playing);
  };
  /** @param {string} text @param {string} look */
  const say = (text, look = "") => {
    told.textContent = text;
    told.className = `verdict-line ${look}`;
  };

  /** Go a step on. @param {number} at */
  const move = (at) => {
    moving = true;
    session.change({ at });
    moving = false;
  };

  /** Show a word, and run along it to where it goes wrong. @param {number[]} word @param {string} name */
  const show = (word, name) => {
    session.change({ word });
    const { firstWrong } = session.followed, at = firstWrong < 0 ? word.length : firstWrong + 1;
    say(
      firstWrong < 0
        ? `${name} has ${word.length} symbols. In the double precision of this page the network is right on it; in the ` +
            "single precision in which it was trained, it is wrong."
        : `${name} has ${word.length} symbols: ${shortened(session.network, word)}. The network is wrong after ${at} of them.`,
      firstWrong < 0 ? "open" : "fails",
    );
    reveal(byId("picture", HTMLElement));
    play(at, move, (frame) => (playing = frame));
  };

  const shortest = () => {
    halt();
    const { network, factor } = session, known = horizonOf(session);
    if (known?.wrong) {
      show(known.wrong, "The shortest word found");
      return;
    }
    searching = hire();
    searching.addEventListener("message", (/** @type {MessageEvent<Searching>} */ { data }) => {
      if (!data.done) {
        say(`Looking at words of ${data.length} symbols …`);
        return;
      }
      halt();
      if (data.word !== null) show(data.word, "The shortest word found");
      else say(`No word of up to ${data.length} symbols was found that breaks it. That is no proof.`, "holds");
    });
    /** @type {SearchOrder} */
    const order = {
      kind: "search", program: network.program.name, language: network.language.tables,
      weights: sharpened(session.engine, network, factor), longest: LONGEST_SEARCHED, seconds: SECONDS,
    };
    searching.postMessage(order);
    say("Looking for a word …");
  };

  /** @type {Network | null} */
  let shown = null;
  session.listen(() => {
    if (!moving) cancelAnimationFrame(playing);
    slider.disabled = !session.hasGates;
    slider.value = String(Math.log2(session.factor));
    slider.setAttribute("aria-valuetext", `gates ${session.factor} times as sharp`);
    const { factor, network } = session;
    byId("factor-label", HTMLElement).textContent = !session.hasGates
      ? "This cell has no gates to sharpen"
      : factor === 1 ? "Gates as sharp as they are" : `Gates ${Number(factor.toPrecision(3))} times as sharp`;
    byId("horizon", HTMLElement).textContent = horizonSentence(horizonOf(session), factor);
    if (network === shown) return;
    shown = network;
    halt();
    say("");
    const buttons = familiesOf(network.language).map((family) =>
      made("button", {
        type: "button", title: family.about, id: `break-${family.name}`,
        click: () => {
          halt();
          const word = breaking(session.engine, session.network, session.factor, family);
          if (word !== null) show(word, `“${family.label}”`);
          else say(`“${family.label}”, ${family.about}: it holds for 1,000 symbols.`, "holds");
        },
      }, family.label),
    );
    const first = made("button", { type: "button", class: "main", id: "break-shortest", click: shortest }, "Shortest word found");
    byId("families", HTMLElement).replaceChildren(first, ...buttons);
  });
  slider.addEventListener("input", () => {
    halt();
    session.change({ factor: 2 ** Number(slider.value) });
    const { firstWrong } = session.followed;
    if (session.word.length > 0) {
      say(
        firstWrong < 0 ? "On the word above it is now right at every step." : `On the word above it is wrong after ${firstWrong + 1} symbols.`,
        firstWrong < 0 ? "holds" : "fails",
      );
    }
  });
}

/** What the store knows of a network with gates as sharp as now. @param {Session} session */
function horizonOf({ network, factor }) {
  return network.horizons.find((known) => known.factor === factor) ?? null;
}

/** @param {Horizon | null} known @param {number} factor */
function horizonSentence(known, factor) {
  if (known === null) return "";
  const gates = factor === 1 ? "Known of this network" : `Known of this network with gates ${factor} times as sharp`;
  if (known.everyWord) return `${gates}: proved right on every word, however long, as deep as its precision can count.`;
  const proof = `proved right on every word of up to ${known.proved} symbols`;
  return `${gates}: ${proof}${known.wrong === null ? "" : `; wrong on one of ${known.wrong.length}`}.`;
}

/** A word as text, its middle left out where it is long. @param {Network} network @param {number[]} word */
function shortened(network, word) {
  const text = written(network.language, word);
  return text.length <= 60 ? text : `${text.slice(0, 28)}…${text.slice(-28)}`;
}

/**
 * Run along the word in a second or two; without motion, jump.
 * @param {number} end @param {(at: number) => void} move @param {(frame: number) => void} waiting told what to cancel
 */
function play(end, move, waiting) {
  if (!motionWanted()) {
    move(end);
    return;
  }
  const begun = performance.now(), lasting = Math.min(2500, 60 * end);
  let last = 0;
  const go = (/** @type {number} */ now) => {
    const at = Math.min(end, Math.max(1, Math.ceil((end * (now - begun)) / lasting)));
    if (at !== last) move(at);
    last = at;
    if (at < end) waiting(requestAnimationFrame(go));
  };
  waiting(requestAnimationFrame(go));
}
