// Train one: a network that learns in a worker, while its states on a word are drawn.
import { LearningChart, percent, StateChart } from "./charts.js";
import { byId, fillChoices, reveal } from "./elements.js";
import { randomWord } from "./endings.js";
import { follow, written } from "./following.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { Learning, TrainOrder } from "./worker.js" */
/** @typedef {{language: string, cell: string, units: number, seed: number, epochs: number}} Settings */

/** The key of a network trained here says all that it takes to train it again. @param {Settings} settings */
export function keyOf({ language, cell, units, seed, epochs }) {
  return [language, cell, units, seed, epochs].join("/");
}

/** @param {string} key @returns {Settings | null} */
export function settingsOf(key) {
  const [language, cell, ...numbers] = key.split("/"), [units, seed, epochs] = numbers.map(Number);
  const whole = [units, seed, epochs].every((number) => Number.isSafeInteger(number) && number >= 0);
  return whole && numbers.length === 3 ? { language, cell, units, seed, epochs } : null;
}

/**
 * @param {Session} session @param {() => Worker} hire
 * @returns {(settings: Settings, done: (network: Network) => void) => boolean} trains; false if it cannot
 */
export function training(session, hire) {
  const form = byId("training", HTMLFormElement), status = byId("train-status", HTMLElement);
  const stop = byId("train-stop", HTMLButtonElement), start = byId("train-start", HTMLButtonElement);
  const toType = byId("train-type", HTMLButtonElement);
  const learning = new LearningChart(byId("learning", HTMLElement));
  const states = new StateChart(byId("train-states", HTMLElement), 260);
  const { content, engine } = session;
  const fields = offer(session);
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Network | null} */
  let network = null;

  const end = () => {
    worker?.terminate();
    worker = null;
    stop.disabled = true;
    start.disabled = false;
    form.setAttribute("aria-busy", "false");
  };
  /** Make what was trained one of the page's networks. */
  const keep = () => {
    if (network === null) return;
    const { key } = network, same = session.networks.findIndex((own) => own.key === key);
    if (same >= 0) session.networks[same] = network;
    else session.networks.push(network);
    toType.disabled = false;
    if (session.network.key === key) session.change({ network });
  };

  /** @param {Settings} settings @param {(network: Network) => void} done */
  const train = (settings, done) => {
    const language = content.languages[settings.language], name = programName(session, settings);
    if (language?.words == null || name === null || !allowed("seed", settings.seed) || !allowed("epochs", settings.epochs)) {
      status.textContent = "This cannot be trained here.";
      return false;
    }
    end();
    const { tables, words } = language, cell = content.cells.find((own) => own.name === settings.cell)?.title;
    const own = new engine.Language(tables), program = engine.PROGRAMS[name];
    const word = session.network.language.tables.name === tables.name && session.word.length > 0 ? session.word : randomWord(own, 24);
    const units = `${settings.units} ${settings.units === 1 ? "unit" : "units"}`;
    const made = {
      key: keyOf(settings), group: -1, title: `${language.title} · ${cell} · ${units} · trained here`,
      label: `${language.title} ${cell} ${units}, seed ${settings.seed}`, language: own, program, accuracy: null, horizons: [],
    };
    byId("train-word", HTMLElement).textContent = `Its states on ${written(own, word)}`;
    byId("train-charts", HTMLElement).hidden = false;
    learning.clear();
    status.textContent = "Drawing the words …";
    status.className = "verdict-line";
    [start.disabled, stop.disabled, toType.disabled] = [true, false, true];
    form.setAttribute("aria-busy", "true");
    network = null;
    /** @type {{short: number, long: number} | null} */
    let judged = null;
    worker = hire();
    worker.addEventListener("message", (/** @type {MessageEvent<Learning>} */ { data }) => {
      if (data.short !== null && data.long !== null) judged = { short: data.short, long: data.long };
      network = { ...made, weights: data.weights, accuracy: judged };
      learning.add(data.epochs, data.loss, data.short, data.long);
      states.show(network, follow(engine, network, 1, word), "c" in program.states ? "c" : "h", word.length);
      const shares = judged === null ? "" : `: right on ${percent(judged.short)} of short and ${percent(judged.long)} of long words`;
      const speed = `${(data.symbols / data.seconds / 1e6).toFixed(1)} million symbols a second`;
      status.textContent = data.done
        ? `Done in ${data.seconds.toFixed(1)} s, ${settings.epochs} epochs${shares}. Type at it, or break it.`
        : `Epoch ${Math.floor(data.epochs) + 1} of ${settings.epochs}, ${speed}${shares}`;
      if (data.done) {
        end();
        keep();
        done(network);
      }
    });
    /** @type {TrainOrder} */
    const order = {
      kind: "train", program: name, language: tables, words, seed: settings.seed, epochs: settings.epochs,
      slow: byId("train-slow", HTMLInputElement).checked,
    };
    worker.postMessage(order);
    return true;
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    train(fields(), () => {});
  });
  stop.addEventListener("click", () => {
    end();
    status.textContent = network === null ? "Stopped before it began." : "Stopped; what it has learnt so far is kept.";
    if (network !== null) {
      const { key } = network;
      network = { ...network, key: `${key}/stopped`, label: `${network.label}, stopped` };
    }
    keep();
  });
  toType.addEventListener("click", () => {
    if (network === null) return;
    session.change({ network });
    reveal(byId("type", HTMLElement));
    byId("word", HTMLElement).focus({ preventScroll: true });
  });
  return train;
}

/** The name of the program for a network, null if the page has none. @param {Session} session @param {Settings} settings */
function programName({ content, engine }, { language, cell, units }) {
  const tables = content.languages[language]?.tables;
  if (tables === undefined) return null;
  const name = `${cell} ${tables.glyphs.length} ${units} ${tables.outputs}`;
  return name in engine.PROGRAMS ? name : null;
}

/** Whether a field of the form takes a number. @param {string} name @param {number} number */
function allowed(name, number) {
  const { min, max } = byId(`train-${name}`, HTMLInputElement);
  return number >= Number(min) && number <= Number(max);
}

/** Fill the form; what it says. @param {Session} session @returns {() => Settings} */
function offer({ content }) {
  const [language, cell, units] = ["language", "cell", "units"].map((name) => byId(`train-${name}`, HTMLSelectElement));
  const seed = byId("train-seed", HTMLInputElement), epochs = byId("train-epochs", HTMLInputElement);
  const languages = Object.entries(content.languages).filter(([, { words }]) => words !== null);
  fillChoices(language, languages.map(([name, { title }]) => [name, title]), "dyck-1");
  fillChoices(cell, content.cells.map(({ name, title }) => [name, title]), "lstm");
  fillChoices(units, content.units.map((count) => [String(count), String(count)]), "3");
  return () => ({
    language: language.value, cell: cell.value, units: Number(units.value), seed: Number(seed.value), epochs: Number(epochs.value),
  });
}
