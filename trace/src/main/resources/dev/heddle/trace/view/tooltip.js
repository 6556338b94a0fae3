// What is under the pointer, in a small box beside it.
import { caption, endWords } from './caption.js';
import { byId, h, swatch } from './dom.js';
import { found } from './index.js';
import { GC, SPILL, WORDS } from './kinds.js';
import { rec } from './recording.js';
import { before } from './paint-marks.js';
import { rowAt, topOf } from './rows.js';
import { S, lengthOf, onP, sliceAt, waitOf } from './slices.js';
import { view, xOf } from './view.js';
import { duration, moment, nameOf, processor, string } from './words.js';
import { worldAt } from './world.js';

export function hideTip() {
  byId('tip').hidden = true;
}

/** Shows lines beside the pointer, or hides the box if there are none. */
export function showTip(e, lines) {
  const box = byId('tip');
  box.hidden = lines.length === 0;
  if (box.hidden) return;
  box.replaceChildren(...lines.map(line => h('div', null, line)));
  const { width, height } = box.getBoundingClientRect();
  const y = e.clientY + 18 + height > innerHeight ? e.clientY - height - 10 : e.clientY + 18;
  box.style.transform = `translate(${Math.max(4, Math.min(innerWidth - width - 8, e.clientX + 14))}px, ${Math.max(4, y)}px)`;
}

/** The lines for a point over the lanes. */
export function laneTip(x, y, t) {
  const row = rowAt(y);
  if (!row) return [];
  if (row.type === 'world') return pauseTip(t);
  if (row.type === 'monitor') return eventTip(nearest(found.watch, x));
  if (row.type === 'p') {
    const mark = nearest(found.marks[row.lane], x);
    if (mark >= 0 && (y < topOf(row) + 12 || rec.kind[mark] === SPILL)) return eventTip(mark);
  }
  if (row.lane === undefined) return [];
  const s = sliceAt(row.lane, t);
  return s >= 0 ? sliceTip(s) : row.type === 'p' ? processorTip(row.lane, t) : [];
}

function nearest(list, x) {
  let best = -1, distance = 6;
  for (let j = Math.max(0, before(list, view.t0)); j < list.length && rec.t[list[j]] < view.t1; j++) {
    const d = Math.abs(xOf(rec.t[list[j]]) - x);
    if (d < distance) [best, distance] = [list[j], d];
  }
  return best;
}

function eventTip(i) {
  return i < 0 ? [] : [[h('b', null, WORDS[rec.kind[i]]), ` at ${moment(rec.t[i])}`], caption(worldAt(i), i)];
}

export function sliceTip(s) {
  const wait = waitOf(s);
  return [
    [swatch(rec.body[S.g[s]]), ' ', h('b', null, nameOf(S.g[s]))],
    `${onP(s) ? 'ran' : 'went on without a P for'} ${duration(lengthOf(s))}, then ${endWords(S.i1[s])}`,
    ...(wait > 0 ? [['runnable for ', h('span', { class: 'wait' }, duration(wait)), ' before']] : []),
  ];
}

function processorTip(p, t) {
  const words = found.spins[p].find(t) >= 0 ? 'looks for work' : found.owned[p].find(t) >= 0 ? 'chooses the next goroutine' : 'is idle';
  return [[h('b', null, processor(p)), ` ${words}`], h('span', { class: 'dim' }, moment(t))];
}

function pauseTip(t) {
  const slack = (view.t1 - view.t0) / 300, { pauses } = found, i = pauses.firstAfter(t - slack);
  if (i >= pauses.n || pauses.from[i] > t + slack) return [];
  const event = pauses.v[i], name = rec.kind[event] === GC ? string(rec.a[event]) || 'GC pause' : 'Stop the world';
  return [[h('b', null, name), ` ${duration(pauses.length(i))}`], h('span', { class: 'dim' }, `at ${moment(rec.t[event])}`)];
}

/** The lines for a chip on the stage of Play. */
export function chipTip(g, look, words) {
  const state = { run: 'runs', loose: 'goes on without a P', wait: `waits: ${words}` }[look] ?? 'runnable, in a queue';
  return [[swatch(rec.body[g]), ' ', h('b', null, nameOf(g))], state, h('span', { class: 'dim' }, 'click: show it on the timeline')];
}

