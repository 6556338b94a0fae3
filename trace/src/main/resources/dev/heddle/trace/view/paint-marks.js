// Marks on the lanes: what moved between queues, what the monitor did, when the world stood still.
import { ASKED, COUNTED, HOG } from './caption.js';
import { found } from './index.js';
import { GC, GLOBAL, MONITOR, SPILL, STEAL, TAKEN } from './kinds.js';
import { lower } from './lists.js';
import { rec } from './recording.js';
import { rounded, tip } from './surface.js';
import { C, FONT } from './theme.js';
import { GUTTER, view, xOf } from './view.js';
import { duration, string } from './words.js';

/** Above this many marks in view they become ticks and arrows vanish: more look like hair. */
export const CROWD = 48;

export function marksInView() {
  let sum = 0;
  for (const list of found.marks) sum += before(list, view.t1) - before(list, view.t0);
  return sum;
}

/** How many of a list of events lie before a time. */
export const before = (list, t) => lower(i => rec.t[list[i]], list.length, t);

/** Steals, takes from the global queue and spills of a P. */
export function paintMarks(c, p, y, base, right, crowded) {
  const list = found.marks[p];
  let lastX = -9;
  for (let j = before(list, view.t0); j < list.length && rec.t[list[j]] < view.t1; j++) {
    const i = list[j], x = xOf(rec.t[i]), kind = rec.kind[i];
    if (x < GUTTER || x > right) continue;
    if (kind === SPILL) spillMark(c, x, base, rec.b[i], crowded && x - lastX < 26);
    else if (crowded) {
      if (kind !== STEAL || x - lastX <= 2) continue;
      c.fillStyle = C.text;
      c.fillRect(x - 0.75, y - 3, 1.5, 5);
      lastX = x;
    } else if (kind !== TAKEN) {
      const labelled = rec.b[i] > 1 && x - lastX > 26;
      (kind === STEAL ? stealMark : takeMark)(c, x, y);
      if (labelled) label(c, `+${rec.b[i]}`, x + 6, y - 1, kind === STEAL ? C.text : C.dim);
      if (labelled) lastX = x;
    }
  }
}

function stealMark(c, x, y) {
  c.fillStyle = C.text;
  c.strokeStyle = C.bg;
  c.lineWidth = 1;
  tip(c, x, y + 5, 0, 1, 5.4);
  c.stroke();
}

function takeMark(c, x, y) {
  c.strokeStyle = C.text;
  c.fillStyle = C.bg;
  c.lineWidth = 1.4;
  c.beginPath();
  c.arc(x, y, 3, 0, 7);
  c.fill();
  c.stroke();
}

function spillMark(c, x, base, count, quiet) {
  c.fillStyle = C.bad;
  c.fillRect(x - 1, base - 16, 2, 14);
  tip(c, x, base + 3, 0, 1, 5);
  if (!quiet) label(c, `−${count}`, x + 6, base - 7, C.bad);
}

/** Text with an edge, readable on anything. */
export function label(c, words, x, y, colour) {
  c.font = `650 10px ${FONT}`;
  c.lineWidth = 3;
  c.strokeStyle = C.bg;
  c.lineJoin = 'round';
  c.strokeText(words, x, y);
  c.fillStyle = colour;
  c.fillText(words, x, y);
  c.lineWidth = 1;
}

/** Disc: preemption asked. Square: hog. Bar: blocked in a call. */
export function paintMonitor(c, y, right) {
  c.fillStyle = C.line;
  c.fillRect(GUTTER, y, right - GUTTER, 1);
  const first = before(found.watch, view.t0), few = before(found.watch, view.t1) - first < 80;
  let lastX = -9;
  for (let j = first; j < found.watch.length && rec.t[found.watch[j]] < view.t1; j++) {
    const i = found.watch[j], x = xOf(rec.t[i]), next = found.watch[j + 1];
    const verdict = rec.kind[i] === MONITOR ? rec.a[i] : -1, isHog = verdict === HOG || verdict === COUNTED;
    if (x < GUTTER || x > right || (x - lastX < 2 && !isHog)) continue;
    lastX = x;
    const roomy = few && (next === undefined || xOf(rec.t[next]) - x > 56);
    if (verdict === ASKED) {
      c.fillStyle = C.wait;
      c.beginPath();
      c.arc(x, y, 4, 0, 7);
      c.fill();
      if (roomy) label(c, 'preempt', x + 7, y, C.wait);
    } else if (isHog) {
      c.fillStyle = C.bad;
      c.fillRect(x - 4, y - 4, 8, 8);
      if (roomy) label(c, 'hog', x + 8, y, C.bad);
    } else {
      c.fillStyle = C.dim;
      c.fillRect(x - 1, y - 4, 2, 8);
    }
  }
}

/** Stops and pauses: a bar in the World row, hatching over the lanes. */
export function paintPauses(c, row, top, bottom, right) {
  const { pauses } = found, first = pauses.firstAfter(view.t0);
  const crowded = lower(i => pauses.from[i], pauses.n, view.t1) - first > 24;
  let lastX = -1;
  for (let j = first; j < pauses.n && pauses.from[j] < view.t1; j++) {
    const x = Math.max(GUTTER, xOf(pauses.from[j])), width = Math.max(1, Math.min(right, xOf(pauses.to[j])) - x);
    if (x + width < lastX + 0.5) continue;
    lastX = x + width;
    const i = pauses.v[j], isGc = rec.kind[i] === GC;
    c.fillStyle = isGc ? C.stop : C.bad;
    rounded(c, x, row.y + 4, width, 10, Math.min(3, width / 2));
    c.fill();
    if (crowded) continue;
    veil(c, x, width, top, bottom);
    pauseLabel(c, x, width, row.y + 9.5, isGc, `${isGc ? string(rec.a[i]) || 'GC pause' : 'stop the world'} ${duration(pauses.length(j))}`);
  }
}

function veil(c, x, width, top, bottom) {
  c.globalAlpha = width > 2.5 ? 0.5 : 0.35;
  c.fillStyle = width > 2.5 ? C.bg : C.stop;
  c.fillRect(x, top, width, bottom - top);
  c.globalAlpha = 1;
  if (width <= 2.5) return;
  c.fillStyle = C.hatchStop;
  c.fillRect(x, top, width, bottom - top);
}

function pauseLabel(c, x, width, y, isGc, words) {
  c.font = `600 10px ${FONT}`;
  if (c.measureText(words).width < width - 8) {
    c.fillStyle = C.bg;
    c.fillText(words, x + 5, y);
  } else {
    c.fillStyle = isGc ? C.dim : C.bad;
    c.fillText(isGc ? 'GC' : 'STW', x + width + 4, y);
  }
}
