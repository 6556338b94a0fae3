// Arrows between lanes. Of the selection: who made it runnable, what it woke and created. In view, while they are few: creations,
// wake-ups, steals and hand-offs.
import { app } from './app.js';
import { found } from './index.js';
import { CREATE, READY, STEAL, TAKEN } from './kinds.js';
import { rec } from './recording.js';
import { rowOfLane, rows, topOf, RULER } from './rows.js';
import { S, eventsIn, lanes, onP, sliceAfter, sliceAt } from './slices.js';
import { C } from './theme.js';
import { GUTTER, view, xOf } from './view.js';
import { CROWD, before } from './paint-marks.js';
import { tip } from './surface.js';

const MOST = 60; // arrows of the selection
const EVENTS = 4000; // looked at for wake-ups in view

/** How many arrows the last picture had. */
export const arrows = { drawn: 0 };

export function paintArrows(c, right, bottom, far, marks) {
  arrows.drawn = 0;
  c.save();
  c.beginPath();
  c.rect(GUTTER, RULER, right - GUTTER, bottom - RULER);
  c.clip();
  if (!far && marks <= CROWD) {
    paintMoves(c);
    paintWakes(c);
  }
  if (app.selected >= 0) paintSelection(c, app.selected);
  c.restore();
}

const middleOf = lane => {
  const row = rowOfLane(lane);
  return row ? topOf(row) + row.height / 2 - (row.type === 'p' ? 6 : 0) : -99;
};

/** Steals from victim to thief, and goroutines that go on without their P. */
function paintMoves(c) {
  const list = [];
  for (const marks of found.marks)
    for (let j = before(marks, view.t0); j < marks.length && rec.t[marks[j]] < view.t1; j++)
      if (rec.kind[marks[j]] === STEAL || rec.kind[marks[j]] === TAKEN) list.push(marks[j]);
  const strong = list.length <= 24 ? 0.75 : 0.35;
  for (const i of list) {
    const x = xOf(rec.t[i]);
    if (rec.kind[i] === STEAL) {
      const from = rowOfLane(rec.a[i]), to = rowOfLane(rec.p[i]), down = from.y < to.y;
      curve(c, x - 12, topOf(from) + from.height - (down ? 5 : 8), x, down ? topOf(to) : topOf(to) + to.height - 20, C.text, strong, false);
    } else if (rec.g[i] > 0) {
      const s = looseFrom(rec.g[i], i);
      if (s >= 0) curve(c, x - 1, middleOf(rec.p[i]), x + 1, topOf(rowOfLane(S.lane[s])) + 2, C.bad, strong * 0.8, true);
    }
  }
}

function looseFrom(g, event) {
  for (let s = S.last[g]; s >= 0 && S.i0[s] >= event; s = S.prev[s]) if (S.i0[s] === event) return s;
  return -1;
}

/** Creations and wake-ups that cross lanes, if the window holds few of them. */
function paintWakes(c) {
  const [from, to] = eventsIn(view.t0, view.t1);
  if (to - from > EVENTS) return;
  const list = [];
  for (let i = from; i < to; i++) {
    if ((rec.kind[i] !== READY && rec.kind[i] !== CREATE) || rec.p[i] < 0) continue;
    const s = sliceAfter(rec.g[i], i);
    if (s >= 0 && S.lane[s] >= 0 && S.lane[s] !== rec.p[i]) list.push([i, s]);
    if (list.length > CROWD) return;
  }
  for (const [i, s] of list) curve(c, xOf(rec.t[i]), middleOf(rec.p[i]), xOf(S.t0[s]), middleOf(S.lane[s]), C.dim, 0.55, true, 1);
}

function paintSelection(c, s) {
  const ready = S.ready[s];
  if (ready >= 0 && onP(s)) paintCause(c, s, ready);
  const end = S.i1[s] < 0 ? rec.n : S.i1[s];
  let drawn = 0;
  for (let i = Math.max(0, S.i0[s]); i < end && drawn < MOST; i++) {
    if ((rec.kind[i] !== READY && rec.kind[i] !== CREATE) || rec.a[i] !== S.g[s]) continue;
    const woken = sliceAfter(rec.g[i], i);
    if (woken < 0 || S.lane[woken] < 0) continue;
    curve(c, xOf(rec.t[i]), middleOf(S.lane[s]), xOf(S.t0[woken]), middleOf(S.lane[woken]), C.accent, 0.8, true, 1.4);
    drawn++;
  }
}

/** From the waker to the start, and the wait as a bar along the lane. */
function paintCause(c, s, ready) {
  const row = rowOfLane(S.lane[s]), top = topOf(row), x0 = xOf(rec.t[ready]), x1 = xOf(S.t0[s]), y = middleOf(S.lane[s]);
  c.fillStyle = C.wait;
  c.fillRect(x0, top + 2, x1 - x0, 2.5);
  const from = rec.p[ready] >= 0 ? rec.p[ready] : wakerLane(rec.a[ready], rec.t[ready]);
  if (from < 0 || from === S.lane[s]) {
    c.fillRect(x0 - 1, top, 2, 10);
    tip(c, x1 + 1, top + 3.2, 1, 0, 4.5);
    arrows.drawn++;
    return;
  }
  curve(c, x0, middleOf(from), x1, y, C.wait, 1, true, 2);
  c.fillStyle = C.wait;
  c.beginPath();
  c.arc(x0, middleOf(from), 3.5, 0, 7);
  c.fill();
}

/** The lane of a waker without a P. */
function wakerLane(g, t) {
  if (g <= 0) return -1;
  for (let lane = rec.np; lane < lanes.length; lane++) {
    const s = sliceAt(lane, t);
    if (s >= 0 && S.g[s] === g) return lane;
  }
  return -1;
}

function curve(c, x0, y0, x1, y1, colour, alpha, pointed, width = 1.2) {
  if (Math.max(x0, x1) < GUTTER || Math.min(x0, x1) > view.width) return;
  if (Math.max(y0, y1) < rows.top - 60) return;
  arrows.drawn++;
  c.globalAlpha = alpha;
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = width;
  const reach = Math.max(10, Math.abs(x1 - x0) * 0.5);
  c.beginPath();
  c.moveTo(x0, y0);
  c.bezierCurveTo(x0 + reach * 0.4, y0 + (y1 - y0) * 0.35, x1 - reach, y1 - (y1 - y0) * 0.15, x1, y1);
  c.stroke();
  if (pointed) tip(c, x1 + 1, y1, 1, 0, 5);
  c.globalAlpha = 1;
}
