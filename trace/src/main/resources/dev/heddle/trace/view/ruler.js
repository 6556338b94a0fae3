// The time axis, the selected range and the cursor: the same over lanes and over the goroutine list.
import { app } from './app.js';
import { rec } from './recording.js';
import { RULER } from './rows.js';
import { rounded, tip } from './surface.js';
import { C, FONT } from './theme.js';
import { GUTTER, view, xOf } from './view.js';
import { duration } from './words.js';

export function paintRuler(c, left, right, bottom) {
  c.fillStyle = C.panel;
  c.fillRect(0, 0, right, RULER);
  c.fillStyle = C.line;
  c.fillRect(0, RULER - 1, right, 1);
  const length = view.t1 - view.t0, raw = length / ((right - left) / 110), size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(x => x * size).find(x => x >= raw), [unit, name] = rec.end < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  c.font = `450 10.5px ${FONT}`;
  for (let k = Math.ceil(Math.max(0, view.t0) / step); k * step <= Math.min(rec.end, view.t1); k++) {
    const x = xOf(k * step);
    if (x < left) continue;
    c.fillStyle = C.line;
    c.fillRect(x, 16, 1, 8);
    c.globalAlpha = 0.45;
    c.fillRect(x, RULER, 1, bottom - RULER);
    c.globalAlpha = 1;
    c.fillStyle = C.dim;
    c.fillText(`${((k * step) / unit).toFixed(digits)} ${name}`, x + 4, 12);
  }
}

export function paintRange(c, left, right, bottom) {
  if (!app.range) return;
  const [a, b] = app.range.map(xOf), from = Math.max(left, a);
  if (b < left) return;
  c.fillStyle = C.accentSoft;
  c.fillRect(from, 0, Math.min(right, b) - from, bottom);
  c.fillStyle = C.accent;
  for (const x of [a, b]) if (x > left) c.fillRect(x - 0.5, 0, 1, bottom);
  c.font = `600 11px ${FONT}`;
  const words = duration(app.range[1] - app.range[0]), width = c.measureText(words).width + 12;
  const x = Math.max(left + 2, Math.min(right - width - 2, (a + b - width) / 2));
  rounded(c, x, 3, width, 17, 8);
  c.fill();
  c.fillStyle = C.panel;
  c.fillText(words, x + 6, 12);
}

export function paintCursor(c, left, right, bottom) {
  const x = xOf(app.cursor);
  if (app.cursor > 0 && x > left && x < right) {
    c.fillStyle = C.accent;
    c.fillRect(x - 0.75, 18, 1.5, bottom);
    tip(c, x, 22, 0, 1, 6);
  }
  if (app.hover && app.hover.x > left && !app.range) {
    c.fillStyle = C.strong;
    c.fillRect(app.hover.x - 0.5, RULER, 1, bottom);
  }
}
