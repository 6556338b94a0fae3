// Slices: the intervals in which a goroutine ran, on a P or without one. Arrays of numbers; a slice is its index.
import { rec } from './recording.js';
import { lowerIn } from './lists.js';

export const S = { n: 0 };

/** Lanes beyond the Ps: rows for machines without a P, packed. A slice that never began (a wait without end) has lane -1. */
export function makeSlices(room) {
  const ints = () => new Int32Array(room).fill(-1);
  Object.assign(S, {
    n: 0,
    t0: new Float64Array(room),
    t1: new Float64Array(room),
    g: new Int32Array(room),
    lane: new Int16Array(room).fill(-1),
    m: ints(),
    i0: ints(), // the event that began it, -1: it began before the window
    i1: ints(), // the event that ended it, -1: it had not ended
    ready: ints(), // the event that made the goroutine runnable before it, or -1
    block: new Float64Array(room).fill(-1), // since when it is blocked in a call
    prev: ints(),
    next: ints(),
    first: new Int32Array(rec.ng).fill(-1), // by goroutine
    last: new Int32Array(rec.ng).fill(-1),
  });
}

export function openSlice(t, lane, g, m, event) {
  const s = S.n++;
  S.t0[s] = t;
  S.t1[s] = rec.end;
  S.g[s] = g;
  S.lane[s] = lane;
  S.m[s] = m;
  S.i0[s] = event;
  S.prev[s] = S.last[g];
  if (S.last[g] >= 0) S.next[S.last[g]] = s;
  else S.first[g] = s;
  S.last[g] = s;
  return s;
}

export function closeSlice(s, event) {
  if (s < 0) return;
  S.t1[s] = rec.t[event];
  S.i1[s] = event;
}

/** How long the goroutine was runnable before a slice; 0 if it was not, or if that is unknown. */
export const waitOf = s => (S.ready[s] < 0 ? 0 : S.t0[s] - rec.t[S.ready[s]]);
export const lengthOf = s => S.t1[s] - S.t0[s];
export const onP = s => S.lane[s] >= 0 && S.lane[s] < rec.np;
/** Runnable at the end of the recording: nothing ran any more. */
export const neverRan = s => S.lane[s] < 0;

// ---- slices by lane

export let lanes = []; // for each lane the indices of its slices, in time order

export function sortIntoLanes(count) {
  const sizes = new Int32Array(count);
  for (let s = 0; s < S.n; s++) if (S.lane[s] >= 0) sizes[S.lane[s]]++;
  lanes = Array.from(sizes, size => new Int32Array(size));
  sizes.fill(0);
  for (let s = 0; s < S.n; s++) if (S.lane[s] >= 0) lanes[S.lane[s]][sizes[S.lane[s]]++] = s;
}

/** The positions [from, to) in a lane whose slices meet [t0, t1]. */
export function inLane(lane, t0, t1) {
  const list = lanes[lane];
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (S.t1[list[middle]] < t0) low = middle + 1;
    else high = middle;
  }
  const from = low;
  high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (S.t0[list[middle]] < t1) low = middle + 1;
    else high = middle;
  }
  return [from, low];
}

/** The slice of a lane at a time, or -1. */
export function sliceAt(lane, t) {
  const list = lanes[lane], [, to] = inLane(lane, t, t + 1e-9);
  return to > 0 && S.t1[list[to - 1]] >= t ? list[to - 1] : -1;
}

/** The slice of a goroutine that runs at a time, or the last one before it, or its first. */
export function sliceNear(g, t) {
  let best = S.first[g];
  for (let s = best; s >= 0 && S.t0[s] <= t + 1; s = S.next[s]) best = s;
  return best;
}

// ---- slices by goroutine: where to begin when only a part of a long life is to be drawn

let lists = null, offsets = null;

export function sortByGoroutine() {
  offsets = new Int32Array(rec.ng + 1);
  for (let s = 0; s < S.n; s++) offsets[S.g[s] + 1]++;
  for (let g = 0; g < rec.ng; g++) offsets[g + 1] += offsets[g];
  lists = new Int32Array(S.n);
  const fill = offsets.slice();
  for (let s = 0; s < S.n; s++) lists[fill[S.g[s]]++] = s;
}

/** The slices of a goroutine in time order, and the position of the first that ends after a time. */
export function slicesOf(g, t) {
  const mine = lists.subarray(offsets[g], offsets[g + 1]);
  let low = 0, high = mine.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (S.t1[mine[middle]] < t) low = middle + 1;
    else high = middle;
  }
  return [mine, low];
}

/** The slice that the event made possible: the first of this goroutine that begins after it. */
export function sliceAfter(g, event) {
  const [mine, from] = slicesOf(g, rec.t[event]);
  for (let i = from; i < mine.length; i++) if (S.ready[mine[i]] === event) return mine[i];
  return -1;
}

/** Events that begin in [t0, t1), as a range of indices. */
export const eventsIn = (t0, t1) => [lowerIn(rec.t, rec.n, t0), lowerIn(rec.t, rec.n, t1)];
