// A line of dots, one for each network: how many words it gets right. Arrows go from dot to dot.
import { percent } from "./charts.js";
import { made } from "./elements.js";

/** @import { Network } from "./following.js" */
/** @typedef {{network: Network, share: number}} Placed a network, and its share in percent */

/**
 * @param {string} label @param {readonly Placed[]} placed @param {(network: Network) => void} pressed
 * @param {readonly HTMLElement[]} [behind]
 */
export function strip(label, placed, pressed, behind = []) {
  const dots = placed.map(({ network, share }, place) =>
    made("button", {
      type: "button", class: "dot", style: `--share: ${share}; --row: ${place}`, tabindex: place === 0 ? 0 : -1,
      "data-key": network.key, "aria-label": `${network.label}: ${percent(share)}`, title: `${network.label}: ${percent(share)}`,
      click: () => pressed(network),
    }),
  );
  const rows = `--rows: ${Math.max(placed.length, 5)}`;
  return made("div", { class: "strip", style: rows, role: "group", "aria-label": label, keydown: move }, ...behind, ...dots);
}

/** Mark the dot of a network. @param {HTMLElement} within @param {string} key */
export function markDot(within, key) {
  for (const dot of within.querySelectorAll(".dot")) {
    dot.setAttribute("aria-pressed", String(dot.getAttribute("data-key") === key));
  }
}

/** One stop of the Tab key for each line. @param {KeyboardEvent} event */
function move(event) {
  const dots = [...(/** @type {HTMLElement} */ (event.currentTarget)).querySelectorAll("button")];
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const place = dots.findIndex((dot) => dot === document.activeElement);
  if (by === undefined || place < 0) return;
  event.preventDefault();
  const next = dots[(place + by + dots.length) % dots.length];
  for (const dot of dots) dot.tabIndex = dot === next ? 0 : -1;
  next.focus();
}

/** @param {readonly number[]} values @returns {number | null} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length / 2;
  return sorted.length === 0 ? null : (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}
