// The panel for a range of time: totals by body, goroutine, P and reason, and how often the scheduler decided what.
import { bodyCell, h, link, table } from './dom.js';
import { GLOBAL, PARK, SPILL, START, STEAL, TAKEN, WAKE } from './kinds.js';
import { found } from './index.js';
import { rec } from './recording.js';
import { clearRange, fitSelection } from './selection.js';
import { S, eventsIn, inLane, lanes } from './slices.js';
import { duration, moment, number, percent, processor, reason } from './words.js';

const MOST_GOROUTINES = 10; // rows of goroutines

export function rangePanel(t0, t1) {
  const length = Math.max(1, t1 - t0), byP = [], byBody = new Map(), byG = new Map();
  for (let p = 0; p < rec.np; p++) byP.push(addRuns(p, t0, t1, byBody, byG));
  const busy = byP.reduce((sum, time) => sum + time, 0), whole = length * rec.np;
  const { counts, reasons, stolen } = countEvents(t0, t1);
  const sorted = map => [...map].sort((x, y) => y[1] - x[1]);
  return [
    h('button', { class: 'back', onclick: clearRange }, '‹ Clear range'),
    h('h1', null, duration(length)),
    h('p', { class: 'dim' }, `${moment(t0)} to ${moment(t1)} · ${percent(busy, whole)} busy`),
    h('div', { class: 'links' }, h('button', { onclick: fitSelection }, 'fill the view (F)')),
    h('h2', null, 'Bodies'),
    table(['Body', 'ran', 'share'], sorted(byBody).slice(0, 16).map(([body, time]) => [bodyCell(body), duration(time), percent(time, whole, 1)])),
    h('h2', null, 'Goroutines', h('small', null, `${number(byG.size)} ran`)),
    table(['Goroutine', 'ran', 'waited'], sorted(byG).slice(0, MOST_GOROUTINES).map(([g, time]) => [link(g, t0), duration(time), duration(waitedIn(g, t0, t1))])),
    h('h2', null, 'Processors'),
    table(['P', 'ran', 'busy', 'idle'], byP.map((time, p) => [processor(p), duration(time), percent(time, length), duration(length - found.owned[p].cover(t0, t1))])),
    h('h2', null, 'Parks by reason'),
    table(null, sorted(reasons).map(([r, n]) => [reason(r), number(n)])),
    h('h2', null, 'Decisions'),
    table(null, [
      ['Starts', START], ['Steals', STEAL], ['Spills', SPILL], ['Takes from the global queue', GLOBAL], ['Ps taken', TAKEN], ['Machines woken', WAKE],
    ].map(([words, kind]) => [words, number(counts[kind]) + (kind === STEAL && stolen ? ` (${number(stolen)} goroutines)` : '')])),
    found.pauses.cover(t0, t1) > 0 && h('p', { class: 'dim' }, `The world stood still for ${duration(found.pauses.cover(t0, t1))}.`),
  ].filter(Boolean);
}

/** Adds the runs of a P in the range to both maps; returns their sum. Time is exact: cut at the range's ends. */
function addRuns(p, t0, t1, byBody, byG) {
  const [from, to] = inLane(p, t0, t1);
  let sum = 0;
  for (let j = from; j < to; j++) {
    const s = lanes[p][j], time = Math.max(0, Math.min(t1, S.t1[s]) - Math.max(t0, S.t0[s])), g = S.g[s];
    sum += time;
    byG.set(g, (byG.get(g) ?? 0) + time);
    byBody.set(rec.body[g], (byBody.get(rec.body[g]) ?? 0) + time);
  }
  return sum;
}

/** How long a goroutine was runnable in the range. */
function waitedIn(g, t0, t1) {
  let sum = 0;
  for (let s = S.first[g]; s >= 0; s = S.next[s])
    if (S.ready[s] >= 0) sum += Math.max(0, Math.min(t1, S.t0[s]) - Math.max(t0, rec.t[S.ready[s]]));
  return sum;
}

function countEvents(t0, t1) {
  const counts = new Int32Array(64), reasons = new Map(), [from, to] = eventsIn(t0, t1);
  let stolen = 0;
  for (let i = from; i < to; i++) {
    counts[rec.kind[i]]++;
    if (rec.kind[i] === STEAL) stolen += rec.b[i];
    if (rec.kind[i] === PARK) reasons.set(rec.a[i], (reasons.get(rec.a[i]) ?? 0) + 1);
  }
  return { counts, reasons, stolen };
}
