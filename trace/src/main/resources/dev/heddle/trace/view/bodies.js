// Goroutines of one body (the class of their code) belong together: totals, and the colour.
import { rec } from './recording.js';
import { S, waitOf, lengthOf, onP } from './slices.js';

export const bodies = {
  time: null, // ns on a P, by body
  wait: null, // ns runnable
  count: null, // goroutines
  runs: null,
  rank: null, // by time: 0 is the biggest
  order: null, // bodies with goroutines, biggest first
};

/** How many bodies have a colour of their own; the others share a grey. */
export const COLOURED = 8;

export function sumBodies() {
  const n = rec.head.bodies.length;
  bodies.time = new Float64Array(n);
  bodies.wait = new Float64Array(n);
  bodies.count = new Int32Array(n);
  bodies.runs = new Int32Array(n);
  for (let g = 1; g < rec.ng; g++) bodies.count[rec.body[g]]++;
  for (let s = 0; s < S.n; s++) {
    const body = rec.body[S.g[s]];
    if (onP(s)) bodies.time[body] += lengthOf(s);
    bodies.wait[body] += waitOf(s);
    bodies.runs[body]++;
  }
  bodies.order = [...bodies.time.keys()].filter(b => bodies.count[b] > 0).sort((x, y) => bodies.time[y] - bodies.time[x] || x - y);
  bodies.rank = new Int32Array(n).fill(COLOURED);
  bodies.order.forEach((body, rank) => { bodies.rank[body] = Math.min(rank, COLOURED); });
}
