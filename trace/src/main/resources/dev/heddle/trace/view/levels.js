// Prefix sums instead of a pyramid of levels: for each P, bin and colour the running time up to there. The time of a colour in
// any interval is one subtraction with interpolation, so that a lane can be drawn at any zoom in the same time.
import { rec } from './recording.js';
import { COLOURED, bodies } from './bodies.js';
import { S } from './slices.js';
import { found, COUNTERS } from './index.js';
import { isFiltered, isPicked } from './filter.js';

/** The colours of bodies, grey for other bodies, faint for what the filter leaves out. */
export const CLASSES = COLOURED + 2;
const FAINT = COLOURED + 1;
const UNIT = 64; // ns; sums are kept in 32 bits

export const levels = { bins: 0, width: 1, sums: [], queueMax: [], counterMax: {}, counterMean: {} };

export function buildLevels() {
  let bins = 2048;
  while (bins < 32768 && bins < rec.n / 8 && rec.np * bins * CLASSES < 8e6) bins *= 2;
  levels.bins = bins;
  levels.width = rec.end / bins;
  levels.queueMax = found.queues.map(maxima);
  for (const [name] of COUNTERS) {
    levels.counterMax[name] = maxima(found.counters[name]);
    levels.counterMean[name] = means(found.counters[name]);
  }
  sumRuns();
}

/** Called again when the filter changes. */
export function sumRuns() {
  const { bins, width } = levels, filtered = isFiltered();
  levels.sums = Array.from({ length: rec.np }, () => new Uint32Array((bins + 1) * CLASSES));
  for (let s = 0; s < S.n; s++) {
    if (S.lane[s] < 0 || S.lane[s] >= rec.np) continue;
    const sums = levels.sums[S.lane[s]], t1 = S.t1[s];
    const colour = filtered && !isPicked(s) ? FAINT : bodies.rank[rec.body[S.g[s]]];
    let t = S.t0[s];
    for (let i = Math.min(bins - 1, Math.floor(t / width)); t < t1 && i < bins; i++) {
      const end = Math.min(t1, (i + 1) * width);
      sums[(i + 1) * CLASSES + colour] += (end - t) / UNIT;
      t = end;
    }
  }
  for (const sums of levels.sums) for (let i = CLASSES; i < sums.length; i++) sums[i] += sums[i - CLASSES];
}

/** Writes the running time of a P before time t, by colour, into `out`. */
export function runBefore(p, t, out) {
  const at = Math.max(0, Math.min(levels.bins - 1e-9, t / levels.width));
  const bin = Math.floor(at), part = at - bin, sums = levels.sums[p], base = bin * CLASSES;
  for (let c = 0; c < CLASSES; c++) {
    const before = sums[base + c];
    out[c] = UNIT * (before + part * (sums[base + CLASSES + c] - before));
  }
  return out;
}

const sumA = new Float64Array(CLASSES), sumB = new Float64Array(CLASSES);

/** Running time of a P in [t0, t1], all colours. */
export function busyTime(p, t0, t1) {
  runBefore(p, t0, sumA);
  runBefore(p, t1, sumB);
  let sum = 0;
  for (let c = 0; c < CLASSES; c++) sum += sumB[c] - sumA[c];
  return sum;
}

function maxima(steps) {
  const out = new Int32Array(levels.bins);
  let j = 0, value = 0;
  for (let i = 0; i < out.length; i++) {
    const end = (i + 1) * levels.width;
    let max = value;
    while (j < steps.n && steps.t[j] < end) {
      value = steps.v[j++];
      if (value > max) max = value;
    }
    out[i] = max;
  }
  return out;
}

function means(steps) {
  const out = new Float32Array(levels.bins);
  let j = 0, value = 0;
  for (let i = 0; i < out.length; i++) {
    let t = i * levels.width, sum = 0;
    const end = t + levels.width;
    while (j < steps.n && steps.t[j] < end) {
      sum += value * (steps.t[j] - t);
      t = steps.t[j];
      value = steps.v[j++];
    }
    out[i] = (sum + value * (end - t)) / levels.width;
  }
  return out;
}

/** The highest bin value in [t0, t1). */
export function maxIn(bins, t0, t1) {
  let max = 0;
  const to = Math.min(levels.bins, Math.max(Math.floor(t0 / levels.width) + 1, Math.floor(t1 / levels.width)));
  for (let i = Math.max(0, Math.floor(t0 / levels.width)); i < to; i++) if (bins[i] > max) max = bins[i];
  return max;
}
