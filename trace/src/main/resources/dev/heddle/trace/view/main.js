// The beginning: reads the recording, builds what is derived from it, and starts every part of the page.
import { app, draw, on, tell } from './app.js';
import { bodies, sumBodies } from './bodies.js';
import { byId, h } from './dom.js';
import { startGoroutines } from './goroutines.js';
import { startHelp } from './help.js';
import { buildHistograms, waitPercentile } from './histogram.js';
import { buildIndex, found } from './index.js';
import { startKeyboard } from './keyboard.js';
import { buildLevels, sumRuns } from './levels.js';
import { readLink, startLink } from './link.js';
import { startModes } from './modes.js';
import { startOverview } from './overview.js';
import { startPanel } from './panel.js';
import { startPlayer } from './player.js';
import { startPointer } from './pointer.js';
import { readRecording, rec } from './recording.js';
import { startSearch } from './search.js';
import { C, firstTheme, readTheme } from './theme.js';
import { lanesSurface, startTimeline } from './timeline.js';
import { S } from './slices.js';
import { setView } from './view.js';
import { duration, number, percent, plural } from './words.js';
import { offerTestHooks } from './hooks.js';

export const times = { begin: performance.now() };

async function start() {
  firstTheme();
  const data = byId('data');
  await readRecording(data.textContent.trim());
  data.textContent = '';
  times.read = performance.now() - times.begin;
  if (rec.n === 0) throw new Error('The recording has no events: nothing was scheduled while it was on.');
  if (rec.np === 0) throw new Error('The recording has no processor: no scheduler ran anything while it was on.');
  buildIndex();
  sumBodies();
  buildLevels();
  buildHistograms();
  times.index = performance.now() - times.begin;
  readTheme(lanesSurface.c);
  on('filter', sumRuns);
  for (const part of [startTimeline, startOverview, startGoroutines, startPlayer, startPanel, startModes, startSearch, startPointer, startKeyboard, startLink, startHelp]) part();
  byId('theme').addEventListener('click', switchTheme);
  addEventListener('resize', () => {
    tell('size');
    draw();
  });
  logo();
  figures();
  tell('size');
  setView(...firstView());
  tell('select');
  readLink();
}

/** All of it, but for a long idle time at the beginning: a program's recording begins with the start of its JVM. */
function firstView() {
  const begin = S.n ? S.t0.subarray(0, S.n).reduce((least, t) => Math.min(least, t)) : 0;
  return begin > rec.end * 0.2 ? [begin - (rec.end - begin) * 0.03, rec.end] : [0, rec.end];
}

/** Light to dark and back. */
export function switchTheme() {
  document.documentElement.dataset.theme = C.dark ? 'light' : 'dark';
  readTheme(lanesSurface.c);
  logo();
  tell('theme');
  draw();
}

function figures() {
  const { total } = found, busy = bodies.time.reduce((sum, time) => sum + time, 0);
  const list = [
    ['Time', duration(rec.end)],
    ['Events', number(rec.n)],
    ['Goroutines', number(rec.ng - 1)],
    [`${plural(rec.np, 'P')} busy`, percent(busy, rec.end * rec.np)],
    ['Wait, half below', duration(waitPercentile(0.5))],
    ['99 % below', duration(waitPercentile(0.99))],
    ['Steals', [number(total.steals), h('small', null, ` of ${number(total.stolen)}`)]],
    ['Spills', number(total.spills)],
    ['Ps taken', number(total.handoffs)],
  ];
  byId('figures').replaceChildren(...list.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));
  byId('file').textContent = rec.head.name;
  document.title = `${rec.head.name} – heddle trace`;
  const notes = [rec.head.note, total.lost > 0 && `${plural(total.lost, 'event')} could not be recorded`].filter(Boolean);
  byId('note').textContent = notes.join(' · ');
  byId('note').hidden = notes.length === 0;
}

/** Four warp threads and the weft through them. */
function logo() {
  const c = byId('logo').getContext('2d');
  c.clearRect(0, 0, 44, 44);
  ['#77aadd', '#44bb99', '#ee8866', '#eedd88'].forEach((colour, i) => {
    c.fillStyle = colour;
    c.beginPath();
    c.roundRect(3 + i * 10, 4, 7, 36, 3.5);
    c.fill();
  });
  c.lineCap = 'round';
  for (const [colour, width] of [[C.panel, 7], [C.text, 3]]) {
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(0, 22);
    c.bezierCurveTo(14, 2, 30, 42, 44, 22);
    c.stroke();
  }
}

start().then(() => {
  byId('fault').hidden = true;
  requestAnimationFrame(() => {
    times.picture = performance.now() - times.begin;
    offerTestHooks();
    document.documentElement.dataset.ready = 'yes';
  });
}, error => {
  byId('fault').replaceChildren(h('b', null, error.message), h('span', null, 'heddle trace view FILE makes a new page from a recording.'));
  document.documentElement.dataset.ready = 'fault';
});
