// The keyboard. Keys that zoom and pan glide while they are held.
import { app, draw, tell } from './app.js';
import { byId } from './dom.js';
import { clearFilter, isFiltered } from './filter.js';
import { walk } from './goroutines.js';
import { showMode } from './modes.js';
import { back, forward, player, togglePlay } from './player.js';
import { nextHit } from './search.js';
import { clearRange, fitSelection, select, step } from './selection.js';
import { switchTheme } from './main.js';
import { flyToAll, timeAt, setView, view } from './view.js';

const ARROWS = { ArrowLeft: 'a', ArrowRight: 'd', ArrowUp: 'w', ArrowDown: 's' };
const keyOf = e => ARROWS[e.key] ?? e.key.toLowerCase();

const EVERYWHERE = {
  '/': () => byId('find').focus(),
  '?': () => byId('manual').showModal(),
  l: () => switchTheme(),
  1: () => showMode('timeline'),
  2: () => showMode('goroutines'),
  3: () => showMode('play'),
  p: () => showMode(app.mode === 'play' ? 'timeline' : 'play'),
  g: () => showMode(app.mode === 'goroutines' ? 'timeline' : 'goroutines'),
};

const IN_PLAY = { ' ': togglePlay, '.': single, d: single, ',': back, a: back, escape: () => showMode('timeline') };

const ON_TIME = {
  f: fitSelection,
  0: flyToAll,
  n: e => nextHit(e.shiftKey ? -1 : 1),
  '[': () => step(-1),
  ']': () => step(1),
  escape: clear,
};

function single() {
  player.playing = false;
  forward();
}

/** Esc: first the range, then the selection, then the filter. */
function clear() {
  if (app.range) return clearRange();
  if (app.selected >= 0) return select(-1);
  if (!isFiltered()) return undefined;
  clearFilter();
  byId('find').value = '';
  tell('filter');
  return draw();
}

export function startKeyboard() {
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || byId('manual').open || isField(e.target)) return;
    const key = keyOf(e), action = (app.mode === 'play' ? IN_PLAY : ON_TIME)[key] ?? EVERYWHERE[key];
    if (app.mode === 'goroutines' && (e.key === 'ArrowUp' || e.key === 'ArrowDown')) {
      e.preventDefault();
      walk(e.key === 'ArrowUp' ? -1 : 1);
    } else if (app.mode !== 'play' && key.length === 1 && 'wasd'.includes(key)) {
      e.preventDefault();
      hold(key);
    } else if (action && !(key === ' ' && e.target.tagName === 'BUTTON')) {
      e.preventDefault();
      action(e);
    }
  });
  addEventListener('keyup', e => held.delete(keyOf(e)));
  addEventListener('blur', () => held.clear());
}

const isField = element => (element.tagName === 'INPUT' && element.type !== 'range' && element.type !== 'checkbox') || element.tagName === 'SELECT';

// ---- gliding

const held = new Set();
const TAP = 4; // frames that a short press is worth
let gliding = false, last = 0;

function hold(key) {
  if (held.has(key)) return; // the system repeats keys that are held
  held.add(key);
  move(TAP);
  if (gliding) return;
  gliding = true;
  last = 0;
  requestAnimationFrame(glide);
}

function glide(now) {
  gliding = held.size > 0;
  if (!gliding) return;
  move(last ? Math.min(6, (now - last) / 16.7) : 1);
  last = now;
  requestAnimationFrame(glide);
}

/** Moves and zooms as the held keys say, for so many frames of 60 Hz. */
function move(frames) {
  const length = view.t1 - view.t0, middle = app.hover ? timeAt(app.hover.x) : (view.t0 + view.t1) / 2;
  const shift = ((held.has('d') ? 1 : 0) - (held.has('a') ? 1 : 0)) * length * 0.022 * frames;
  const factor = (held.has('w') ? 0.955 : held.has('s') ? 1.047 : 1) ** frames;
  setView(middle - (middle - view.t0) * factor + shift, middle + (view.t1 - middle) * factor + shift);
}
