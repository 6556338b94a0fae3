// The whole recording as a strip, above every view: runnable goroutines, busy Ps by body, stops. It is the map: drag the frame,
// its ends, or a new one; in Play a click moves the cursor.
import { app, draw, on, tell } from './app.js';
import { COLOURED } from './bodies.js';
import { byId } from './dom.js';
import { found } from './index.js';
import { CLASSES, levels, maxIn, runBefore } from './levels.js';
import { GC } from './kinds.js';
import { rec } from './recording.js';
import { ratio, resize, rounded, surface } from './surface.js';
import { C, FONT } from './theme.js';
import { flyToAll, fly, setView, view } from './view.js';
import { number, plural } from './words.js';

const strip = surface(byId('overview'));
const QUEUE = 33; // px for the runnable goroutines

let base = null; // everything but frame and cursor: painted once

export function startOverview() {
  on('draw', paintOverview);
  for (const event of ['filter', 'theme']) on(event, () => { base = null; });
  on('size', () => {
    resize(strip);
    base = null;
  });
  startDragging();
}

const overviewX = t => (t / rec.end) * strip.width;

function paintOverview() {
  const { c, width, height } = strip;
  if (!width) return;
  base ??= paintBase();
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.drawImage(base, 0, 0);
  c.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  c.textBaseline = 'middle';
  paintFrameOfView(c, width, height);
  if (app.range) {
    c.fillStyle = C.accentSoft;
    c.fillRect(overviewX(app.range[0]), 0, Math.max(1, overviewX(app.range[1]) - overviewX(app.range[0])), height);
  }
  c.fillStyle = C.accent;
  if (app.cursor > 0) c.fillRect(overviewX(app.cursor) - 0.75, 0, 1.5, height);
  paintKey(c);
}

function paintFrameOfView(c, width, height) {
  const x0 = overviewX(view.t0), x1 = overviewX(view.t1);
  if (app.mode === 'play' || x1 - x0 >= width - 2) return;
  c.fillStyle = C.veil;
  c.fillRect(0, 0, x0, height);
  c.fillRect(x1, 0, width - x1, height);
  c.strokeStyle = c.fillStyle = C.accent;
  c.lineWidth = 1.5;
  rounded(c, x0, 1, Math.max(3, x1 - x0), height - 3, 4);
  c.stroke();
  for (const x of [x0, x1]) {
    rounded(c, x - 2.5, height / 2 - 9, 5, 18, 2.5);
    c.fill();
  }
}

function paintKey(c) {
  c.font = `500 10.5px ${FONT}`;
  let x = 14;
  for (const [sign, colour, words] of [
    ['▇', C.dim, `${plural(rec.np, 'P')} busy, by body`],
    ['▴', C.wait, `runnable, up to ${number(mostRunnable())}`],
    ['▮', C.stop, 'GC'],
    ['▮', C.bad, 'stop the world'],
  ]) {
    const width = c.measureText(words).width;
    c.fillStyle = C.panel;
    c.globalAlpha = 0.86;
    c.fillRect(x - 3, 1, width + 24, 14);
    c.globalAlpha = 1;
    c.fillStyle = colour;
    c.fillText(sign, x, 8);
    c.fillStyle = C.dim;
    c.fillText(words, x + 15, 8.5);
    x += width + 32;
  }
}

const mostRunnable = () => levels.counterMax.runnable.reduce((max, value) => Math.max(max, value), 0);

function paintBase() {
  const canvas = document.createElement('canvas');
  canvas.width = strip.canvas.width;
  canvas.height = strip.canvas.height;
  const c = canvas.getContext('2d');
  c.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  c.fillStyle = C.panel;
  c.fillRect(0, 0, strip.width, strip.height);
  paintBusy(c);
  paintRunnable(c);
  const { pauses } = found, many = pauses.n > 60;
  c.globalAlpha = many ? 1 : 0.55;
  for (let i = 0; i < pauses.n; i++) {
    c.fillStyle = rec.kind[pauses.v[i]] === GC ? C.stop : C.bad;
    c.fillRect(overviewX(pauses.from[i]), 0, Math.max(1.2, overviewX(pauses.to[i]) - overviewX(pauses.from[i])), many ? 4 : strip.height);
  }
  return canvas;
}

function paintBusy(c) {
  const px = rec.end / strip.width, height = strip.height - QUEUE - 3, before = new Float64Array(CLASSES), now = new Float64Array(CLASSES);
  const columns = Math.floor(strip.width), shares = new Float64Array(columns * CLASSES);
  for (let p = 0; p < rec.np; p++) {
    before.fill(0);
    for (let x = 0; x < columns; x++) {
      runBefore(p, (x + 1) * px, now);
      for (let k = 0; k < CLASSES; k++) {
        shares[x * CLASSES + k] += (now[k] - before[k]) / px / rec.np;
        before[k] = now[k];
      }
    }
  }
  const colours = [...Array(CLASSES).keys()].map(k => colourOf(k));
  for (let x = 0; x < columns; x++) {
    let y = strip.height - 1;
    for (let k = 0; k < CLASSES; k++) {
      const part = shares[x * CLASSES + k] * height;
      if (part < 0.05) continue;
      c.fillStyle = colours[k];
      c.fillRect(x, y - part, 1, part);
      y -= part;
    }
  }
}

function colourOf(k) {
  const value = C.fill32[Math.min(k, COLOURED + 1)];
  return `rgb(${value & 255} ${(value >> 8) & 255} ${(value >> 16) & 255})`;
}

function paintRunnable(c) {
  const px = rec.end / strip.width, most = Math.max(1, mostRunnable());
  c.beginPath();
  c.moveTo(0, QUEUE);
  for (let x = 0; x < strip.width; x++) {
    const value = maxIn(levels.counterMax.runnable, x * px, (x + 1) * px);
    c.lineTo(x, QUEUE - Math.sqrt(value / most) * 16);
  }
  c.lineTo(strip.width, QUEUE);
  c.fillStyle = C.wait;
  c.globalAlpha = 0.75;
  c.fill();
  c.globalAlpha = 1;
  c.fillStyle = C.line;
  c.fillRect(0, QUEUE, strip.width, 1);
}

// ---- startDragging

const EDGE = 6; // px

/** What a press at this time takes hold of. */
function gripAt(t) {
  const near = (EDGE * rec.end) / strip.width, length = view.t1 - view.t0;
  if (Math.abs(t - view.t0) < near) return { kind: 'left' };
  if (Math.abs(t - view.t1) < near) return { kind: 'right' };
  if (t > view.t0 && t < view.t1 && length < rec.end * 0.98) return { kind: 'frame', offset: t - view.t0 };
  return { kind: 'new', from: t };
}

function startDragging() {
  let grip = null;
  const { box } = strip, timeOf = e => ((e.clientX - box.getBoundingClientRect().left) / strip.width) * rec.end;
  const goThere = t => {
    app.cursor = Math.max(0, Math.min(rec.end, t));
    tell('seek');
  };
  box.addEventListener('pointerdown', e => {
    box.setPointerCapture(e.pointerId);
    const t = timeOf(e);
    grip = app.mode === 'play' ? { kind: 'cursor' } : gripAt(t);
    if (grip.kind === 'cursor') goThere(t);
  });
  box.addEventListener('pointermove', e => {
    const t = timeOf(e), length = view.t1 - view.t0;
    if (!grip) box.style.cursor = app.mode !== 'play' && ['left', 'right'].includes(gripAt(t).kind) ? 'ew-resize' : 'default';
    else if (grip.kind === 'cursor') goThere(t);
    else if (grip.kind === 'left') setView(Math.min(t, view.t1 - 1000), view.t1);
    else if (grip.kind === 'right') setView(view.t0, Math.max(t, view.t0 + 1000));
    else if (grip.kind === 'frame') setView(t - grip.offset, t - grip.offset + length);
    else if (Math.abs(t - grip.from) > (4 * rec.end) / strip.width) setView(Math.min(t, grip.from), Math.max(t, grip.from));
  });
  box.addEventListener('pointerup', e => {
    const t = timeOf(e), length = view.t1 - view.t0;
    const clicked = grip && grip.kind === 'new' && Math.abs(t - grip.from) < (4 * rec.end) / strip.width;
    if (clicked && length < rec.end * 0.9) fly(t - length / 2, t + length / 2);
    grip = null;
  });
  box.addEventListener('dblclick', () => { if (app.mode !== 'play') flyToAll(); });
  draw();
}
