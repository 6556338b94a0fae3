// What is picked out, everywhere at once: a body, a column of a histogram, or the hits of a search. The rest is drawn faint.
import { rec } from './recording.js';
import { S, waitOf, lengthOf, neverRan } from './slices.js';
import { bucketOf } from './histogram.js';

export const filter = { body: -1, wait: -1, run: -1, hits: null };

export const isFiltered = () => filter.body >= 0 || filter.wait >= 0 || filter.run >= 0 || filter.hits !== null;

/** Whether a slice is among what was picked. */
export function isPicked(s) {
  if (filter.body >= 0 && rec.body[S.g[s]] !== filter.body) return false;
  if (filter.wait >= 0 && (S.ready[s] < 0 || bucketOf(waitOf(s)) !== filter.wait)) return false;
  if (filter.run >= 0 && (neverRan(s) || bucketOf(lengthOf(s)) !== filter.run)) return false;
  return filter.hits === null || filter.hits.has(S.g[s]);
}

/** Whether any slice of a goroutine is picked. */
export function hasPicked(g) {
  for (let s = S.first[g]; s >= 0; s = S.next[s]) if (isPicked(s)) return true;
  return filter.wait < 0 && filter.run < 0 && S.first[g] < 0 && (filter.body < 0 || rec.body[g] === filter.body)
    && (filter.hits === null || filter.hits.has(g));
}

export function clearFilter() {
  Object.assign(filter, { body: -1, wait: -1, run: -1, hits: null });
}
