// The timeline: all lanes on one canvas, painted anew in each frame that needs it.
import { app, on } from './app.js';
import { found } from './index.js';
import { rec } from './recording.js';
import { RULER, canScroll, layRows, rows, topOf, visibleRows, reveal } from './rows.js';
import { S, inLane } from './slices.js';
import { C } from './theme.js';
import { GUTTER, pixel, view, xOf } from './view.js';
import { byId } from './dom.js';
import { paintArrows } from './paint-arrows.js';
import { CROWD, marksInView, paintMarks, paintMonitor, paintPauses } from './paint-marks.js';
import { paintCounter, paintQueue } from './paint-queue.js';
import { isFar, paintShares, paintSlices } from './paint-slices.js';
import { paintStates } from './paint-states.js';
import { paintCursor, paintRange, paintRuler } from './ruler.js';
import { paintGutter } from './gutter.js';
import { ratio, resize, rounded, surface } from './surface.js';
import { selectedG } from './selection.js';
import { duration, moment, plural } from './words.js';

export const lanesSurface = surface(byId('lanes'));

export function startTimeline() {
  on('draw', () => { if (app.mode === 'timeline') paintTimeline(); });
  on('select', () => {
    layRows(lanesSurface.height);
    if (app.selected >= 0) reveal(S.lane[app.selected]);
  });
  on('size', () => {
    if (!resize(lanesSurface)) return;
    view.width = lanesSurface.width;
    layRows(lanesSurface.height);
  });
}

function paintTimeline() {
  const { c, width, height } = lanesSurface, px = pixel();
  c.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  c.fillStyle = C.bg;
  c.fillRect(0, 0, width, height);
  c.textBaseline = 'middle';
  const spans = found.queues.map((_, p) => inLane(p, view.t0, view.t1));
  const inView = spans.reduce((sum, [from, to]) => sum + to - from, 0), far = isFar(inView, px);
  const marks = far ? Infinity : marksInView(), shown = visibleRows();

  c.save();
  c.beginPath();
  c.rect(0, rows.top, width, height - rows.top);
  c.clip();
  for (const row of shown) paintRow(c, row, spans, far, marks, width);
  c.restore();
  paintFixed(c, width, shown);
  paintRuler(c, GUTTER, width, height);
  paintArrows(c, width, height, far, marks);
  paintNames(c, shown, width, height);
  paintRange(c, GUTTER, width, height);
  paintCursor(c, GUTTER, width, height);
  if (canScroll()) paintScrollbar(c, width);
  status(far, inView);
}

function paintRow(c, row, spans, far, marks, right) {
  const y = topOf(row);
  if (row.type === 'p') paintProcessor(c, row, y, spans[row.lane], far, marks, right);
  else if (row.type === 'loose') {
    c.fillStyle = C.line;
    if (row.height > 8) c.fillRect(GUTTER, y + row.height - 1, right - GUTTER, 1);
    const [from, to] = inLane(row.lane, view.t0, view.t1), gap = row.height > 8 ? 2 : 0.5;
    paintSlices(c, row.lane, from, to, y + gap, row.height - 2 * gap, right);
  } else if (row.type === 'monitor') paintMonitor(c, y + 11, right);
  else if (row.type === 'counter') paintCounter(c, row, y, right);
}

function paintProcessor(c, row, y, [from, to], far, marks, right) {
  const queue = row.height > 60 ? 20 : row.height > 40 ? 15 : row.height > 30 ? 8 : 5;
  const top = y + 3, height = row.height - queue - 6, base = y + row.height - 2;
  c.fillStyle = C.lane;
  c.fillRect(GUTTER, top, right - GUTTER, height);
  if (far) paintShares(c, row.lane, GUTTER, top, right - GUTTER, height);
  else {
    paintSpinning(c, row.lane, top, height);
    paintSlices(c, row.lane, from, to, top, height, right);
  }
  paintQueue(c, row.lane, base, queue, right);
  if (!far && marks < 600) paintMarks(c, row.lane, top, base, right, marks > CROWD);
}

function paintSpinning(c, p, top, height) {
  const spins = found.spins[p];
  c.fillStyle = C.hatchSpin;
  for (let i = spins.firstAfter(view.t0), n = 0; i < spins.n && spins.from[i] < view.t1 && n < 400; i++, n++) {
    const x = xOf(spins.from[i]), width = xOf(spins.to[i]) - x;
    if (width > 1.5) c.fillRect(x, top + height * 0.25, width, height * 0.5);
  }
}

function paintFixed(c, right, shown) {
  const world = rows.fixed[0], last = shown.filter(row => row.type !== 'counter').at(-1);
  c.fillStyle = C.bg;
  c.fillRect(0, RULER, right, rows.top - RULER);
  c.fillStyle = C.line;
  c.fillRect(GUTTER, world.y + world.height - 1, right - GUTTER, 1);
  for (const row of rows.fixed) if (row.type === 'goroutine') paintStates(c, selectedG(), row.y + 7, row.height - 14, GUTTER, right);
  paintPauses(c, world, rows.top, last ? Math.max(rows.top, topOf(last) + last.height) : rows.top, right);
}

function paintNames(c, shown, right, height) {
  c.fillStyle = C.bg;
  c.fillRect(0, RULER, GUTTER, height - RULER);
  for (const row of rows.fixed) paintGutter(c, row);
  c.save();
  c.beginPath();
  c.rect(0, rows.top, GUTTER, height - rows.top);
  c.clip();
  for (const row of shown) paintGutter(c, row);
  c.restore();
}

function paintScrollbar(c, right) {
  const part = rows.view / rows.height;
  c.fillStyle = C.strong;
  rounded(c, right - 6, rows.top + (rows.scroll / rows.height) * rows.view, 4, Math.max(20, rows.view * part), 2);
  c.fill();
}

/** What is in view, in words, at the right of the footer. */
function status(far, inView) {
  byId('status').textContent = `${moment(Math.max(0, view.t0))} – ${moment(Math.min(rec.end, view.t1))} · `
    + `${duration(view.t1 - view.t0)} in view · ${far ? 'share of time per pixel' : plural(inView, 'slice')}`;
}
