// How times, numbers and names are written.
import { rec } from './recording.js';
import { lowerIn } from './lists.js';

/** A duration with about three digits. */
export function duration(ns) {
  const d = Math.abs(ns);
  if (d < 1e3) return `${d.toFixed(0)} ns`;
  if (d < 1e5) return `${(d / 1e3).toFixed(1)} µs`;
  if (d < 1e6) return `${(d / 1e3).toFixed(0)} µs`;
  if (d < 1e8) return `${(d / 1e6).toFixed(2)} ms`;
  if (d < 1e9) return `${(d / 1e6).toFixed(0)} ms`;
  return `${(d / 1e9).toFixed(2)} s`;
}

/** A moment, since the recording began. */
export const moment = t => (rec.end < 1e9 ? `${(t / 1e6).toFixed(3)} ms` : `${(t / 1e9).toFixed(6)} s`);

export const number = n => n.toLocaleString('en-US');
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? '' : 's'}`;
export const percent = (part, whole, digits = 0) => `${((100 * part) / (whole || 1)).toFixed(digits)} %`;

export const bodyName = g => rec.head.bodies[rec.body[g]];
export const ownName = g => (rec.name[g] ? rec.head.strings[rec.name[g] - 1] : '');
/** G and the goroutine's number; of a virtual thread that is no goroutine, T and its id: as in a dump of the program. */
export const idOf = g => (g ? `${rec.isThread(g) ? 'T' : 'G'}${numberOf(g)}` : 'outside');
export const numberOf = g => Math.floor(rec.id[g] / 2);
/** Number and name: the thread's own name if it has one, else the class of its body. */
export const nameOf = g => `${idOf(g)} ${ownName(g) || bodyName(g)}`;

/** P and its number; with several schedulers the scheduler's name comes first. */
export const processor = p => (rec.many ? `${rec.head.schedulers[rec.head.ps[p][0]]} P${rec.head.ps[p][1]}` : `P${rec.head.ps[p][1]}`);
export const shortProcessor = p => `P${rec.head.ps[p][1]}`;
export const machine = m => `M${rec.head.machines[m][1]}`;
export const schedulerOf = p => rec.head.ps[p][0];
export const reason = r => rec.head.reasons[r] ?? 'unknown';
export const string = s => rec.head.strings[s] ?? '';

/** The index of the first event that is not before a time. */
export const eventAt = t => lowerIn(rec.t, rec.n, t);
