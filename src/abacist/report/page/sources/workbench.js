// Type brackets: a network, a word, and what the one makes of the other, step by step.
import { StateChart, percent } from "./charts.js";
import { byId, fillChoices, made, readable } from "./elements.js";
import { LONGEST, randomWord } from "./endings.js";
import { named, outputGlyphs, written } from "./following.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { Language } from "../../../targets/webassembly/runtime/languages.js" */

/** Symbols of a word that are shown side by side. */
const TILES = 160;

/** What values of a cell are called; others go by their names. @type {Record<string, string>} */
const VALUES = { c: "c, the cell state", h: "h, the hidden state", y: "y, the outputs" };

/** @param {Session} session */
export function workbench(session) {
  const input = byId("word", HTMLInputElement), about = byId("word-about", HTMLElement);
  const slider = byId("step", HTMLInputElement), values = byId("values", HTMLSelectElement);
  const chart = new StateChart(byId("states", HTMLElement), 300, (at) => session.change({ at }));
  choices(session);

  /** @param {readonly number[]} word */
  const type = (word) => {
    about.textContent = word.length > LONGEST ? `Words on this page have at most ${LONGEST} symbols.` : "";
    session.change({ word });
  };
  input.addEventListener("input", () => {
    const { language } = session.network, { symbols, unknown } = language.symbolsIn(input.value);
    type(symbols);
    if (unknown > 0) about.textContent = `Symbols of this language are ${language.tables.glyphs.join(" ")}`;
  });
  byId("backspace", HTMLElement).addEventListener("click", () => type(session.word.slice(0, -1)));
  byId("clear", HTMLElement).addEventListener("click", () => type([]));
  byId("random", HTMLElement).addEventListener("click", () => type(randomWord(session.network.language, 24)));
  slider.addEventListener("input", () => session.change({ at: Number(slider.value) }));
  byId("back", HTMLElement).addEventListener("click", () => session.change({ at: session.at - 1 }));
  byId("forth", HTMLElement).addEventListener("click", () => session.change({ at: session.at + 1 }));
  document.addEventListener("keydown", (event) => typedAnywhere(event, session, type));

  /** @type {Network | null} */
  let network = null;
  /** The curves that the visitor has asked for, shown wherever a network has them. */
  let wished = "";
  values.addEventListener("change", () => {
    wished = values.value;
    show();
  });
  const show = () => {
    if (network !== session.network) {
      network = session.network;
      keys(session, type);
      const names = Object.keys(network.program.values);
      const usual = [wished, "c"].find((name) => names.includes(name)) ?? names[0];
      fillChoices(values, names.map((name) => [name, VALUES[name] ?? name]), usual);
    }
    const text = written(network.language, session.word);
    if (input.value !== text) {
      input.value = text;
      input.scrollLeft = input.scrollWidth;
    }
    slider.max = String(session.word.length);
    slider.value = String(session.at);
    chart.show(network, session.followed, values.value, session.at);
    tape(session);
    verdict(session);
    outputs(session);
  };
  session.listen(show);
}

/** The lists from which a network is chosen: its kind, and a run of that. @param {Session} session */
function choices(session) {
  const group = byId("group", HTMLSelectElement), run = byId("run", HTMLSelectElement);
  const of = (/** @type {number} */ number) => session.networks.filter((own) => own.group === number);
  group.addEventListener("change", () => session.change({ network: of(Number(group.value))[0] }));
  run.addEventListener("change", () => {
    const chosen = session.networks.find(({ key }) => key === run.value);
    if (chosen !== undefined) session.change({ network: chosen });
  });
  session.listen(({ network, networks, content }) => {
    const groups = content.groups.map(({ title }, number) => /** @type {const} */ ([String(number), title]));
    const all = networks.some((own) => own.group < 0) ? [/** @type {const} */ (["-1", "Trained here"]), ...groups] : groups;
    fillChoices(group, all, String(network.group));
    fillChoices(run, of(network.group).map(({ key, label }) => [key, label]), network.key);
    const shares = network.accuracy;
    byId("network-about", HTMLElement).textContent =
      shares === null
        ? `${network.title}, ${network.label}.`
        : `${network.title}, ${network.label}. Accuracy: ${percent(shares.short ?? null)} on short words, ` +
          `${percent(shares.long ?? null)} on long words.`;
  });
}

/** A button for every symbol. @param {Session} session @param {(word: number[]) => void} type */
function keys(session, type) {
  const buttons = session.network.language.tables.glyphs.map((glyph, symbol) =>
    made("button", { type: "button", class: "glyph", click: () => type([...session.word, symbol]) }, glyph),
  );
  byId("glyphs", HTMLElement).replaceChildren(...buttons);
}

/**
 * Keys pressed where nothing else wants them: symbols, backspace, and arrows for steps.
 * @param {KeyboardEvent} event @param {Session} session @param {(word: number[]) => void} type
 */
function typedAnywhere(event, session, type) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof HTMLElement && target.closest("input, select, textarea, summary, [role=group] [tabindex]")) return;
  const symbol = session.network.language.tables.glyphs.indexOf(key);
  if (symbol >= 0) type([...session.word, symbol]);
  else if (key === "Backspace") type(session.word.slice(0, -1));
  else if (key === "ArrowLeft") session.change({ at: session.at - 1 });
  else if (key === "ArrowRight") session.change({ at: session.at + 1 });
  else return;
  event.preventDefault();
}

/** The symbols as tiles, those around the step that is looked at. @param {Session} session */
function tape(session) {
  const { followed, at, word, network } = session, { glyphs } = network.language.tables;
  const first = Math.max(0, Math.min(at - TILES / 2, word.length - TILES)), last = first + TILES;
  const tiles = followed.steps.slice(first, last).map((step, place) => {
    const read = first + place + 1;
    const look = ["tile", step.wrong ? "wrong" : "", step.allowed === null ? "outside" : "", read === at ? "here" : ""];
    return made("span", { class: look.join(" ").trim(), click: () => session.change({ at: read }) }, glyphs[step.symbol]);
  });
  const box = byId("tape", HTMLElement);
  box.replaceChildren(...(first > 0 ? ["… "] : []), ...tiles, ...(last < word.length ? [" …"] : []));
  const here = box.querySelector(".here");
  if (here instanceof HTMLElement) box.scrollLeft = here.offsetLeft - box.clientWidth / 2;
}

/** What is wrong with a prediction. @param {Language} language @param {Uint8Array} predicted @param {Uint8Array} allowed */
function faults(language, predicted, allowed) {
  const missed = allowed.map((value, output) => value & ~predicted[output] & 1);
  const added = predicted.map((value, output) => value & ~allowed[output] & 1);
  return [
    ...(missed.some(Boolean) ? [`it wrongly forbids ${named(language, missed)}`] : []),
    ...(added.some(Boolean) ? [`it wrongly allows ${named(language, added)}`] : []),
  ].join("; ");
}

/** What the network makes of the whole word. @param {Session} session */
function verdict({ followed, word }) {
  const { steps, leftAt, firstWrong } = followed, line = byId("verdict", HTMLElement);
  const wrong = steps.filter((step) => step.wrong).length, left = leftAt >= 0 && leftAt < word.length;
  const judged = left ? leftAt : word.length, outside = left ? ` The word leaves the language at symbol ${leftAt + 1}.` : "";
  line.className = `verdict-line ${wrong > 0 ? "fails" : judged === 0 ? "open" : "holds"}`;
  line.textContent =
    word.length === 0
      ? "Nothing is read yet. Type a symbol."
      : wrong > 0
        ? `✗ Wrong at ${wrong} of ${plural(judged, "step")}, first after ${plural(firstWrong + 1, "symbol")}.${outside}`
        : `${judged === 0 ? "" : `✓ Right at ${judged === 1 ? "the only step" : `all ${judged} steps`}${left ? " before it leaves the language" : ""}.`}${outside}`.trim();
}

/** @param {number} count @param {string} noun */
function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What the network predicts at a step, beside what is right. @param {Session} session */
function outputs({ followed, at, word, network }) {
  const { language } = network, line = byId("step-verdict", HTMLElement), box = byId("outputs", HTMLElement);
  line.className = "verdict-line";
  if (at === 0) {
    line.textContent = "";
    box.replaceChildren();
    return;
  }
  const step = followed.steps[at - 1], { predicted, allowed, values, wrong } = step;
  const rows = outputGlyphs(language).map((glyph, output) => {
    const right = allowed === null || allowed[output] === predicted[output];
    const score = values.y[output];
    return made(
      "tr",
      { class: right ? "" : "wrong" },
      made("th", { scope: "row" }, glyph),
      made("td", {}, made("span", { class: "bar", style: `--share: ${score}` }), ` ${readable(score)}`),
      made("td", {}, predicted[output] ? "yes" : "no"),
      made("td", {}, allowed === null ? "—" : allowed[output] ? "yes" : "no"),
      made("td", {}, allowed === null ? "" : right ? "✓" : "✗ wrong"),
    );
  });
  const heads = ["next", "score", "predicted", "allowed", ""].map((text) => (text === "" ? made("td") : made("th", { scope: "col" }, text)));
  box.replaceChildren(made("table", {}, made("thead", {}, made("tr", {}, ...heads)), made("tbody", {}, ...rows)));
  const depths = language.tables.counterNames.map((name, counter) => `${name} ${step.depths[counter]}`);
  const depth = depths.length === 0 ? "" : ` (depth ${depths.length === 1 ? step.depths[0] : depths.join(", ")})`;
  line.className = `verdict-line ${allowed === null ? "open" : wrong ? "fails" : ""}`;
  line.textContent =
    `After ${at} of ${plural(word.length, "symbol")}${depth}: ` +
    (allowed === null
      ? `outside the language; the network predicts ${named(language, predicted)}.`
      : wrong
        ? `${faults(language, predicted, allowed)}.`
        : `${named(language, allowed)} may come next, as predicted.`);
}
