// What tests and the curious may call from the browser's console: `heddle.state()`, `heddle.measure()`.
import { app } from './app.js';
import { arrows } from './paint-arrows.js';
import { found } from './index.js';
import { goroutineRows } from './goroutines.js';
import { goTo, jumpTo, player, playFrom } from './player.js';
import { longestList } from './panel.js';
import { rec } from './recording.js';
import { rows } from './rows.js';
import { select } from './selection.js';
import { S, lanes } from './slices.js';
import { setView, view } from './view.js';
import { showMode } from './modes.js';
import { idOf } from './words.js';
import { times } from './main.js';

export function offerTestHooks() {
  window.heddle = { state, measure, select, setView, showMode, goTo, jumpTo, playFrom, times, longest: () => longestList().map(([s, alike]) => ({ slice: s, g: idOf(S.g[s]), alike })) };
}

/** What is shown, as plain values. */
function state() {
  return {
    mode: app.mode,
    selected: app.selected < 0 ? '' : idOf(S.g[app.selected]),
    slice: app.selected,
    range: app.range,
    step: player.step,
    misses: player.world ? player.world.misses : 0,
    view: [view.t0, view.t1],
    end: rec.end,
    events: rec.n,
    processors: rec.np,
    lanes: lanes.map(list => list.length),
    rows: rows.list.map(row => row.type),
    goroutines: goroutineRows(),
    arrows: arrows.drawn,
    total: found.total,
    still: found.pauses.cover(0, rec.end),
    stills: spansOf(found.pauses),
  };
}

/** The times when the world stood still, and for how long in all. */
function spansOf(pauses) {
  const spans = [];
  for (let i = 0; i < pauses.n; i++) spans.push([pauses.from[i], pauses.to[i], pauses.length(i)]);
  return spans;
}

/** Pans and zooms for some frames at a zoom; resolves to frame intervals and script time per frame, in ms. */
function measure(frames = 120, span = 1) {
  return new Promise(resolve => {
    const gaps = [], length = rec.end * span;
    let n = 0, last = 0;
    const frame = now => {
      if (last) gaps.push(now - last);
      last = now;
      if (n++ >= frames) {
        gaps.sort((x, y) => x - y);
        const at = share => Number(gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))].toFixed(1));
        resolve({ span, median: at(0.5), p95: at(0.95), max: at(1) });
        return;
      }
      const from = (rec.end - length) * (0.15 + (0.5 * n) / frames) + (span === 1 ? rec.end * 0.02 * Math.sin(n / 5) : 0);
      setView(from, from + length * (span === 1 ? 1 - (0.3 * n) / frames : 1));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
