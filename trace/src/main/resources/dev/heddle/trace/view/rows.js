// Which lanes there are and where: fixed ones at the top, the others scroll where they do not fit.
import { rec } from './recording.js';
import { found, COUNTERS } from './index.js';
import { app } from './app.js';

export const RULER = 24;

export const rows = {
  fixed: [],
  list: [],
  top: RULER, // where the scrolling part begins
  height: 0, // of all scrolling rows
  scroll: 0,
};

/** Lays the rows out for a canvas of this height. */
export function layRows(canvasHeight) {
  rows.fixed = [];
  let y = RULER;
  const fix = (type, height) => {
    rows.fixed.push({ type, y, height });
    y += height;
  };
  fix('world', 18);
  if (app.selected >= 0) fix('goroutine', 34);
  rows.top = y;
  rows.list = [];
  y = 0;
  const add = (type, height, more) => {
    rows.list.push({ type, y, height, ...more });
    y += height;
  };
  const loose = found.looseRows, looseHeight = loose > 40 ? 4 : loose > 5 ? 11 : 17;
  const rest = Math.min(8, loose) * looseHeight + 22 + COUNTERS.length * 34;
  const pHeight = Math.max(28, Math.min(74, Math.floor((canvasHeight - rows.top - rest) / rec.np)));
  for (let p = 0; p < rec.np; p++) add('p', pHeight, { lane: p });
  for (let row = 0; row < loose; row++) add('loose', looseHeight, { lane: rec.np + row });
  add('monitor', 22);
  const left = canvasHeight - rows.top - y;
  const counter = Math.max(34, Math.min(46, Math.floor(left / COUNTERS.length)));
  for (const [name, label] of COUNTERS) add('counter', counter, { name, label });
  rows.height = y;
  rows.view = canvasHeight - rows.top;
  scrollTo(rows.scroll);
}

export const canScroll = () => rows.height > rows.view + 1;

export function scrollTo(y) {
  rows.scroll = Math.max(0, Math.min(rows.height - rows.view, y));
}

/** The top of a row on the canvas. */
export const topOf = row => (rows.fixed.includes(row) ? row.y : rows.top + row.y - rows.scroll);

/** The row at a height on the canvas, or undefined for the ruler. */
export function rowAt(y) {
  if (y < rows.top) return rows.fixed.find(row => y >= row.y && y < row.y + row.height);
  const inside = y - rows.top + rows.scroll;
  return rows.list.find(row => inside >= row.y && inside < row.y + row.height);
}

/** The rows of the scrolling part that can be seen. */
export const visibleRows = () => rows.list.filter(row => row.y + row.height > rows.scroll && row.y < rows.scroll + rows.view);

export const rowOfLane = lane => rows.list.find(row => row.lane === lane);

/** Scrolls so that a lane can be seen. */
export function reveal(lane) {
  const row = lane < 0 ? undefined : rowOfLane(lane);
  if (!row) return;
  if (row.y < rows.scroll) scrollTo(row.y);
  else if (row.y + row.height > rows.scroll + rows.view) scrollTo(row.y + row.height - rows.view);
}
