// Break it: words that a network gets wrong, and what is known of it as its gates get sharper.
import { byId, made, motionWanted, reveal } from "./elements.js";
import { breaking, familiesOf } from "./families.js";
import { sharpened, written } from "./following.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { NestedWords } from "./payload.js" */
/** @import { Searching, SearchOrder } from "./worker.js" */

/** The longest words that are searched, and the seconds that a search takes at most. */
const LONGEST_SEARCHED = 300, SECONDS = 15;

/** @param {Session} session @param {() => Worker} hire */
export function breakIt(session, hire) {
  const told = byId("broken", HTMLElement), slider = byId("factor", HTMLInputElement), only = byId("nested-only", HTMLInputElement);
  const nestedOf = (/** @type {Network} */ { language }) => session.content.languages[language.tables.name].nested;
  /** The language whose words are searched; null for all. */
  const searched = () => (only.checked ? nestedOf(session.network) : null);
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

  /** Show a word, and run along it to its first mistake. @param {number[]} word @param {(at: number) => string} text by the first wrong step, 0 if there is none */
  const show = (word, text) => {
    session.change({ word });
    const at = session.followed.firstWrong + 1;
    say(text(at), at > 0 ? "fails" : "holds");
    reveal(byId("picture", HTMLElement));
    play(at > 0 ? at : word.length, move, (frame) => (playing = frame));
  };
  /** Show a word that was found to fail. @param {number[]} word */
  const showFailing = (word) => {
    show(word, (at) =>
      at > 0
        ? `A failing ${searched() === null ? "" : "nested "}word of ${counted(word.length)}: ${shortened(session.network, word)}. The network is first wrong after ${counted(at)}.`
        : `A word of ${counted(word.length)} fails as abacist computes it, in ${session.network.precision === "float64" ? "double" : "single"} precision. With the rounding of this page it is right.`,
    );
    if (session.followed.firstWrong < 0) told.className = "verdict-line open";
  };

  const search = () => {
    halt();
    const { network, factor } = session, nested = searched(), words = nested?.tables ?? network.language.tables;
    const whole = knownOf(session, factor), known = nested === null || whole?.everyWord ? whole : knownOf(session, factor, words.name);
    if (known?.wrong) {
      showFailing(known.wrong);
      return;
    }
    if (known?.everyWord || (known && !known.holds)) {
      say(known.everyWord ? `There is no failing word: ${known.text}.` : `No failing word fits on this page: ${known.text}.`, known.everyWord ? "holds" : "open");
      return;
    }
    searching = hire();
    searching.addEventListener("message", (/** @type {MessageEvent<Searching>} */ { data }) => {
      if (!data.done) {
        say(`Searching ${nested === null ? "" : "nested "}words of ${counted(data.length)} …`);
        return;
      }
      halt();
      learn(network, factor, nested, data);
      session.change({});
      if (data.word !== null) showFailing(data.word);
      else say(`No failing ${nested === null ? "" : "nested "}word of up to ${counted(data.length)} was found${known?.proved ? `; up to ${counted(known.proved)} there is none` : ""}. Longer ones may fail.`, "open");
    });
    /** @type {SearchOrder} */
    const order = {
      kind: "search", program: network.program.name, language: network.language.tables, words,
      weights: sharpened(session.engine, network, factor), longest: LONGEST_SEARCHED, seconds: SECONDS,
    };
    searching.postMessage(order);
    say("Searching for a failing word …");
  };
  only.addEventListener("change", () => {
    halt();
    say("");
    session.change({});
  });

  /** @type {Network | null} */
  let shown = null;
  session.listen(() => {
    if (!moving) cancelAnimationFrame(playing);
    const { factor, factors, hasGates, network } = session;
    byId("sharpen", HTMLElement).hidden = !hasGates;
    byId("no-gates", HTMLElement).hidden = hasGates;
    slider.max = String(factors.length - 1);
    slider.value = String(factors.indexOf(factor));
    slider.setAttribute("aria-valuetext", sharpness(factor));
    byId("factor-label", HTMLElement).textContent = `Gate sharpness ${sharpness(factor)}`;
    const nested = nestedOf(network), words = searched()?.tables.name ?? "";
    byId("nested", HTMLElement).hidden = nested === null;
    byId("nested-label", HTMLElement).textContent = `nested words only (words of ${nested?.title ?? ""}, as in usual training)`;
    byId("horizons", HTMLElement).replaceChildren(
      ...factors.flatMap((own) => {
        const sets = new Set(["", ...network.horizons.filter((known) => known.factor === own).map((known) => known.words), words]);
        return [...sets].map((set) => {
          const text = knownOf(session, own, set)?.text ?? `${set === "" ? "" : amongWords(nested)}not searched yet; press “Find a failing word”`;
          const said = hasGates ? `${sharpness(own)}: ${text}` : text.charAt(0).toUpperCase() + text.slice(1);
          return made("li", { "aria-current": own === factor && set === words ? "true" : null }, `${said}.`);
        });
      }),
    );
    if (network === shown) return;
    shown = network;
    halt();
    say("");
    const buttons = familiesOf(network.language).map((family) =>
      made("button", {
        type: "button", title: family.about, id: `break-${family.name}`,
        click: () => {
          halt();
          show(breaking(session.engine, session.network, session.factor, family), (at) =>
            at > 0
              ? `“${family.label}” fails with ${counted(session.word.length)}: ${shortened(session.network, session.word)}. The network is first wrong after ${counted(at)}.`
              : `“${family.label}” (${family.about}): right at every step, up to the ${counted(session.word.length)} shown here.`,
          );
        },
      }, family.label),
    );
    const first = made("button", { type: "button", class: "main", id: "break-search", click: search }, "Find a failing word");
    byId("families", HTMLElement).replaceChildren(first, ...buttons);
  });
  slider.addEventListener("input", () => {
    halt();
    session.change({ factor: session.factors[Number(slider.value)] });
    const { firstWrong } = session.followed, gates = `With gate sharpness ${sharpness(session.factor)}`;
    if (session.word.length > 0) {
      say(
        firstWrong < 0
          ? `${gates}, the network is right at every step of the word shown.`
          : `${gates}, the network is first wrong after ${counted(firstWrong + 1)} of the word shown.`,
        firstWrong < 0 ? "holds" : "fails",
      );
    }
  });
}

/** @param {number} count */
const counted = (count) => `${count.toLocaleString("en")} ${count === 1 ? "symbol" : "symbols"}`;

/** @param {number} factor */
const sharpness = (factor) => `× ${Number(factor.toPrecision(3))}${factor === 1 ? " (unchanged)" : ""}`;

/** What is known of the network at a sharpness of its gates, among words. @param {Session} session @param {number} factor @param {string} words */
function knownOf({ network }, factor, words = "") {
  return network.horizons.find((known) => known.factor === factor && known.words === words) ?? null;
}

/** @param {NestedWords | null} nested */
const amongWords = (nested) => (nested === null ? "" : `among words of ${nested.title}, `);

/** Note what a search has found, which proves nothing. @param {Network} network @param {number} factor @param {NestedWords | null} nested @param {Searching} found */
function learn(network, factor, nested, { word, length }) {
  const words = nested?.tables.name ?? "", known = network.horizons.find((own) => own.factor === factor && own.words === words);
  const proved = known?.proved ?? 0;
  if (word === null && known !== undefined) return;
  const text = amongWords(nested) + (word === null
    ? `no failing word of up to ${counted(length)} was found`
    : `wrong on a word of ${counted(word.length)}${proved > 0 ? `; every word of up to ${counted(proved)} is proved right` : ""}`);
  network.horizons = network.horizons.filter((own) => own !== known);
  network.horizons.push({ factor, words, text, proved, wrong: word, holds: word === null, everyWord: false });
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
