// The queue under each P, and the counters below all lanes.
import { found } from './index.js';
import { lowerIn } from './lists.js';
import { levels, maxIn } from './levels.js';
import { rec } from './recording.js';
import { C } from './theme.js';
import { GUTTER, pixel, view, xOf } from './view.js';

/** The length of a P's queue, on a root scale: one waiting goroutine can be seen beside 256. */
export function paintQueue(c, p, base, height, right) {
  const px = pixel(), scale = height / 16;
  c.fillStyle = C.line;
  c.fillRect(GUTTER, base, right - GUTTER, 1);
  c.fillStyle = C.queue;
  if (px > levels.width) {
    c.beginPath();
    c.moveTo(GUTTER, base);
    for (let x = GUTTER; x <= right; x++) {
      const t = view.t0 + (x - GUTTER) * px;
      c.lineTo(x, base - Math.sqrt(maxIn(levels.queueMax[p], t, t + px)) * scale);
    }
    c.lineTo(right, base);
    c.fill();
    return;
  }
  const steps = found.queues[p];
  for (let i = Math.max(0, lowerIn(steps.t, steps.n, view.t0) - 1); i < steps.n && steps.t[i] < view.t1; i++) {
    if (!steps.v[i]) continue;
    const x = Math.max(GUTTER, xOf(steps.t[i])), end = Math.min(right, i + 1 < steps.n ? xOf(steps.t[i + 1]) : xOf(rec.end));
    if (end > x) c.fillRect(x, base - Math.sqrt(steps.v[i]) * scale, Math.max(end - x, 0.6), Math.sqrt(steps.v[i]) * scale);
  }
}

const COLOURS = { runnable: 'wait', global: 'queue' };

/** A counter: the exact steps near; far away the mean as a line and the peak as a faint area, so that a short peak stays visible. */
export function paintCounter(c, row, y, right) {
  const px = pixel(), base = y + row.height - 3, maxima = levels.counterMax[row.name];
  row.max = Math.max(1, maxIn(maxima, Math.max(0, view.t0), view.t1));
  const scale = (row.height - 9) / row.max;
  c.fillStyle = C.line;
  c.fillRect(GUTTER, base, right - GUTTER, 1);
  c.strokeStyle = c.fillStyle = C[COLOURS[row.name] ?? 'dim'];
  c.lineWidth = 1;
  if (px > levels.width) paintMeans(c, row.name, maxima, base, scale, px, right);
  else paintSteps(c, found.counters[row.name], base, scale, right);
}

function paintMeans(c, name, maxima, base, scale, px, right) {
  const mean = levels.counterMean[name], line = new Path2D();
  const first = Math.max(GUTTER, Math.floor(xOf(0))), last = Math.min(right, Math.ceil(xOf(rec.end)));
  c.beginPath();
  c.moveTo(first, base);
  for (let x = first; x < last; x++) {
    const t = view.t0 + (x - GUTTER) * px;
    c.lineTo(x, base - maxIn(maxima, t, t + px) * scale);
    let sum = 0, n = 0;
    for (let i = Math.max(0, Math.floor(t / levels.width)); i < Math.min(levels.bins, (t + px) / levels.width); i++, n++) sum += mean[i];
    if (n) line.lineTo(x, base - (sum / n) * scale);
  }
  c.lineTo(last, base);
  fillAndStroke(c, 0.3, line);
}

function paintSteps(c, steps, base, scale, right) {
  let i = Math.max(0, lowerIn(steps.t, steps.n, view.t0) - 1), value = steps.n && steps.t[i] <= view.t0 ? steps.v[i] : 0;
  const left = Math.max(GUTTER, xOf(0)), end = Math.min(right, xOf(rec.end));
  const path = new Path2D();
  path.moveTo(left, base);
  path.lineTo(left, base - value * scale);
  for (; i < steps.n && steps.t[i] < view.t1; i++) {
    const x = Math.max(left, xOf(steps.t[i]));
    path.lineTo(x, base - value * scale);
    value = steps.v[i];
    path.lineTo(x, base - value * scale);
  }
  path.lineTo(end, base - value * scale);
  path.lineTo(end, base);
  c.globalAlpha = 0.28;
  c.fill(path);
  c.globalAlpha = 1;
  c.stroke(path);
}

function fillAndStroke(c, alpha, line) {
  c.globalAlpha = alpha;
  c.fill();
  c.globalAlpha = 1;
  c.stroke(line);
}
