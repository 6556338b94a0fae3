// The replayed scheduler: what every queue, P and machine held before any event. Everything that the page says about queues
// comes from here: lanes, counters, explanations and Play.
//
// Events of different machines may be recorded a little out of order, and a window begins with unknown queues. So a start never
// fails: the goroutine is taken from wherever the replay has it, and `misses` counts how often that was another queue than the
// events promised.
import { rec } from './recording.js';
import {
  CREATE, READY, START, PARK, YIELD, END, EMPTY, REFUSED, STEAL, SPILL, GLOBAL, SHARE, SLICE, DELIVER, PSTART, PSTOP, TAKEN, REGAIN,
  SPIN, UNSPIN, SLEEP, WAKE, BEGIN, EXIT, STOP, GO, GC, GCEND, PROCS, BLOCK, UNBLOCK, WAS_RUNNING, WAS_RUNNABLE, WAS_WAITING, LOST,
  TO_NEXT, TO_RING, TO_YIELDED,
} from './kinds.js';
import { NOWHERE, ON_P, IN_NEXT, IN_RING, IN_GLOBAL, IN_YIELDED, PARKED, LOOSE, IN_HAND, UNKNOWN, place, kindOf, indexOf } from './places.js';
import { Ring, List } from './queues.js';

// States of a machine.
export const M_NONE = 0, M_BUSY = 1, M_LOOSE = 2, M_WAKING = 3, M_ASLEEP = 4;

const FROM_GLOBAL = 2; // the source of a start

export class World {
  constructor() {
    this.at = 0; // the number of events that were applied
    this.ps = rec.head.ps.map(([scheduler], id) => ({
      id, scheduler, m: -1, g: 0, next: 0, hand: 0, over: 0, ring: new Ring(), yielded: new List(), spin: false, block: false,
    }));
    this.globals = rec.head.schedulers.map(() => new List());
    this.procs = rec.head.procs.slice();
    this.place = new Int32Array(rec.ng);
    this.machines = new Uint8Array(rec.nm);
    this.loose = new Map(); // machine -> the goroutine that it runs without a P
    this.parked = null; // goroutine -> reason; kept only for Play, which draws them
    this.moved = null; // called with each goroutine and its new place
    this.stopped = 0; // 1: stop of the world, 2: GC pause
    this.misses = 0;
  }

  /** The global queue of a P's scheduler; of the machine's, if there is no P. */
  globalOf(p, m = -1) {
    return this.globals[p ? p.scheduler : m >= 0 ? rec.head.machines[m][0] : 0];
  }

  /** Applies the event with this index; events must be applied in order. */
  apply(i) {
    const g = rec.g[i], m = rec.m[i], a = rec.a[i], b = rec.b[i], p = rec.p[i] < 0 ? null : this.ps[rec.p[i]];
    this.at = i + 1;
    switch (rec.kind[i]) {
      case START:
        return this.start(p, g, m, a);
      case READY:
      case CREATE:
        this.unqueue(g); // it may be queued twice
        return this.queue(p, m, g, b);
      case PARK:
        this.stopRunning(p, g, m);
        return this.set(g, place(PARKED, a));
      case YIELD:
        this.stopRunning(p, g, m);
        return this.queue(p, m, g, b);
      case END:
      case LOST:
        if (g === 0) return undefined;
        this.stopRunning(p, g, m);
        return this.set(g, NOWHERE);
      case EMPTY:
        if (p) this.layDown(p);
        return undefined;
      case REFUSED:
        this.unqueue(g);
        return this.set(g, NOWHERE);
      case STEAL:
        return this.steal(p, this.ps[a], b, g === 1);
      case SPILL:
        return this.spill(p, b, g === 1);
      case GLOBAL:
        return this.takeGlobal(p, b, g === 1);
      case SHARE:
        return this.share(p);
      case SLICE:
        return this.endSlice(p);
      case DELIVER:
        this.unqueue(g);
        return this.set(g, place(UNKNOWN));
      case PSTART:
      case PSTOP:
        return this.own(p, m, rec.kind[i] === PSTART);
      case TAKEN:
        return this.taken(p, g, m);
      case REGAIN:
        return this.regain(p, g, m);
      case SPIN:
      case UNSPIN:
        if (p) p.spin = rec.kind[i] === SPIN;
        return undefined;
      case SLEEP:
      case EXIT:
        return this.machine(m, rec.kind[i] === SLEEP ? M_ASLEEP : M_NONE);
      case WAKE:
      case BEGIN:
        return this.machine(m, M_WAKING);
      case STOP:
      case GC:
        this.stopped = rec.kind[i] === GC ? 2 : 1;
        return undefined;
      case GO:
      case GCEND:
        this.stopped = 0;
        return undefined;
      case PROCS:
        this.procs[b] = a;
        return undefined;
      case BLOCK:
      case UNBLOCK:
        if (p) p.block = rec.kind[i] === BLOCK;
        return undefined;
      case WAS_RUNNING:
        return p ? this.run(p, g) : this.detach(g, m);
      case WAS_RUNNABLE:
        return this.set(g, place(UNKNOWN));
      case WAS_WAITING:
        return this.set(g, place(PARKED, a));
    }
    return undefined;
  }

  // ---- goroutines

  start(p, g, m, source) {
    const kind = kindOf(this.place[g]), index = indexOf(this.place[g]);
    if (p) {
      const own = index === p.id && (kind === IN_NEXT || kind === IN_RING || kind === IN_HAND || kind === IN_YIELDED);
      const told = kind === UNKNOWN || kind === NOWHERE || (kind === IN_GLOBAL && source >= FROM_GLOBAL);
      if (!own && !told) this.misses++;
      if (kind === IN_RING && own && p.ring.at(0) !== g) this.misses++;
    }
    this.unqueue(g);
    if (!p) return this.detach(g, m);
    this.layDown(p);
    return this.run(p, g);
  }

  run(p, g) {
    p.g = g;
    this.set(g, place(ON_P, p.id));
  }

  /** A goroutine goes on without a P. */
  detach(g, m) {
    if (g === 0) return this.machine(m, M_NONE);
    this.machine(m, M_LOOSE);
    this.loose.set(m, g);
    return this.set(g, place(LOOSE, m));
  }

  stopRunning(p, g, m) {
    if (p && p.g === g) {
      p.g = 0;
      p.block = false;
    }
    if (this.loose.get(m) === g) {
      this.loose.delete(m);
      this.machine(m, M_NONE);
    }
  }

  queue(p, m, g, where) {
    if (p && where === TO_NEXT) {
      const old = p.next;
      p.next = g;
      this.set(g, place(IN_NEXT, p.id));
      if (old) this.put(p, old);
    } else if (p && where === TO_RING) this.put(p, g);
    else if (p && where === TO_YIELDED) this.putYielded(p, g);
    else this.putGlobal(this.globalOf(p, m), g);
  }

  put(p, g) {
    if (p.ring.isFull) p.over = g; // its spill is the next event
    else {
      p.ring.put(g);
      this.set(g, place(IN_RING, p.id));
    }
  }

  putYielded(p, g) {
    p.yielded.put(g);
    this.set(g, place(IN_YIELDED, p.id));
  }

  putGlobal(queue, g) {
    queue.put(g);
    this.set(g, place(IN_GLOBAL, this.globals.indexOf(queue)));
  }

  /** Takes a goroutine out of the queue that the replay has it in. */
  unqueue(g) {
    const p = this.ps[indexOf(this.place[g])];
    switch (kindOf(this.place[g])) {
      case IN_NEXT:
        p.next = 0;
        break;
      case IN_HAND:
        p.hand = 0;
        break;
      case IN_RING:
        p.ring.remove(g);
        break;
      case IN_YIELDED:
        p.yielded.remove(g);
        break;
      case IN_GLOBAL:
        this.globals[indexOf(this.place[g])].remove(g);
        break;
      case ON_P:
        if (p.g === g) p.g = 0;
        break;
    }
  }

  /** A P that starts something else than what it holds in its hand puts that into its ring. */
  layDown(p) {
    if (!p.hand) return;
    const g = p.hand;
    p.hand = 0;
    this.put(p, g);
  }

  set(g, code) {
    this.place[g] = code;
    if (this.parked) {
      if (kindOf(code) === PARKED) this.parked.set(g, indexOf(code));
      else this.parked.delete(g);
    }
    if (this.moved) this.moved(g, code);
  }

  // ---- between queues

  steal(p, victim, count, yielded) {
    const from = yielded ? victim.yielded : victim.ring;
    if (from.size === 0) {
      if (!victim.next) return void this.misses++;
      const g = victim.next;
      victim.next = 0;
      return this.hold(p, g);
    }
    const n = Math.min(count, from.size);
    for (let i = 0; i < n; i++) {
      const g = from.take();
      if (i === n - 1) this.hold(p, g);
      else if (yielded) this.putYielded(p, g);
      else this.put(p, g);
    }
    return undefined;
  }

  /** The older half of a full ring and what does not fit into it; or all that yielded. */
  spill(p, count, yielded) {
    const to = this.globalOf(p), n = Math.min(count - 1, p.ring.size);
    if (yielded) {
      while (p.yielded.size) this.putGlobal(to, p.yielded.take());
      return;
    }
    for (let i = 0; i < n; i++) this.putGlobal(to, p.ring.take());
    if (p.over) this.putGlobal(to, p.over);
    p.over = 0;
  }

  /** `all`: none of them runs next. */
  takeGlobal(p, count, all) {
    const from = this.globalOf(p), n = Math.min(count, from.size);
    for (let i = 0; i < n; i++) {
      const g = from.take();
      if (i === 0 && !all) this.hold(p, g);
      else this.put(p, g);
    }
  }

  /** All queues of a P go to the global one. */
  share(p) {
    const to = this.globalOf(p);
    if (p.next) this.putGlobal(to, p.next);
    p.next = 0;
    while (p.ring.size) this.putGlobal(to, p.ring.take());
    while (p.yielded.size) this.putGlobal(to, p.yielded.take());
  }

  /** A new slice: runnext goes to the threads that yielded. */
  endSlice(p) {
    if (!p || !p.next) return;
    const g = p.next;
    p.next = 0;
    this.putYielded(p, g);
  }

  hold(p, g) {
    this.layDown(p);
    p.hand = g;
    this.set(g, place(IN_HAND, p.id));
  }

  // ---- machines

  machine(m, state) {
    if (m >= 0) this.machines[m] = state;
  }

  own(p, m, gets) {
    if (!p) return;
    if (gets) p.m = m;
    else if (p.m === m) p.m = -1;
    this.machine(m, gets ? M_BUSY : M_NONE);
    if (!gets) {
      p.spin = false;
      this.layDown(p);
    }
  }

  taken(p, g, m) {
    if (p) {
      p.m = -1;
      if (p.g === g) p.g = 0;
      p.block = p.spin = false;
    }
    this.detach(g, m);
  }

  regain(p, g, m) {
    this.loose.delete(m);
    if (!p) return;
    p.m = m;
    this.machine(m, M_BUSY);
    if (g) this.run(p, g);
  }

  // ---- snapshots

  save() {
    return {
      at: this.at,
      ps: this.ps.map(p => ({ ...p, ring: p.ring.save(), yielded: p.yielded.save() })),
      globals: this.globals.map(queue => queue.save()),
      procs: this.procs.slice(),
      machines: this.machines.slice(),
      loose: [...this.loose],
      stopped: this.stopped,
    };
  }

  static load(saved) {
    const world = new World();
    world.at = saved.at;
    world.procs = saved.procs.slice();
    world.machines = saved.machines.slice();
    world.stopped = saved.stopped;
    saved.ps.forEach((from, i) => {
      const p = world.ps[i], { ring, yielded } = p;
      Object.assign(p, from, { ring, yielded });
      ring.load(from.ring);
      yielded.load(from.yielded);
      for (let j = 0; j < ring.size; j++) world.place[ring.at(j)] = place(IN_RING, i);
      for (const g of from.yielded) world.place[g] = place(IN_YIELDED, i);
      if (p.next) world.place[p.next] = place(IN_NEXT, i);
      if (p.hand) world.place[p.hand] = place(IN_HAND, i);
      if (p.g) world.place[p.g] = place(ON_P, i);
    });
    saved.globals.forEach((list, s) => {
      world.globals[s].load(list);
      for (const g of list) world.place[g] = place(IN_GLOBAL, s);
    });
    world.loose = new Map(saved.loose);
    for (const [m, g] of world.loose) world.place[g] = place(LOOSE, m);
    return world;
  }
}

// ---- the state at any event: one load and a few thousand events away

const saves = [];
let nextSave = 0;

/** Called by the index with the world before each event. The larger the state, the rarer the snapshots. */
export function maybeSave(world) {
  if (world.at < nextSave) return;
  saves.push(world.save());
  const sizes = (sum, queue) => sum + queue.size;
  const queued = world.globals.reduce(sizes, 0) + world.ps.map(p => p.yielded).reduce(sizes, 0);
  nextSave = world.at + Math.max(4096, 2 * queued + 64 * world.ps.length + 4 * rec.nm);
}

/** A world in the state before event i. */
export function worldAt(i) {
  let low = 0, high = saves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (saves[middle].at <= i) low = middle + 1;
    else high = middle;
  }
  const world = World.load(saves[Math.max(0, low - 1)]);
  while (world.at < i) world.apply(world.at);
  return world;
}
