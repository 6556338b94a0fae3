// Keys and signs.
import { byId, h } from './dom.js';

const KEYS = [
  ['W S, Ctrl + wheel', 'zoom in, out'],
  ['A D, drag', 'pan'],
  ['F', 'fit selection or range'],
  ['0', 'all of it'],
  ['Shift + drag', 'select a range'],
  ['/  Enter  N', 'search, next hit'],
  ['[  ]', 'previous, next run'],
  ['1 2 3, G, P', 'timeline, goroutines, play'],
  ['Space  ,  .', 'play, step back, step'],
  ['L', 'light or dark'],
  ['Esc', 'clear range, selection, filter'],
];

const SIGNS = [
  ['▼', 'steal: arrow from the victim, +n goroutines'],
  ['○', 'taken from the global queue'],
  ['−129', 'spill: half a full ring to the global queue'],
  ['▨', 'blocked in a call, or without a P'],
  ['▁▃▅', 'length of the P’s own queue, on a root scale'],
  ['●', 'preemption asked'],
  ['■', 'hog: computes on without its P'],
  ['▸', 'play: head of the ring; the strip below is the last 150 µs of that P'],
];

export function startHelp() {
  const manual = byId('manual');
  manual.replaceChildren(
    h('h1', null, 'Keys'),
    h('div', { class: 'two' }, KEYS.map(([key, words]) => h('div', null, h('span', null, words), h('kbd', null, key)))),
    h('h1', null, 'Signs'),
    h('div', { class: 'two glyphs' }, SIGNS.map(([sign, words]) => h('div', null, h('b', null, sign), h('span', null, words)))),
    h('p', { class: 'dim' }, 'Each lane is a P, the right to run. A slice is one goroutine running there, in the colour of its body. '
      + 'Seen from afar a lane shows the share of time of each body instead. Amber: runnable but not running. Red: taken or spilled. Violet: your selection.'),
    h('button', { class: 'chip', onclick: () => manual.close() }, 'Close'));
  manual.addEventListener('click', e => { if (e.target === manual) manual.close(); });
  byId('help').addEventListener('click', () => manual.showModal());
}
