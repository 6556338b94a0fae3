// When the world stood still: stops of the world, and pauses of the garbage collector. They overlap: each scheduler stops by
// itself, and the JVM reports its pauses to a millisecond.
import { rec } from './recording.js';
import { Spans } from './lists.js';

/** Spans that do not overlap, each with an event's number. Where several stops and pauses do, the one that began last has it. */
export class Pauses extends Spans {
  constructor(end) {
    super(end);
    this.running = []; // the events that began them, the last one at the end
    this.ends = new Map(); // event -> when it was over
  }

  begin(t, event) {
    this.running.push(event);
    this.open(t, event);
  }

  /** The one that began like this is over. */
  finish(t, isLike) {
    const i = this.running.findLastIndex(isLike);
    if (i < 0) return;
    const [event] = this.running.splice(i, 1);
    this.ends.set(event, t);
    if (i < this.running.length) return; // another one covers it
    this.close(t);
    if (i > 0) this.open(t, this.running[i - 1]);
  }

  /** How long the stop or pause took that a span belongs to, also where others cover it. */
  length(span) {
    const event = this.v[span];
    return (this.ends.get(event) ?? this.end) - rec.t[event];
  }
}
