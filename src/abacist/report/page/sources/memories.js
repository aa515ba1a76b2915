// A vector of many numbers over a word, such as a memory: a map, a column for every step, its first number lowest.
import { colour } from "./elements.js";

/** Values of more numbers than this are drawn as a map, not as curves. */
export const MOST_CURVES = 32;

/**
 * How many numbers of each vector there are up to the last that can be seen: those below a hundredth of the largest of
 * all cannot.
 * @param {readonly Float32Array[]} vectors
 */
export function filledOf(vectors) {
  const least = largestOf(vectors) / 100;
  return vectors.map((vector) => {
    let count = vector.length;
    while (count > 0 && Math.abs(vector[count - 1]) <= least) count--;
    return count;
  });
}

/** @param {readonly Float32Array[]} vectors */
function largestOf(vectors) {
  return vectors.reduce((most, vector) => vector.reduce((own, value) => Math.max(own, Math.abs(value)), most), 0);
}

/** A colour as red, green and blue. @param {string} name of the page's style */
function components(name) {
  const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext("2d");
  if (context === null) return [0, 0, 0];
  context.fillStyle = colour(name);
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

/**
 * Draw vectors, those of step 1 and of all after it: the larger a number, the darker; those below zero in another colour.
 * @param {uPlot} plot with a scale `value` that counts numbers @param {readonly Float32Array[]} vectors
 */
export function drawMap(plot, vectors) {
  const rows = Math.max(0, ...filledOf(vectors)), columns = vectors.length, largest = largestOf(vectors);
  if (rows === 0) return;
  const canvas = new OffscreenCanvas(columns, rows), context = canvas.getContext("2d");
  if (context === null) return;
  const image = context.createImageData(columns, rows), above = components("unit-0"), below = components("unit-1");
  vectors.forEach((vector, column) => {
    for (let row = 0; row < rows; row++) {
      const place = 4 * ((rows - 1 - row) * columns + column);
      image.data.set(vector[row] < 0 ? below : above, place);
      image.data[place + 3] = Math.round((255 * Math.abs(vector[row])) / largest);
    }
  });
  context.putImageData(image, 0, 0);
  const left = plot.valToPos(0.5, "x", true), right = plot.valToPos(columns + 0.5, "x", true);
  const top = plot.valToPos(rows, "value", true), bottom = plot.valToPos(0, "value", true);
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  plot.ctx.clip();
  plot.ctx.imageSmoothingEnabled = false;
  plot.ctx.drawImage(canvas, left, top, right - left, bottom - top);
  plot.ctx.restore();
}
