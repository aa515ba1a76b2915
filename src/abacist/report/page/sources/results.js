// The results: a dot for every network, on a line for its kind, over the paper's figures.
import { percent } from "./charts.js";
import { byId, fillChoices, made, reveal } from "./elements.js";
import { markDot, median, strip } from "./strips.js";

/** @import { Session } from "./session.js" */
/** @import { Network } from "./following.js" */
/** @import { Group } from "./payload.js" */

/** What each set is called. */
const SETS = /** @type {const} */ ([
  ["long", "long words, longer than in training"],
  ["short", "short words, as long as in training"],
  ["training", "training words"],
]);

/** @param {Session} session */
export function results(session) {
  const { content } = session;
  const set = byId("results-set", HTMLSelectElement), language = byId("results-language", HTMLSelectElement);
  const cell = byId("results-cell", HTMLSelectElement), rows = byId("rows", HTMLElement);
  const kinds = content.groups.map((group, number) => ({ group, own: session.networks.filter((one) => one.group === number) }));
  const order = Object.keys(content.languages);
  const known = kinds
    .filter(({ own }) => own.some(({ accuracy }) => accuracy !== null))
    .sort((a, b) => order.indexOf(a.group.language) - order.indexOf(b.group.language));
  byId("results", HTMLElement).hidden = known.length === 0;
  const languages = [...new Set(known.map(({ group }) => group.language))];
  const cells = [...new Set(known.map(({ group }) => group.cell))];
  fillChoices(set, SETS, "long");
  fillChoices(language, [["", "all"], ...languages.map((name) => /** @type {const} */ ([name, content.languages[name].title]))], "");
  fillChoices(cell, [["", "all"], ...cells.map((name) => /** @type {const} */ ([name, content.cells.find((own) => own.name === name)?.title ?? name]))], "");

  const show = () => {
    const fitting = known.filter(
      ({ group }) => ["", group.language].includes(language.value) && ["", group.cell].includes(cell.value),
    );
    rows.replaceChildren(
      ...fitting.map(({ group, own }) => row(session, group, own, set.value)),
      ...(fitting.length === 0 ? ["There are none of these."] : []),
    );
    mark();
  };
  const mark = () => markDot(rows, session.network.key);
  for (const choice of [set, language, cell]) choice.addEventListener("change", show);
  show();
  session.listen(mark);
}

/** A kind of networks. @param {Session} session @param {Group} group @param {Network[]} own @param {string} set */
function row(session, group, own, set) {
  const shares = own.flatMap((network) => {
    const share = network.accuracy?.[set];
    return share === null || share === undefined ? [] : [{ network, share }];
  });
  const open = (/** @type {Network} */ network) => {
    session.change({ network });
    reveal(byId("type", HTMLElement));
  };
  const paper = group.paper?.[set];
  const theirs = paper === undefined ? [] : [
    made("span", { class: "range", style: `--from: ${paper[0]}; --to: ${paper[1]}` }),
    made("span", { class: "middle", style: `--share: ${paper[2]}` }),
  ];
  const all = shares.map(({ share }) => share);
  const ours = all.length === 0 ? "not measured" : range(Math.min(...all), Math.max(...all), median(all));
  const said = `${ours}${paper === undefined ? "" : `; paper ${range(paper[0], paper[1], paper[2])}`}`;
  return made(
    "div", { class: "kind" },
    made("h3", {}, group.title),
    made("p", { class: "small" }, said),
    strip(`${group.title}: ${shares.length} runs`, shares, open, theirs),
  );
}

/** @param {number} least @param {number} most @param {number | null} middle */
function range(least, most, middle) {
  return `${percent(middle)} (${least.toFixed(1)}–${most.toFixed(1)})`;
}
