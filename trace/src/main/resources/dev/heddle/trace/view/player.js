// Play: walks through the events one by one. This part knows where it is and how fast it goes; stage.js draws.
import { app, draw, on, tell } from './app.js';
import { caption } from './caption.js';
import { byId, h } from './dom.js';
import { GC, SPILL, STEAL, STOP, TAKEN, WORDS } from './kinds.js';
import { rec } from './recording.js';
import { S, slicesOf } from './slices.js';
import { PARK, WAS_WAITING } from './kinds.js';
import { note, placeChips, startStage } from './stage.js';
import { fly } from './view.js';
import { eventAt, moment, number } from './words.js';
import { worldAt } from './world.js';
import { showMode } from './modes.js';

/** `step` is the number of events that have been played. */
export const player = { world: null, step: 0, playing: false, speed: 4 };

let debt = 0, lastFrame = 0;

export function startPlayer() {
  startStage();
  controls();
  on('mode', () => {
    player.playing = false;
    if (app.mode === 'play') enter();
  });
  on('seek', () => goTo(Math.max(0, eventAt(app.cursor) - 1)));
  on('theme', () => { if (player.world) draw(); });
  on('draw', () => { if (app.mode === 'play' && player.playing) advance(app.now); });
}

/** Begins at the cursor, unless Play is there already. */
function enter() {
  if (app.wantedStep > 0) goTo(app.wantedStep - 1);
  else if (!player.world || rec.t[player.step - 1] !== app.cursor) goTo(Math.max(0, eventAt(app.cursor)));
  app.wantedStep = 0;
}

/** Shows Play, with this event as the last one played. */
export function playFrom(i) {
  app.wantedStep = i + 1;
  if (app.mode === 'play') enter();
  else showMode('play');
}

/** Jumps to the state after event i; nothing moves. */
export function goTo(i) {
  const event = Math.max(0, Math.min(rec.n - 1, i));
  player.world = worldAt(event);
  player.world.parked = parkedAt(event);
  const words = caption(player.world, event);
  player.world.apply(event);
  player.step = event + 1;
  placeChips(player.world, player.step, true);
  arrive(event, words);
}

/** Plays the next events; the last one is told. */
export function forward(count = 1) {
  let words = '';
  for (let j = 0; j < count && player.step < rec.n; j++) {
    if (j === count - 1 || player.step === rec.n - 1) words = caption(player.world, player.step);
    note(player.step);
    player.world.apply(player.step++);
  }
  if (player.step >= rec.n) player.playing = false;
  placeChips(player.world, player.step, false);
  arrive(player.step - 1, words);
}

export function back() {
  player.playing = false;
  goTo(player.step - 2);
}

export function togglePlay() {
  player.playing = !player.playing;
  debt = player.playing ? 1 : 0;
  lastFrame = 0;
  showPlayer();
}

/** Goes to the step before the next event of these kinds and then plays it, so that the move is seen. */
export function jumpTo(kinds) {
  for (let j = 0; j < rec.n; j++) {
    const i = (player.step + j) % rec.n;
    if (!kinds.includes(rec.kind[i])) continue;
    player.playing = false;
    if (i > 0) goTo(i - 1);
    setTimeout(() => { if (player.step === i) forward(); }, 240);
    return true;
  }
  return false;
}

/** Goroutines that are parked before an event, with their reasons: from their slices, since snapshots leave them out. */
function parkedAt(event) {
  const parked = new Map(), t = rec.t[event];
  for (let g = 1; g < rec.ng; g++) {
    const [mine, from] = slicesOf(g, t);
    for (let i = Math.min(from, mine.length - 1); i >= 0; i--) {
      const s = mine[i], end = S.i1[s], next = S.next[s];
      if (S.i0[s] >= event) continue;
      const woken = next >= 0 && S.ready[next] >= 0 ? S.ready[next] : next >= 0 ? S.i0[next] : Infinity;
      if (end >= 0 && end < event && rec.kind[end] === PARK && woken >= event) parked.set(g, rec.a[end]);
      break;
    }
  }
  for (let i = 0; i < event && rec.t[i] === 0; i++) {
    const g = rec.g[i], first = S.first[g];
    const until = first < 0 ? Infinity : S.ready[first] >= 0 ? S.ready[first] : S.i0[first];
    if (rec.kind[i] === WAS_WAITING && until >= event) parked.set(g, rec.a[i]);
  }
  return parked;
}

function advance(now) {
  debt += (Math.min(100, now - (lastFrame || now)) * player.speed) / 1000;
  lastFrame = now;
  const steps = Math.floor(debt);
  if (steps > 0) {
    debt -= steps;
    forward(steps);
  }
  draw();
}

function arrive(i, words) {
  app.cursor = rec.t[i];
  app.step = player.step;
  byId('caption').replaceChildren(
    h('span', { class: 'when' }, moment(rec.t[i]), h('br'), `step ${number(i + 1)} of ${number(rec.n)}`),
    h('span', { class: 'badge' }, WORDS[rec.kind[i]]),
    h('span', { class: 'words' }, words));
  showPlayer();
  tell('step');
}

function showPlayer() {
  const scrub = byId('scrub');
  scrub.value = player.step - 1;
  byId('toggle').textContent = player.playing ? '❚❚' : '▶';
  byId('toggle').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
  draw();
}

const SPEEDS = [1, 2, 4, 10, 40, 200];

function controls() {
  const pausing = action => () => {
    player.playing = false;
    action();
  };
  const jump = (words, ...kinds) => h('button', { class: 'jump', title: `Go to the next ${words}`, onclick: () => jumpTo(kinds) }, `next ${words}`);
  byId('player').replaceChildren(
    h('button', { title: 'Step back (,)', 'aria-label': 'Step back', onclick: back }, '←'),
    h('button', { class: 'main', id: 'toggle', title: 'Play or pause (Space)', onclick: togglePlay }, '▶'),
    h('button', { title: 'Step (.)', 'aria-label': 'Step', onclick: pausing(forward) }, '→'),
    h('label', null, 'Speed', h('select', { id: 'speed', onchange: e => { player.speed = Number(e.target.value); } },
      SPEEDS.map(speed => h('option', { value: speed, selected: speed === player.speed ? '' : undefined }, `${speed} step${speed === 1 ? '' : 's'}/s`)))),
    h('input', { type: 'range', id: 'scrub', min: 0, max: rec.n - 1, value: 0, 'aria-label': 'Step', oninput: e => pausing(() => goTo(Number(e.target.value)))() }),
    jump('steal', STEAL), jump('spill', SPILL), jump('hand-off', TAKEN), jump('stop', GC, STOP),
    h('button', { class: 'jump', onclick: showOnTimeline }, 'show on timeline'));
}

function showOnTimeline() {
  const half = Math.min(rec.end, 200e3) / 2, t = app.cursor;
  showMode('timeline');
  fly(t - half, t + half);
}
