// Train one: a network that learns in a worker, while its states on a word are drawn.
import { LearningChart, percent, StateChart } from "./charts.js";
import { byId, fillChoices, made, reveal } from "./elements.js";
import { randomWord } from "./endings.js";
import { follow, written } from "./following.js";
import { markDot, median, strip } from "./strips.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { Drawing, Learning, TrainOrder } from "./worker.js" */
/** @import { Content } from "./payload.js" */
/** @typedef {{language: string, cell: string, units: number, seed: number, epochs: number}} Settings */

/** How many networks can be trained at once: four take as long as one, and twelve are the fastest for each. */
const AT_ONCE = [1, 4, 12];

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
 * @returns {(settings: Settings, count: number, done: (network: Network) => void) => boolean} trains so many networks,
 *   with seeds from that on; false if it cannot
 */
export function training(session, hire) {
  const form = byId("training", HTMLFormElement), status = byId("train-status", HTMLElement);
  const stop = byId("train-stop", HTMLButtonElement), start = byId("train-start", HTMLButtonElement);
  const toType = byId("train-type", HTMLButtonElement), dots = byId("train-dots", HTMLElement);
  const learning = new LearningChart(byId("learning", HTMLElement));
  const states = new StateChart(byId("train-states", HTMLElement), 260);
  const fields = offer(session);
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Network[]} */
  let networks = [];
  /** Which of them is drawn, and the word that it is drawn on. */
  let shown = 0, word = session.word;

  const end = () => {
    worker?.terminate();
    worker = null;
    stop.disabled = true;
    start.disabled = false;
    form.setAttribute("aria-busy", "false");
  };
  /** Make what was trained some of the page's networks. */
  const keep = () => {
    for (const network of networks) {
      const same = session.networks.findIndex(({ key }) => key === network.key);
      if (same >= 0) session.networks[same] = network;
      else session.networks.push(network);
      if (session.network.key === network.key) session.change({ network });
    }
    toType.disabled = networks.length === 0;
  };
  const draw = () => {
    const network = networks[shown], name = network.program.states.includes("c") ? "c" : "h";
    states.show(network, follow(session.engine, network, 1, word), name, word.length);
    byId("train-word", HTMLElement).textContent = `${network.label}: states on ${written(network.language, word)}`;
    markDot(dots, network.key);
  };
  /** A dot for every network, where it is judged. */
  const place = () => {
    const placed = networks.flatMap((network) => {
      const share = network.accuracy?.long ?? null;
      return share === null ? [] : [{ network, share }];
    });
    const focused = document.activeElement?.closest("#train-dots") ? shown : -1;
    const line = strip("Accuracy of each network on long words", placed, (network) => {
      shown = networks.findIndex(({ key }) => key === network.key);
      draw();
    });
    const about = made("p", { class: "small" }, "Accuracy on long words, from 0 to 100 %, a dot for every network. Press one to see its states.");
    dots.replaceChildren(...(placed.length > 1 ? [about, line] : []));
    const again = line.querySelectorAll("button")[focused];
    if (again !== undefined) again.focus({ preventScroll: true });
  };

  /** @param {Settings} settings @param {number} count @param {(network: Network) => void} done */
  const train = (settings, count, done) => {
    const ready = prepared(session, settings, count);
    if (ready === null) {
      status.textContent = "This cannot be trained here.";
      return false;
    }
    const { order, blank } = ready, { tables } = blank[0].language, { title } = session.content.languages[tables.name];
    end();
    const typed = session.network.language.tables.name === tables.name && session.word.length > 0;
    word = typed ? session.word : randomWord(blank[0].language, 24);
    byId("train-charts", HTMLElement).hidden = false;
    learning.clear();
    status.className = "verdict-line";
    status.textContent = "Drawing the words …";
    [start.disabled, stop.disabled, toType.disabled] = [true, false, true];
    form.setAttribute("aria-busy", "true");
    [networks, shown] = [[], 0];
    dots.replaceChildren();
    worker = hire();
    worker.addEventListener("message", (/** @type {MessageEvent<Learning | Drawing>} */ { data }) => {
      if (data.kind === "drawing") {
        status.textContent = `Drawing the words of ${title}: ${data.drawn} of ${count} …`;
        return;
      }
      networks = blank.map((own, run) => {
        const { weights, short, long } = data.runs[run];
        const accuracy = short === null || long === null ? (networks[run]?.accuracy ?? null) : { short, long };
        return { ...own, weights, accuracy, horizons: [] };
      });
      const middle = (/** @type {"loss" | "short" | "long"} */ name) => median(data.runs.flatMap((own) => own[name] ?? []));
      learning.add(data.epochs, middle("loss") ?? NaN, middle("short"), middle("long"));
      place();
      draw();
      status.textContent = told(data, settings.epochs, networks);
      if (!data.done) return;
      end();
      keep();
      done(networks[0]);
    });
    worker.postMessage({ ...order, slow: byId("train-slow", HTMLInputElement).checked });
    return true;
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { count, ...settings } = fields();
    train(settings, count, () => {});
  });
  stop.addEventListener("click", () => {
    end();
    status.textContent = networks.length === 0 ? "Stopped before it began." : "Stopped; what was learnt so far is kept.";
    networks = networks.map((own) => ({ ...own, key: `${own.key}/stopped`, label: `${own.label}, stopped` }));
    keep();
  });
  toType.addEventListener("click", () => {
    session.change({ network: networks[shown] });
    reveal(byId("type", HTMLElement));
    byId("word", HTMLElement).focus({ preventScroll: true });
  });
  return train;
}

/** How far training has come. @param {Learning} data @param {number} epochs @param {readonly Network[]} networks */
function told({ done, epochs: sofar, symbols, seconds }, epochs, networks) {
  const [short, long] = ["short", "long"].map((set) => median(networks.flatMap(({ accuracy }) => accuracy?.[set] ?? [])));
  const many = networks.length > 1, accuracy = many ? `median accuracy of ${networks.length} networks` : "accuracy";
  const shares = long === null ? "" : `: ${accuracy} ${percent(short)} on short words, ${percent(long)} on long words`;
  const speed = `${(symbols / seconds / 1e6).toFixed(1)} million symbols a second`;
  return done
    ? `Done in ${seconds.toFixed(1)} s, ${epochs} ${epochs === 1 ? "epoch" : "epochs"}${shares}. Try ${many ? "one" : "it"}, or make it fail.`
    : `Epoch ${Math.floor(sofar) + 1} of ${epochs}, ${speed}${shares}`;
}

/**
 * What a worker is told, and the networks without what they will learn; null if they cannot be trained.
 * @param {Session} session @param {Settings} settings @param {number} count
 * @returns {{order: Omit<TrainOrder, "slow">, blank: Omit<Network, "weights">[]} | null}
 */
function prepared({ content, engine }, settings, count) {
  const language = content.languages[settings.language], name = programName(content, settings);
  if (language?.words == null || name === null || !allowed("seed", settings.seed) || !allowed("epochs", settings.epochs)) {
    return null;
  }
  const { tables, words, title } = language, cell = content.cells.find((own) => own.name === settings.cell)?.title;
  const units = `${settings.units} ${settings.units === 1 ? "unit" : "units"}`;
  const seeds = Array.from({ length: count }, (_, run) => settings.seed + run), own = new engine.Language(tables);
  const blank = seeds.map((seed) => ({
    key: keyOf({ ...settings, seed }), group: -1, title: `${title} · ${cell} · ${units} · trained here`,
    label: `${title} ${cell} ${units}, seed ${seed}`, language: own, program: engine.PROGRAMS[name], precision: "float32", accuracy: null, horizons: [],
  }));
  return { order: { kind: "train", program: name, language: tables, words, seeds, epochs: settings.epochs }, blank };
}

/** The name of the program that trains a network, null if the page has none. @param {Content} content @param {Pick<Settings, "language" | "cell" | "units">} settings */
function programName(content, { language, cell, units }) {
  const tables = content.languages[language]?.tables;
  if (tables === undefined) return null;
  const name = `${cell} ${tables.glyphs.length} ${units} ${tables.outputs}`;
  return content.trained.includes(name) ? name : null;
}

/** Whether a field of the form takes a number. @param {string} name @param {number} number */
function allowed(name, number) {
  const { min, max } = byId(`train-${name}`, HTMLInputElement);
  return number >= Number(min) && number <= Number(max);
}

/** Fill the form; what it says. @param {Session} session @returns {() => Settings & {count: number}} */
function offer({ content }) {
  const [language, cell, units, count] = ["language", "cell", "units", "count"].map((name) => byId(`train-${name}`, HTMLSelectElement));
  const seed = byId("train-seed", HTMLInputElement), epochs = byId("train-epochs", HTMLInputElement);
  const languages = Object.entries(content.languages).filter(([, { words }]) => words !== null);
  fillChoices(language, languages.map(([name, { title }]) => [name, title]), "dyck-1");
  const others = Object.values(content.languages).filter(({ words }) => words === null).map(({ title }) => title);
  const untrained = byId("untrained", HTMLElement);
  untrained.hidden = others.length === 0;
  untrained.textContent = `Not offered: ${others.join(", ")}. A page draws training words of few languages; abacist train draws those of all.`;
  // Not every cell can be trained on every language with every number of units.
  const unitsOf = (/** @type {string} */ name) =>
    content.units.filter((number) => programName(content, { language: language.value, cell: name, units: number }) !== null);
  const offerUnits = (/** @type {string} */ usual) =>
    fillChoices(units, unitsOf(cell.value).map((number) => [String(number), String(number)]), usual);
  const offerCells = (/** @type {string} */ usual) =>
    fillChoices(cell, content.cells.filter(({ name }) => unitsOf(name).length > 0).map(({ name, title }) => [name, title]), usual);
  offerCells("lstm");
  offerUnits("3");
  language.addEventListener("change", () => {
    offerCells(cell.value);
    offerUnits(units.value);
  });
  cell.addEventListener("change", () => offerUnits(units.value));
  fillChoices(count, AT_ONCE.map((number) => [String(number), String(number)]), "4");
  return () => ({
    language: language.value, cell: cell.value, units: Number(units.value), seed: Number(seed.value),
    epochs: Number(epochs.value), count: Number(count.value),
  });
}
