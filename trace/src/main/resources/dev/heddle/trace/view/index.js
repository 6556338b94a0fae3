// One pass over all events: slices, who owned which P, queue lengths, counters, marks, totals.
import { rec } from './recording.js';
import {
  CREATE, READY, START, PARK, YIELD, END, REFUSED, STEAL, SPILL, GLOBAL, PSTART, PSTOP, TAKEN, REGAIN, SPIN, UNSPIN, SLEEP, WAKE,
  BEGIN, EXIT, STOP, GO, GC, GCEND, MONITOR, BLOCK, WAS_RUNNING, WAS_RUNNABLE, WAS_WAITING, LOG, LOST,
} from './kinds.js';
import { World, maybeSave } from './world.js';
import { Steps, Spans } from './lists.js';
import { Pauses } from './pauses.js';
import { S, makeSlices, openSlice, closeSlice, sortIntoLanes, sortByGoroutine } from './slices.js';

/** What the pass found, beside the slices. */
export const found = {
  owned: [], // by P: who owned it, as Spans of machines
  spins: [], // by P: when its machine looked for work
  queues: [], // by P: the length of its queue, runnext included
  marks: [], // by P: steals, spills, takes from the global queue and hand-offs, as event indices
  pauses: null, // stops of the world and GC pauses
  watch: [], // what the monitor did: events
  logs: [], // what the program wrote: events
  lost: [], // gaps in the recording: events
  counters: {}, // name -> Steps
  creator: null, // by goroutine
  total: {},
  looseRows: 0,
};

export const COUNTERS = [
  ['runnable', 'Runnable'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['global', 'Global queue'],
  ['spinning', 'Spinning'],
  ['idle', 'Idle machines'],
];

// What a goroutine does, for the counters.
const GONE = 0, RUNNABLE = 1, RUNNING = 2, WAITING = 3;

export function buildIndex() {
  const pass = new Pass();
  for (let i = 0; i < rec.n; i++) pass.event(i);
  pass.finish();
}

class Pass {
  constructor() {
    let room = rec.ng; // each goroutine may wait at the end
    for (let i = 0; i < rec.n; i++) {
      const k = rec.kind[i];
      if (k === START || k === TAKEN || k === REGAIN || k === WAS_RUNNING) room++;
    }
    makeSlices(room);
    const perP = make => Array.from({ length: rec.np }, make);
    this.world = new World();
    this.open = new Int32Array(rec.ng).fill(-1); // by goroutine: its slice
    this.state = new Uint8Array(rec.ng);
    this.ready = new Int32Array(rec.ng).fill(-1);
    this.row = new Map(); // slice -> its row among machines without a P
    this.freeRows = []; // smallest first
    this.lengths = new Int32Array(rec.np);
    this.spinning = new Set();
    this.sleepers = new Set();
    this.count = new Int32Array(4);
    this.globalSize = 0;
    Object.assign(found, {
      owned: perP(() => new Spans(rec.end)),
      spins: perP(() => new Spans(rec.end)),
      queues: perP(() => new Steps()),
      marks: perP(() => []),
      pauses: new Pauses(rec.end),
      watch: [],
      logs: [],
      lost: [],
      counters: Object.fromEntries(COUNTERS.map(([name]) => [name, new Steps()])),
      creator: new Int32Array(rec.ng),
      total: { starts: 0, steals: 0, stolen: 0, spills: 0, takes: 0, handoffs: 0, parks: 0, lost: 0 },
      looseRows: 0,
    });
    this.steps = COUNTERS.map(([name]) => found.counters[name]);
    this.last = new Int32Array(COUNTERS.length).fill(-1);
  }

  event(i) {
    maybeSave(this.world);
    const p = rec.p[i];
    this.goroutine(i, rec.kind[i], rec.g[i], p, rec.m[i]);
    this.scheduler(i, rec.kind[i], p, rec.m[i], rec.t[i]);
    this.world.apply(i);
    if (p >= 0) this.queueLength(p, rec.t[i]);
    if (rec.kind[i] === STEAL) this.queueLength(rec.a[i], rec.t[i]);
    this.counters(rec.t[i]);
  }

  // ---- goroutines

  goroutine(i, k, g, p, m) {
    const { total } = found;
    switch (k) {
      case CREATE:
        found.creator[g] = rec.a[i];
        return this.becomes(g, RUNNABLE, i);
      case READY:
        return this.becomes(g, RUNNABLE, i);
      case START:
        total.starts++;
        return this.begin(i, g, p, m);
      case WAS_RUNNING:
        return this.begin(-1, g, p, m);
      case YIELD:
        this.finishSlice(g, i);
        return this.becomes(g, RUNNABLE, i);
      case PARK:
        total.parks++;
        this.finishSlice(g, i);
        return this.becomes(g, WAITING, -1);
      case END:
      case REFUSED:
      case LOST:
        if (g === 0) return undefined;
        this.finishSlice(g, i);
        return this.becomes(g, GONE, -1);
      case TAKEN:
        total.handoffs++;
        if (g === 0) return undefined;
        this.finishSlice(g, i);
        this.begin(i, g, -1, m);
        if (rec.a[i] <= 1) S.block[this.open[g]] = rec.t[i];
        return undefined;
      case REGAIN:
        if (g === 0) return undefined;
        this.finishSlice(g, i);
        return p >= 0 ? this.begin(i, g, p, m) : this.becomes(g, WAITING, -1);
      case BLOCK:
        if (this.open[g] >= 0) S.block[this.open[g]] = rec.t[i];
        return undefined;
      case WAS_RUNNABLE:
        return this.becomes(g, RUNNABLE, i);
      case WAS_WAITING:
        return this.becomes(g, WAITING, -1);
    }
    return undefined;
  }

  becomes(g, state, ready) {
    this.count[this.state[g]]--;
    this.count[state]++;
    this.state[g] = state;
    this.ready[g] = ready;
  }

  begin(i, g, p, m) {
    this.finishSlice(g, i); // only where an event is missing
    const lane = p >= 0 ? p : rec.np + this.takeRow();
    const s = openSlice(i < 0 ? 0 : rec.t[i], lane, g, m, i);
    if (p < 0) this.row.set(s, lane - rec.np);
    S.ready[s] = this.ready[g];
    this.becomes(g, RUNNING, -1);
    this.open[g] = s;
  }

  finishSlice(g, i) {
    const s = this.open[g];
    if (s < 0) return;
    closeSlice(s, Math.max(0, i));
    this.open[g] = -1;
    if (this.row.has(s)) {
      this.giveRow(this.row.get(s));
      this.row.delete(s);
    }
  }

  takeRow() {
    return this.freeRows.length ? this.freeRows.shift() : found.looseRows++;
  }

  giveRow(row) {
    let at = this.freeRows.findIndex(other => other > row);
    if (at < 0) at = this.freeRows.length;
    this.freeRows.splice(at, 0, row);
  }

  // ---- Ps, machines, the world

  scheduler(i, k, p, m, t) {
    const { total } = found;
    switch (k) {
      case STEAL:
        total.steals++;
        total.stolen += rec.b[i];
        return void found.marks[p].push(i);
      case SPILL:
        total.spills++;
        return void found.marks[p].push(i);
      case GLOBAL:
        total.takes++;
        return void found.marks[p].push(i);
      case PSTART:
        return found.owned[p].open(t, m);
      case PSTOP:
        this.spin(p, m, false, t);
        return found.owned[p].close(t);
      case WAS_RUNNING:
        if (p >= 0 && !found.owned[p].isOpen) found.owned[p].open(0, m);
        return undefined;
      case TAKEN:
        if (p < 0) return undefined;
        this.spin(p, m, false, t);
        found.owned[p].close(t);
        found.marks[p].push(i);
        return void found.watch.push(i);
      case REGAIN:
        if (p >= 0) found.owned[p].open(t, m);
        return undefined;
      case SPIN:
      case UNSPIN:
        return this.spin(p, m, k === SPIN, t);
      case SLEEP:
        return this.sleeps(m, true);
      case WAKE:
      case BEGIN:
      case EXIT:
        return this.sleeps(m, false);
      case STOP:
      case GC:
        return found.pauses.begin(t, i);
      case GO:
        return found.pauses.finish(t, e => rec.kind[e] === STOP && rec.b[e] === rec.b[i]);
      case GCEND:
        return found.pauses.finish(t, e => rec.kind[e] === GC && rec.b[e] === rec.b[i]);
      case MONITOR:
        return void found.watch.push(i);
      case LOG:
        return void found.logs.push(i);
      case LOST:
        total.lost += rec.a[i];
        return void found.lost.push(i);
    }
    return undefined;
  }

  spin(p, m, on, t) {
    if (on) this.spinning.add(m);
    else this.spinning.delete(m);
    if (p >= 0) {
      if (on) found.spins[p].open(t, m);
      else found.spins[p].close(t);
    }
  }

  sleeps(m, on) {
    if (m < 0) return;
    if (on) this.sleepers.add(m);
    else this.sleepers.delete(m);
  }

  queueLength(p, t) {
    const own = this.world.ps[p], length = own.ring.size + own.yielded.size + (own.next ? 1 : 0);
    if (length === this.lengths[p]) return;
    this.lengths[p] = length;
    found.queues[p].set(t, length);
  }

  counters(t) {
    let global = 0;
    for (const queue of this.world.globals) global += queue.size;
    this.counter(0, t, this.count[RUNNABLE]);
    this.counter(1, t, this.count[RUNNING]);
    this.counter(2, t, this.count[WAITING]);
    this.counter(3, t, global);
    this.counter(4, t, this.spinning.size);
    this.counter(5, t, this.sleepers.size);
  }

  /** Sets one of COUNTERS. */
  counter(k, t, value) {
    if (value === this.last[k]) return;
    this.last[k] = value;
    this.steps[k].set(t, value);
  }

  /** A goroutine that is runnable at the end gets a slice that never began, so that its wait can be found and explained. */
  finish() {
    for (let g = 1; g < rec.ng; g++) {
      if (this.state[g] !== RUNNABLE) continue;
      const s = openSlice(rec.end, -1, g, -1, rec.n);
      S.ready[s] = this.ready[g];
    }
    sortIntoLanes(rec.np + found.looseRows);
    sortByGoroutine();
  }
}
