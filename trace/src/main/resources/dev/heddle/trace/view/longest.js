// The waits that deserve attention: the longest, one entry for waits that tell the same story.
import { rec } from './recording.js';
import { S, waitOf } from './slices.js';

const ALIKE = 1e6; // ns: waits of one body that began within the same millisecond are one story, else a burst fills the list
const WORTH = 20e3;

/** The longest waits as [slice, how many are like it], longest first. */
export function longestWaits(count) {
  const alike = new Map();
  for (let s = 0; s < S.n; s++) {
    const wait = waitOf(s);
    if (wait < WORTH) continue;
    const key = rec.body[S.g[s]] * 1e9 + Math.floor(rec.t[S.ready[s]] / ALIKE);
    const entry = alike.get(key);
    if (!entry) alike.set(key, [s, 1]);
    else {
      entry[1]++;
      if (wait > waitOf(entry[0])) entry[0] = s;
    }
  }
  return [...alike.values()].sort((x, y) => waitOf(y[0]) - waitOf(x[0])).slice(0, count);
}
