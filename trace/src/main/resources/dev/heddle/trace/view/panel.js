// The panel at the right: bodies, histograms and longest waits; or the selected run; or the totals of a range. Plain HTML, so it
// can be read aloud, copied and walked through by keyboard.
import { app, draw, on, tell } from './app.js';
import { bodies } from './bodies.js';
import { bodyCell, byId, clickable, h, swatch, table } from './dom.js';
import { explain } from './explain.js';
import { clearFilter, filter, isFiltered } from './filter.js';
import { BUCKETS, bucketWords, histograms } from './histogram.js';
import { longestWaits } from './longest.js';
import { rec } from './recording.js';
import { select } from './selection.js';
import { S, waitOf } from './slices.js';
import { rangePanel } from './panel-range.js';
import { slicePanel } from './panel-slice.js';
import { bodyName, duration, idOf, number, ownName, percent } from './words.js';

export function startPanel() {
  for (const event of ['select', 'filter', 'theme', 'range']) on(event, fill);
}

function fill() {
  const box = byId('panel');
  box.scrollTop = 0;
  if (app.range) box.replaceChildren(...rangePanel(...app.range));
  else if (app.selected >= 0) box.replaceChildren(...slicePanel(app.selected));
  else box.replaceChildren(...startPage());
}

/** Sets a part of the filter, or clears it if it was set so already. */
export function toggleFilter(part, value) {
  filter[part] = filter[part] === value ? -1 : value;
  tell('filter');
  draw();
}

function startPage() {
  return [
    isFiltered() && h('button', { class: 'chip', onclick: unfilter }, 'Show everything again ✕'),
    h('h2', null, 'Bodies', h('small', null, 'click to filter')),
    bodyTable(),
    histogram('wait', 'Wait before running', histograms.wait),
    histogram('run', 'Length of a run', histograms.run),
    h('h2', null, 'Longest waits', h('small', null, 'runnable, but not running')),
    waitList(),
  ].flat().filter(Boolean);
}

function unfilter() {
  clearFilter();
  byId('find').value = '';
  byId('found').textContent = '/';
  tell('filter');
  draw();
}

const SHOWN = 12; // bodies

function bodyTable() {
  const shown = bodies.order.slice(0, SHOWN), all = rec.end * rec.np;
  const rows = shown.map(body => [h('span', { title: rec.head.titles[body] }, bodyCell(body)), number(bodies.count[body]), duration(bodies.time[body]), percent(bodies.time[body], all, 1)]);
  const list = table(['Body', 'count', 'ran', 'share'], rows, i => {
    const attributes = clickable(() => toggleFilter('body', shown[i]), filter.body === shown[i]);
    return filter.body >= 0 && filter.body !== shown[i] ? { ...attributes, class: 'click off' } : attributes;
  });
  const more = bodies.order.length - shown.length;
  return more > 0 ? h('div', null, list, h('p', { class: 'dim' }, `and ${number(more)} more: see Goroutines, grouped by body`)) : list;
}

function histogram(part, title, counts) {
  const peak = Math.max(1, ...counts);
  return [
    h('h2', null, title, h('small', null, filter[part] >= 0 ? bucketWords(filter[part]) : 'log scale, click filters')),
    h('div', { class: 'histogram', role: 'group', 'aria-label': title }, [...counts].map((count, i) => {
      const words = `${number(count)}, ${bucketWords(i)}`;
      return h('button', {
        class: filter[part] === i ? 'on' : '',
        title: words,
        'aria-label': words,
        'aria-pressed': String(filter[part] === i),
        disabled: count === 0 ? '' : undefined,
        style: { height: `${count ? Math.max(4, (100 * Math.log(count + 1)) / Math.log(peak + 1)) : 0}%` },
        onclick: () => toggleFilter(part, i),
      });
    })),
    h('div', { class: 'scale', 'aria-hidden': 'true' }, ['<1 µs', '16 µs', '512 µs', '16 ms', '66 ms+'].map(words => h('span', null, words))),
  ];
}

let longest = null;
const causes = new Map();

const causeOf = s => {
  if (!causes.has(s)) causes.set(s, explain(s)?.cause ?? '');
  return causes.get(s);
};

/** The longest waits of the recording: computed once. */
export function longestList() {
  longest ??= longestWaits(20);
  return longest;
}

function waitList() {
  const list = longestList();
  if (!list.length) return h('p', { class: 'dim' }, 'None was longer than 20 µs.');
  return h('ol', { class: 'waits' }, list.map(([s, alike]) => h('li', null,
    h('button', { onclick: () => select(s, true) },
      swatch(rec.body[S.g[s]]),
      h('span', { class: 'name' }, h('b', null, idOf(S.g[s])), ' ', ownName(S.g[s]) || bodyName(S.g[s]), alike > 1 && h('span', { class: 'dim' }, ` and ${number(alike - 1)} like it`)),
      h('span', { class: 'ns' }, duration(waitOf(s))),
      h('span', { class: 'cause' }, causeOf(s))))));
}
