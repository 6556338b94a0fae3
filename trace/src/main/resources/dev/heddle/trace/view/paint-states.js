// The states of one goroutine as a strip: running, runnable, parked, without a P. Drawn for the selection and in the list.
import { END, PARK } from './kinds.js';
import { rec } from './recording.js';
import { S, neverRan, onP, slicesOf, waitOf } from './slices.js';
import { C, FONT, INK, fillOf } from './theme.js';
import { view, xOf } from './view.js';
import { duration, machine, reason, shortProcessor } from './words.js';
import { rounded } from './surface.js';

/** Draws the strip into [left, right] x [y, y + height]; labels where there is room. */
export function paintStates(c, g, y, height, left, right, labels = true) {
  const [mine, from] = slicesOf(g, view.t0), middle = y + height / 2 + 0.5;
  c.font = `500 10.5px ${FONT}`;
  let lastX = -9;
  paintParked(c, mine[from - 1], left, right, middle, labels);
  for (let i = from; i < mine.length; i++) {
    const s = mine[i], begin = S.ready[s] >= 0 ? rec.t[S.ready[s]] : S.t0[s];
    if (begin > view.t1) break;
    const x = Math.max(left, xOf(S.t0[s])), end = Math.min(right, xOf(S.t1[s]));
    if (end < lastX + 0.5 && i < mine.length - 1) continue; // ends in the same pixel as the one before
    lastX = end;
    if (S.ready[s] >= 0) paintWait(c, s, Math.max(left, xOf(begin)), Math.min(right, x), y, height, labels);
    if (neverRan(s)) continue;
    if (end >= x) paintRun(c, s, x, end, y, height, labels, rec.body[g]);
    paintParked(c, s, left, right, middle, labels);
    if (labels && S.i1[s] >= 0 && rec.kind[S.i1[s]] === END && end > left && end < right) {
      c.fillStyle = C.text;
      c.fillRect(end - 0.5, y - 1, 1.5, height + 2);
    }
  }
}

function paintWait(c, s, x, end, y, height, labels) {
  if (end - x <= 0.5) return;
  c.fillStyle = C.waitSoft;
  c.fillRect(x, y + 4, end - x, height - 8);
  c.fillStyle = C.wait;
  c.fillRect(x, y + 4, 1.5, height - 8);
  if (labels && end - x > 96) c.fillText(`runnable ${duration(waitOf(s))}`, x + 6, y + height / 2 + 0.5);
}

function paintRun(c, s, x, end, y, height, labels, body) {
  const width = Math.max(1, end - x);
  c.fillStyle = fillOf(body);
  rounded(c, x, y, width, height, Math.min(2, width / 2));
  c.fill();
  if (!onP(s) || S.block[s] >= 0) {
    c.fillStyle = C.hatch;
    c.fillRect(x, y, width, height);
  }
  const words = onP(s) ? shortProcessor(S.lane[s]) : machine(S.m[s]);
  if (labels && width > 28) {
    c.fillStyle = INK;
    c.fillText(words, x + 5, y + height / 2 + 0.5);
  }
}

/** A thin line from the end of a slice to the moment when the goroutine can go on, with the reason. */
function paintParked(c, s, left, right, middle, labels) {
  if (s === undefined || S.i1[s] < 0 || rec.kind[S.i1[s]] !== PARK) return;
  const next = S.next[s], until = next >= 0 ? (S.ready[next] >= 0 ? rec.t[S.ready[next]] : S.t0[next]) : rec.end;
  const x = Math.max(left, xOf(S.t1[s])), end = Math.min(right, xOf(until));
  if (end - x < 1) return;
  c.fillStyle = C.strong;
  c.fillRect(x, middle - 0.75, end - x, 1.5);
  if (!labels || end - x < 84) return;
  const words = reason(rec.a[S.i1[s]]), width = c.measureText(words).width;
  if (width > end - x - 24) return;
  c.fillStyle = C.bg;
  c.fillRect(x + 8, middle - 7, width + 8, 14);
  c.fillStyle = C.dim;
  c.fillText(words, x + 12, middle);
}
