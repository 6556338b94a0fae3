// Selecting a slice or a range, and moving the view to it.
import { rec } from './recording.js';
import { app, draw, tell } from './app.js';
import { S, sliceNear } from './slices.js';
import { fly, flyToAll } from './view.js';

/** Selects a slice, -1 for none; with `move` the view flies to it and its wait. */
export function select(s, move = false) {
  app.selected = s;
  app.range = null;
  if (s >= 0) {
    app.cursor = S.t0[s];
    if (move) flyTo(s);
  }
  tell('select');
  draw();
}

export const selectedG = () => (app.selected >= 0 ? S.g[app.selected] : 0);

/** Selects what a goroutine ran at a moment, or last before. */
export function selectNear(g, t) {
  const s = sliceNear(g, t);
  if (s >= 0) select(s, true);
}

export function selectRange(from, to) {
  app.range = [Math.max(0, Math.min(from, to)), Math.min(rec.end, Math.max(from, to))];
  draw();
}

export function clearRange() {
  app.range = null;
  tell('select');
  draw();
}

const begin = s => (S.ready[s] >= 0 ? rec.t[S.ready[s]] : S.t0[s]);

function flyTo(s) {
  const from = begin(s), wait = S.t0[s] - from, length = S.t1[s] - from;
  const shown = Math.max(wait * 1.5, Math.min(length, wait * 4 + 60e3), 20e3);
  fly(from - shown * 0.18, from + shown * 1.18);
}

/** F: the range or the selected slice fills the view; else everything. */
export function fitSelection() {
  let from, to;
  if (app.range) [from, to] = app.range;
  else if (app.selected >= 0) [from, to] = [begin(app.selected), S.t1[app.selected]];
  else return flyToAll();
  const slack = (to - from) * (app.range ? 0.03 : 0.15);
  return fly(from - slack, to + slack);
}

/** The run before or after the selected one. */
export function step(direction) {
  if (app.selected < 0) return;
  const s = direction < 0 ? S.prev[app.selected] : S.next[app.selected];
  if (s >= 0) select(s, true);
}
