// The page: unpack what it comes with, show what the link says, and listen.
import { breakIt } from "./breaking.js";
import { byId } from "./elements.js";
import { engineOf, unpack, weightsOf } from "./payload.js";
import { results } from "./results.js";
import { fromLink, Session, toLink } from "./session.js";
import { settingsOf, training } from "./training.js";
import { workbench } from "./workbench.js";

/** @import { Content, Engine } from "./payload.js" */
/** @import { Network } from "./following.js" */

/** What a visitor sees first, where the language has it. */
const FIRST_WORD = "(()(()))()";

/** @param {Content} content @param {Engine} engine @returns {Network[]} */
function networksOf({ networks, groups, languages }, engine) {
  const own = Object.fromEntries(
    Object.entries(languages).map(([name, { tables }]) => [name, new engine.Language(tables)]),
  );
  return networks.map((packed) => ({
    key: packed.key, group: packed.group, title: groups[packed.group].title, label: packed.label,
    language: own[packed.language], program: engine.PROGRAMS[packed.program], weights: weightsOf(packed),
    precision: packed.precision, accuracy: packed.accuracy, horizons: packed.horizons,
  }));
}

async function start() {
  const { engine: text, worker, content } = await unpack(byId("payload", HTMLElement).textContent ?? "");
  const engine = await engineOf(text), session = new Session(engine, content, networksOf(content, engine));
  // A file may not load modules into a worker, but a plain script made here it may.
  const source = URL.createObjectURL(new Blob([`${text}\n${worker}\ntakeOrders(PROGRAMS, TRAINING, ready);`], { type: "text/javascript" }));
  const hire = () => new Worker(source);
  workbench(session);
  breakIt(session, hire);
  const train = training(session, hire);
  results(session);

  /** @param {string} link */
  const visit = (link) => {
    const { network: key, trained, word, at, factor } = fromLink(link);
    /** @param {Network} network */
    const open = (network) => {
      const symbols = network.language.parse(word ?? "") ?? [];
      session.change({ network, word: symbols, factor: factor ?? 1, at: at ?? symbols.length });
    };
    const known = session.networks.find((own) => own.key === (trained ?? key)), settings = settingsOf(trained ?? "");
    if (known !== undefined) open(known);
    else if (settings !== null && train(settings, 1, open)) return;
    else if (word !== undefined) open(session.networks[0]);
    else if (session.word.length === 0) session.change({ word: session.network.language.parse(FIRST_WORD) ?? [] });
  };
  visit(location.hash);
  addEventListener("hashchange", ({ newURL }) => {
    const { hash } = new URL(newURL); // not the location's: what waited below may just have rewritten that
    if (hash.includes("=")) visit(hash);
  });
  // Browsers refuse to have a link rewritten again and again: it waits until nothing moves.
  let begun = false, waiting = 0;
  session.listen(() => {
    clearTimeout(waiting);
    if (begun) waiting = setTimeout(() => history.replaceState(null, "", toLink(session)), 300);
    begun = true;
  });
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  byId("failure", HTMLElement).textContent =
    "DecompressionStream" in globalThis && "WebAssembly" in globalThis
      ? `The page could not start: ${error}`
      : "This page needs a browser of 2023 or later, with WebAssembly.";
  throw error;
});
