// The two kinds of charts: states of a network over a word, and a network that learns.
import { colour } from "./elements.js";
import { drawMap, filledOf, MOST_CURVES } from "./memories.js";

/** @import { Followed, Network } from "./following.js" */
/** @typedef {(number | null)[][]} Columns the first has the places on the horizontal axis */

/** Units and counters are told apart by colour and by the kind of line. */
const DASHES = [[], [8, 3], [2, 3], [10, 3, 2, 3]];

/** Distances between the marks of an axis of whole numbers. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** @param {number} place */
function unitLook(place) {
  return { stroke: () => colour(`unit-${place % 8}`), width: 2, dash: DASHES[Math.floor(place / 2) % 4] };
}

/** @param {Partial<uPlot.Axis>} rest @returns {uPlot.Axis} */
function axis(rest) {
  const line = () => colour("line");
  return { stroke: () => colour("soft"), grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, ...rest };
}

/** A chart in an element, as wide as that, whose series may change. */
class Chart {
  /** @type {uPlot | null} */
  #plot = null;
  #shape = "";

  /** @param {HTMLElement} element @param {number} height */
  constructor(element, height) {
    this.element = element;
    this.height = height;
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#plot?.redraw());
  }

  #size() {
    return { width: Math.max(this.element.clientWidth, 200), height: this.height };
  }

  /** Draw columns; the plot is made anew only where `shape` changes. @param {string} shape @param {Columns} columns @param {() => Omit<uPlot.Options, "width" | "height">} options */
  draw(shape, columns, options) {
    const data = /** @type {uPlot.AlignedData} */ (columns);
    if (this.#plot === null || shape !== this.#shape) {
      this.#plot?.destroy();
      this.#shape = shape;
      this.#plot = new uPlot({ ...options(), ...this.#size() }, data, this.element);
    } else {
      this.#plot.setData(data);
    }
  }

  redraw() {
    this.#plot?.redraw(false);
  }

  /** What is shown, in words, for those who do not see it. @param {string} text */
  describe(text) {
    this.element.setAttribute("aria-label", text);
  }
}

/** The values of a network over a word, with the true depths behind them; mistakes are marked. */
export class StateChart {
  /** @param {HTMLElement} element @param {number} height @param {(at: number) => void} [chosen] told which step was clicked */
  constructor(element, height, chosen) {
    this.chart = new Chart(element, height);
    this.chosen = chosen;
    /** @type {Followed} */
    this.followed = { steps: [], leftAt: -1, firstWrong: -1 };
    this.at = 0;
    /** What is drawn as a map, step by step. @type {Float32Array[]} */
    this.vectors = [];
  }

  /** @param {Network} network @param {Followed} followed @param {string} name of the values @param {number} at */
  show(network, followed, name, at) {
    this.followed = followed;
    this.at = at;
    const { program, language } = network, counters = language.tables.counterNames;
    const size = program.values[name][1], first = program.states.includes(name) ? 0 : null;
    const mapped = size > MOST_CURVES, curves = mapped ? 1 : size;
    this.vectors = mapped ? followed.steps.map(({ values }) => values[name]) : [];
    const filled = filledOf(this.vectors);
    /** @type {Columns} */
    const columns = [[0], ...counters.map(() => [0]), ...Array.from({ length: curves }, () => [first])];
    followed.steps.forEach(({ values, depths }, t) => {
      columns[0].push(t + 1);
      counters.forEach((_, counter) => columns[1 + counter].push(depths[counter]));
      const drawn = mapped ? [filled[t]] : values[name];
      drawn.forEach((value, unit) => columns[1 + counters.length + unit].push(value));
    });
    const shape = `${language.tables.name} ${name} ${size}`;
    this.chart.draw(shape, columns, () => this.#options(counters, name, size, mapped));
    const wrong = followed.steps.filter((step) => step.wrong).length;
    this.chart.describe(
      `${name} of ${size} ${size === 1 ? "unit" : "units"} over ${followed.steps.length} steps, with the true ` +
        `depth; ${wrong === 0 ? "no step is wrong" : `${wrong} wrong, the first is step ${followed.firstWrong + 1}`}`,
    );
  }

  /** @param {readonly string[]} counters @param {string} name @param {number} size @param {boolean} mapped */
  #options(counters, name, size, mapped) {
    /** @type {uPlot.Series[]} */
    const series = [{ label: "step", value: (_, own) => String(own ?? "—") }];
    // One depth lies behind the curves, for comparison; several would be in their way, and lie above them.
    const above = counters.length > 1;
    counters.forEach((counter, place) => {
      const behind = { fill: mapped ? undefined : () => colour("shade"), stroke: () => colour("depth") };
      const look = above ? unitLook(place) : behind;
      series.push({ label: above ? `depth of ${counter}` : "depth", scale: "depth", value: (_, own) => String(own ?? "—"), ...look, width: 1.5 });
    });
    if (mapped) {
      const value = (/** @type {uPlot} */ _, /** @type {number | null} */ own) => (own === null ? "—" : `${own} of ${size} numbers`);
      series.push({ label: `${name} filled`, scale: "value", value, points: { show: false }, paths: () => null });
    }
    for (let unit = 0; unit < size && !mapped; unit++) {
      const value = (/** @type {uPlot} */ _, /** @type {number | null} */ own) => own?.toFixed(3) ?? "—";
      series.push({ label: size === 1 ? name : `${name} ${unit + 1}`, scale: "value", value, ...unitLook(unit) });
    }
    /** @type {Omit<uPlot.Options, "width" | "height">} */
    const options = {
      series,
      scales: {
        x: { time: false },
        depth: { range: (_, low, high) => depthRange(Math.min(low, 0), Math.max(high, 1), above) },
        value: { range: (_, low, high) => valueRange(low ?? 0, high ?? 1, above) },
      },
      axes: [
        axis({ label: "symbols read", size: 34, labelSize: 20, incrs: WHOLE }),
        axis({ scale: "value", size: widthOf, values: (_, ticks, _axis, _space, step) => tickTexts(ticks, step), ...(mapped ? { incrs: WHOLE } : {}) }),
        axis({ scale: "depth", show: counters.length > 0, side: 1, grid: { show: false }, label: "true depth", size: 34, labelSize: 20, incrs: WHOLE, values: (_, ticks) => ticks.map((tick) => (above && tick < 0 ? "" : String(tick))) }),
      ],
      // Its own binding of clicks is never called, and without a `click` here a hand that trembles drags.
      cursor: { y: false, drag: { x: false, y: false, click: () => {} } },
      hooks: {
        ready: [(plot) => plot.over.addEventListener("click", () => this.chosen?.(plot.cursor.idx ?? this.at))],
        drawClear: [(plot) => this.#marks(plot)],
      },
    };
    return options;
  }

  /** Bands behind the curves: what is wrong, what lies outside the language, and the step that is looked at. @param {uPlot} plot */
  #marks(plot) {
    const { ctx, bbox } = plot, { steps } = this.followed;
    const place = (/** @type {number} */ step) => plot.valToPos(step, "x", true);
    /** @param {number} from @param {number} to @param {string} fill */
    const band = (from, to, fill) => {
      ctx.fillStyle = fill;
      const left = Math.max(place(from), bbox.left), right = Math.min(place(to), bbox.left + bbox.width);
      ctx.fillRect(left, bbox.top, Math.max(right - left, 0), bbox.height);
    };
    ctx.save();
    steps.forEach((step, t) => {
      if (step.allowed === null) band(t + 0.5, t + 1.5, colour("outside"));
      if (step.wrong) band(t + 0.5, t + 1.5, colour("mistake"));
    });
    if (this.vectors.length > 0) drawMap(plot, this.vectors);
    ctx.strokeStyle = colour("ink");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(place(this.at), bbox.top);
    ctx.lineTo(place(this.at), bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

/** Loss and accuracies of a network that learns. */
export class LearningChart {
  /** @type {Columns} */
  #columns = [[], [], [], []];

  /** @param {HTMLElement} element */
  constructor(element) {
    this.chart = new Chart(element, 260);
  }

  clear() {
    this.#columns = [[], [], [], []];
    this.#draw();
  }

  /** A point more. @param {number} epochs @param {number} loss @param {number | null} short @param {number | null} long in percent */
  add(epochs, loss, short, long) {
    [epochs, loss, short, long].forEach((value, column) => this.#columns[column].push(value));
    this.#draw();
  }

  #draw() {
    this.chart.draw("learning", this.#columns.map((column) => [...column]), () => ({
      series: [
        { label: "epochs", value: (_, own) => own?.toFixed(1) ?? "—" },
        { label: "loss", scale: "loss", stroke: () => colour("soft"), width: 1.5, value: (_, own) => own?.toPrecision(2) ?? "—" },
        { label: "short words", scale: "share", spanGaps: true, ...unitLook(1), value: (_, own) => percent(own) },
        { label: "long words", scale: "share", spanGaps: true, ...unitLook(0), value: (_, own) => percent(own) },
      ],
      scales: { x: { time: false }, loss: { distr: 3 }, share: { range: [0, 102] } },
      axes: [
        axis({ label: "epochs", size: 34, labelSize: 20 }),
        axis({ scale: "loss", size: 50, label: "loss", labelSize: 20, grid: { show: false }, ticks: { show: false }, filter: (_, ticks) => ticks, values: (_, ticks) => ticks.map(decade) }),
        axis({ scale: "share", side: 1, size: 60, label: "accuracy", labelSize: 20, values: (_, ticks) => ticks.map((own) => `${own} %`) }),
      ],
      cursor: { y: false, drag: { x: false, y: false } },
    }));
  }
}

/** @param {number} low @param {number} high @param {boolean} above @returns {uPlot.Range.MinMax} */
function depthRange(low, high, above) {
  return above ? [low - 2.4 * (high - low), high + 0.05 * (high - low)] : [low, high + 0.05 * (high - low)];
}

/** @param {number} low @param {number} high @param {boolean} above @returns {uPlot.Range.MinMax} */
function valueRange(low, high, above) {
  const size = Math.max(high - low, 1e-3);
  return [low - 0.05 * size, high + (above ? 0.6 : 0.05) * size];
}

/**
 * The texts of an axis: as many digits as its steps have, and no negative zero.
 * @param {readonly number[]} ticks @param {number} step from one to the next
 */
export function tickTexts(ticks, step) {
  const largest = Math.max(...ticks.map(Math.abs));
  if (largest >= 1e6) return ticks.map((tick) => tick.toExponential(1));
  let digits = 0;
  while (digits < 10 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits++;
  return ticks.map((tick) => tick.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, ""));
}

/** The width of an axis, by its texts. @param {unknown} _ @param {readonly string[] | null} texts */
function widthOf(_, texts) {
  return Math.max(50, 22 + 7 * Math.max(0, ...(texts ?? []).map((text) => text.length)));
}

/** Every third power of ten, as such. @param {number} value */
function decade(value) {
  const power = Math.round(Math.log10(value));
  if (power % 3 !== 0 || Math.abs(value / 10 ** power - 1) > 1e-9) return "";
  return power === 0 ? "1" : `10${[...String(power)].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("")}`;
}

/** @param {number | null} share in percent */
export function percent(share) {
  return share === null || share === undefined ? "—" : `${share === 100 ? "100" : share.toFixed(1)} %`;
}
