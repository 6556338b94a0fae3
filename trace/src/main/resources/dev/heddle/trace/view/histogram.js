// Histograms with columns that double: below 1 µs, from 1, 2, 4 µs and so on; the last one takes the rest.
import { S, waitOf, lengthOf, neverRan } from './slices.js';

export const BUCKETS = 18;
const LAST = 2 ** (BUCKETS - 2); // µs

export const bucketOf = ns => Math.max(0, Math.min(BUCKETS - 1, Math.floor(Math.log2(Math.max(ns, 1) / 1000)) + 1));

export function bucketWords(i) {
  const words = us => (us < 1000 ? `${us} µs` : `${(us / 1000).toFixed(0)} ms`);
  if (i === 0) return 'below 1 µs';
  return i === BUCKETS - 1 ? `${words(LAST)} and more` : `${words(2 ** (i - 1))} to ${words(2 ** i)}`;
}

/** Waits before a run, and lengths of runs. */
export const histograms = { wait: null, run: null, waits: null };

export function buildHistograms() {
  histograms.wait = new Int32Array(BUCKETS);
  histograms.run = new Int32Array(BUCKETS);
  const waits = new Float64Array(S.n);
  let n = 0;
  for (let s = 0; s < S.n; s++) {
    if (!neverRan(s)) histograms.run[bucketOf(lengthOf(s))]++;
    if (S.ready[s] < 0) continue;
    const wait = waitOf(s);
    waits[n++] = wait;
    histograms.wait[bucketOf(wait)]++;
  }
  histograms.waits = waits.subarray(0, n).sort();
}

/** The wait that this share of all waits does not exceed. */
export function waitPercentile(share) {
  const { waits } = histograms;
  return waits.length ? waits[Math.min(waits.length - 1, Math.floor(share * waits.length))] : 0;
}
