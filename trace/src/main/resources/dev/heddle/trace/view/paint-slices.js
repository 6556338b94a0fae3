// Slices as rectangles (near) and as stacked shares of each body, one column per pixel (far).
import { rec } from './recording.js';
import { app } from './app.js';
import { S, lanes } from './slices.js';
import { C, FONT, INK, fillOfSlice } from './theme.js';
import { CLASSES, levels, runBefore } from './levels.js';
import { isFiltered, isPicked } from './filter.js';
import { selectedG } from './selection.js';
import { GUTTER, view, xOf } from './view.js';
import { ratio, rounded } from './surface.js';
import { idOf, nameOf } from './words.js';

/** Draws the slices [from, to) of a lane; those that end in the same pixel as the one before are skipped. */
export function paintSlices(c, lane, from, to, y, height, right) {
  const list = lanes[lane], filtered = isFiltered(), chosen = selectedG();
  let lastEnd = -1;
  c.font = `500 11px ${FONT}`;
  for (let j = from; j < to; j++) {
    const s = list[j], end = Math.min(right + 4, xOf(S.t1[s])), mine = chosen > 0 && S.g[s] === chosen;
    if (end < lastEnd + 0.4 && !mine) continue;
    const x = Math.max(GUTTER - 4, xOf(S.t0[s]));
    lastEnd = end;
    paintSlice(c, s, x, end, y, height, !filtered || isPicked(s));
    if (mine) outline(c, s, x, end - x, y, height);
  }
}

function paintSlice(c, s, x, end, y, height, picked) {
  const width = Math.max(0.8, end - x - (end - x > 3 ? 0.8 : 0));
  c.globalAlpha = picked ? 1 : 0.2;
  c.fillStyle = fillOfSlice(s);
  if (width > 8) {
    rounded(c, x, y, width, height, 2.5);
    c.fill();
  } else c.fillRect(x, y, width, height);
  if (S.block[s] >= 0) {
    const blocked = Math.max(x, xOf(S.block[s]));
    c.fillStyle = C.hatch;
    if (end - blocked > 1) c.fillRect(blocked, y, end - blocked, height);
  }
  if (width > 30 && height > 10 && picked) writeName(c, s, x, width, y + height / 2 + 0.5);
  c.globalAlpha = 1;
}

/** A label that does not fit is left out, never cut. */
function writeName(c, s, x, width, y) {
  c.fillStyle = INK;
  const left = Math.max(x, GUTTER) + 5, room = width - (left - x) - 4;
  const full = nameOf(S.g[s]);
  if (width > 70 && c.measureText(full).width < room) c.fillText(full, left, y);
  else if (c.measureText(idOf(S.g[s])).width < room) c.fillText(idOf(S.g[s]), left, y);
}

function outline(c, s, x, width, y, height) {
  const selected = s === app.selected;
  c.strokeStyle = selected ? C.accent : C.text;
  c.lineWidth = selected ? 2.5 : 1.2;
  if (width > 3 || selected) {
    rounded(c, x - 0.5, y - 0.5, Math.max(width, 2) + 1, height + 1, 3);
    c.stroke();
  } else {
    c.fillStyle = C.text;
    c.fillRect(x, y - 2, 1.2, 2);
  }
}

// ---- far away

const NEAR = 1.1; // slices per pixel and lane, above which shares are drawn

/** Whether so many slices are in view that lanes are drawn as shares. */
export const isFar = (slicesInView, px) => slicesInView > (view.width - GUTTER) * NEAR * Math.max(2, rec.np / 2) && px > levels.width * 0.5;

let image = null;
const sumsBefore = new Float64Array(CLASSES), sumsNow = new Float64Array(CLASSES);

/** One column per device pixel: from below the share of each body, idle time left empty. */
export function paintShares(c, p, x0, y0, width, height) {
  const columns = Math.round(width * ratio()), lines = Math.round(height * ratio());
  if (columns <= 0 || lines <= 0) return;
  if (!image || image.width !== columns || image.height !== lines) image = c.createImageData(columns, lines);
  const data = new Uint32Array(image.data.buffer), px = (view.t1 - view.t0) / columns;
  data.fill(C.lane32);
  runBefore(p, view.t0, sumsBefore);
  for (let x = 0; x < columns; x++) {
    runBefore(p, view.t0 + (x + 1) * px, sumsNow);
    let filled = 0, y = lines;
    for (let k = 0; k < CLASSES; k++) {
      if (sumsNow[k] > sumsBefore[k]) {
        filled += ((sumsNow[k] - sumsBefore[k]) / px) * lines;
        const top = Math.max(0, Math.round(lines - filled)), colour = C.fill32[k];
        while (y > top) data[--y * columns + x] = colour;
      }
      sumsBefore[k] = sumsNow[k];
    }
  }
  c.putImageData(image, Math.round(x0 * ratio()), Math.round(y0 * ratio()));
}
