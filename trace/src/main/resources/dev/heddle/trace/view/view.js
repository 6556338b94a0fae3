// The visible window of time, and its flights.
import { rec } from './recording.js';
import { app, draw, tell } from './app.js';
import { isCalm } from './theme.js';

export const GUTTER = 118; // px at the left for names
const LEAST = 400; // ns in view

export const view = { t0: 0, t1: 1, width: 800 };

export const pixel = () => (view.t1 - view.t0) / (view.width - GUTTER); // ns per px
export const xOf = t => GUTTER + (t - view.t0) / pixel();
export const timeAt = x => view.t0 + (x - GUTTER) * pixel();

/** Shows [t0, t1] or as much as the limits allow: some slack beyond the recording, never less than LEAST. */
export function setView(t0, t1) {
  const length = Math.max(LEAST, Math.min(rec.end * 1.02, t1 - t0)), slack = length * 0.04;
  let from = (t0 + t1 - length) / 2;
  from = Math.max(-slack, Math.min(rec.end + slack - length, from));
  if (length >= rec.end) from = (rec.end - length) / 2;
  view.t0 = from;
  view.t1 = from + length;
  tell('view');
  draw();
}

export function zoom(factor, t) {
  flights++;
  setView(t - (t - view.t0) * factor, t + (view.t1 - t) * factor);
}

export function pan(ns) {
  flights++;
  setView(view.t0 + ns, view.t1 + ns);
}

let flights = 0;

/** A short flight to [t0, t1] keeps the eye oriented. */
export function fly(t0, t1) {
  const flight = ++flights;
  if (isCalm() || app.mode === 'play') return setView(t0, t1);
  const from = { ...view }, begin = performance.now();
  const logA = Math.log(from.t1 - from.t0), logB = Math.log(Math.max(LEAST, t1 - t0));
  const step = now => {
    if (flight !== flights) return;
    const part = Math.max(0, Math.min(1, (now - begin) / 260)), ease = 1 - (1 - part) ** 3;
    const length = Math.exp(logA + (logB - logA) * ease);
    // The middle moves in step with the length, so that the target never leaves the window.
    const way = Math.abs(Math.exp(logA) - Math.exp(logB)) < 1 ? ease
      : (Math.exp(logA) - length) / (Math.exp(logA) - Math.exp(logB));
    const middle = (from.t0 + from.t1) / 2 + ((t0 + t1) / 2 - (from.t0 + from.t1) / 2) * way;
    setView(middle - length / 2, middle + length / 2);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return undefined;
}

export const flyToAll = () => fly(0, rec.end);
