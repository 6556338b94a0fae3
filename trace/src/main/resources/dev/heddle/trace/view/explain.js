// "Why was it runnable but not running?" Replays the interval, follows the goroutine through the queues, and looks at who had
// the Ps meanwhile. Only what the replay shows is said, never why a machine did not act.
//
// A text is a list of strings and of links { g, t } to a goroutine at a moment.
import { rec } from './recording.js';
import { CREATE, YIELD, START, STEAL, SPILL, GLOBAL, WAKE, BEGIN, WAS_RUNNABLE, TO_NEXT } from './kinds.js';
import { IN_NEXT, IN_RING, IN_GLOBAL, IN_HAND, IN_YIELDED, UNKNOWN, kindOf, indexOf } from './places.js';
import { worldAt } from './world.js';
import { found } from './index.js';
import { S, lanes, inLane, neverRan } from './slices.js';
import { duration, machine, nameOf, number, percent, plural, processor } from './words.js';

const SHORT = 5000; // ns; below this a wait needs no cause

/**
 * Explains the wait before a slice: { wait, verdict, cause, parts, stopped, steps, home, meanwhile }, or null if the slice had
 * none. `verdict` is a text, `cause` its shortest form, `parts` where it stood and how long.
 */
export function explain(s) {
  if (S.ready[s] < 0) return null;
  const path = new Path(s);
  path.follow();
  const facts = factsOf(path);
  return { wait: path.wait, ...judge(path, facts), parts: path.parts, stopped: facts.stopped, steps: path.steps, ...facts };
}

/** The way of one goroutine from queue to queue, between two events. */
class Path {
  constructor(s) {
    this.s = s;
    this.g = S.g[s];
    this.from = S.ready[s];
    this.to = S.i0[s];
    this.t0 = rec.t[this.from];
    this.t1 = S.t0[s];
    this.wait = this.t1 - this.t0;
    this.world = worldAt(this.from);
    this.parts = []; // [place, from, to]
    this.steps = []; // [time, text]
    this.ahead = 0; // how many stood before it when it came into its queue
    this.overtaken = 0; // runs that came before it through runnext
    this.wakes = new Map(); // P -> the first event that woke a machine for it
    this.here = null;
    this.since = this.t0;
  }

  follow() {
    for (let i = this.from; i <= Math.min(this.to, rec.n - 1); i++) this.event(i);
    this.leave(null, this.t1);
    this.say(this.t1, neverRan(this.s) ? 'It had not started when the recording ended.'
      : S.lane[this.s] < rec.np ? `Started on ${processor(S.lane[this.s])}.` : 'Started without a P.');
    this.exact = this.world.misses === 0 && rec.kind[this.from] !== WAS_RUNNABLE;
  }

  event(i) {
    const k = rec.kind[i], p = rec.p[i] < 0 ? null : this.world.ps[rec.p[i]];
    const before = { ring: p ? p.ring.size : 0, global: this.world.globalOf(p).size, victim: k === STEAL ? this.world.ps[rec.a[i]].ring.size : 0 };
    if (this.here !== null && k === START && p && p.id === indexOf(this.here) && kindOf(this.here) === IN_RING
      && this.world.place[rec.g[i]] >> 16 === IN_NEXT) this.overtaken++;
    if ((k === WAKE || k === BEGIN) && p && !this.wakes.has(p.id)) this.wakes.set(p.id, i);
    let there = null;
    this.world.moved = (g, code) => { if (g === this.g) there = code; };
    this.world.apply(i);
    if (there === null || i === this.to) return;
    const was = this.here;
    this.leave(there, rec.t[i]);
    this.tell(i, k, was, there, before);
  }

  leave(code, t) {
    if (this.here !== null && t > this.since) this.parts.push([this.here, this.since, t]);
    this.here = code;
    this.since = t;
  }

  say(t, ...text) {
    this.steps.push([t, text]);
  }

  tell(i, k, was, there, before) {
    const t = rec.t[i], pn = rec.p[i] < 0 ? '' : processor(rec.p[i]);
    if (i === this.from) this.tellBegin(i, k, there, before, pn);
    else if (was !== null && kindOf(was) === IN_NEXT && kindOf(there) === IN_RING && k !== STEAL) {
      this.ahead = before.ring;
      this.say(t, 'Pushed out of runnext by ', { g: rec.g[i], t }, `; to the tail of ${pn}'s ring, behind ${before.ring}.`);
    } else if (k === STEAL) {
      this.say(t, `${pn} found its queue empty and stole ${rec.b[i]} of ${processor(rec.a[i])}'s ${Math.max(before.victim, rec.b[i])}, this one among them.`);
    } else if (k === SPILL) {
      this.ahead = before.global;
      this.say(t, `${pn}'s ring was full: spilled to the global queue, ${rec.b[i]} in all, behind ${number(before.global)}.`);
    } else if (k === GLOBAL) {
      this.say(t, `${pn} took ${rec.b[i]} from the global queue, this one ${kindOf(there) === IN_HAND ? 'to run it at once' : 'among them'}.`);
    }
  }

  tellBegin(i, k, there, before, pn) {
    const t = rec.t[i], kind = kindOf(there);
    this.ahead = kind === IN_GLOBAL ? before.global : kind === IN_RING ? before.ring : 0;
    if (k === WAS_RUNNABLE) return this.say(t, 'Was runnable already when the recording began; since when and in which queue is not known.');
    const by = rec.a[i] > 0 && k !== YIELD ? [' by ', { g: rec.a[i], t }] : [];
    const verb = k === CREATE ? 'Created' : k === YIELD ? (rec.a[i] ? 'Preempted' : 'Yielded') : 'Woken';
    const to = kind === IN_GLOBAL ? `; to the global queue, behind ${number(before.global)}.`
      : rec.b[i] === TO_NEXT ? ` on ${pn}; into its runnext.` : ` on ${pn}; to the tail of its ring, behind ${before.ring}.`;
    return this.say(t, verb, ...by, to);
  }

  /** Time spent in places of these kinds. */
  in(...kinds) {
    return this.parts.reduce((sum, [code, from, to]) => sum + (kinds.includes(kindOf(code)) ? to - from : 0), 0);
  }

  /** Its stays in the queue of a P: [P, from, to]. */
  stays() {
    return this.parts.filter(([code]) => [IN_NEXT, IN_RING, IN_HAND, IN_YIELDED].includes(kindOf(code))).map(([code, from, to]) => [indexOf(code), from, to]);
  }
}

/** Who held the Ps where it stood, which P was idle, how long the world was stopped. */
function factsOf(path) {
  const stays = path.stays(), table = new Map();
  let holder = -1, held = 0, home = -1, longest = 0;
  for (const [p, from, to] of stays) {
    if (to - from > longest) [longest, home] = [to - from, p];
    const [first, last] = inLane(p, from, to);
    for (let j = first; j < last; j++) {
      const s = lanes[p][j], time = Math.min(to, S.t1[s]) - Math.max(from, S.t0[s]), body = rec.body[S.g[s]];
      if (time > held) [held, holder] = [time, s];
      const row = table.get(body) ?? [body, 0, 0];
      row[1] += Math.max(0, time);
      row[2]++;
      table.set(body, row);
    }
  }
  return {
    home,
    holder,
    held,
    stopped: found.pauses.cover(path.t0, path.t1),
    ...idleOf(path, home),
    meanwhile: [...table.values()].filter(row => row[1] > 500).sort((x, y) => y[1] - x[1]),
  };
}

/** The P of the same scheduler that was idle longest. */
function idleOf(path, home) {
  const scheduler = home >= 0 ? path.world.ps[home].scheduler : path.world.ps.length ? path.world.ps[0].scheduler : 0;
  const own = path.world.ps.filter(p => p.scheduler === scheduler).slice(0, path.world.procs[scheduler]);
  let idle = 0, idleP = -1;
  for (const { id } of own) {
    const time = path.wait - found.owned[id].cover(path.t0, path.t1);
    if (time > idle) [idle, idleP] = [time, id];
  }
  return { idle, idleP, ps: own.length };
}

/** The first rule that holds gives the verdict. */
function judge(path, facts) {
  const { wait } = path, about = path.exact ? '' : 'about ', onHome = facts.home >= 0 ? processor(facts.home) : '';
  if (wait < SHORT) return { verdict: [`${duration(wait)} is short; below 5 µs nothing needs a cause.`], cause: 'short' };
  if (facts.stopped > wait / 2) {
    return {
      verdict: [`The world was stopped for ${duration(facts.stopped)} of the ${duration(wait)} (${percent(facts.stopped, wait)}).`],
      cause: `world stopped for ${duration(facts.stopped)}`,
    };
  }
  if (facts.held > wait / 2) {
    const p = processor(S.lane[facts.holder]);
    const next = path.in(IN_NEXT) > wait / 2 ? 'It stood in runnext, which thieves take last. ' : '';
    return {
      verdict: [`${p} was held by `, { g: S.g[facts.holder], t: S.t0[facts.holder] }, ` for ${duration(facts.held)} of the ${duration(wait)}. `, next, spare(path, facts)],
      cause: `${p} held by ${nameOf(S.g[facts.holder])}`,
    };
  }
  if (path.in(IN_GLOBAL) > wait / 2) {
    return {
      verdict: [`It stood in the global queue for ${duration(path.in(IN_GLOBAL))}, behind ${about}${number(path.ahead)}. A P looks there when its own queue is empty, and every 61st time. `, spare(path, facts)],
      cause: `global queue, behind ${about}${number(path.ahead)}`,
    };
  }
  if (facts.idle > wait / 2) return { verdict: [spare(path, facts)], cause: `${processor(facts.idleP)} idle for ${duration(facts.idle)}` };
  if (path.in(UNKNOWN) > wait / 2 || facts.home < 0) return { verdict: ['In which queue it stood is not known. ', spare(path, facts)], cause: 'queue not known' };
  const passed = path.overtaken > 2 ? `, and ${number(path.overtaken)} runs came before it through runnext, which is served first` : '';
  return {
    verdict: [`${about}${plural(path.ahead, 'goroutine')} stood before it in ${onHome}'s ring${passed}. `, spare(path, facts)],
    cause: path.overtaken > path.ahead ? `overtaken by ${number(path.overtaken)} through ${onHome}'s runnext` : `behind ${about}${number(path.ahead)} in ${onHome}'s ring`,
  };
}

function spare(path, { idle, idleP, ps }) {
  if (idleP < 0) return ps === 1 ? 'There is only this one P.' : `None of the ${ps} Ps was idle meanwhile.`;
  const woken = path.wakes.get(idleP), p = processor(idleP);
  return `${p} was idle for ${duration(idle)} of it; ${woken === undefined ? 'no machine was woken for it'
    : `${machine(rec.m[woken])} was woken for it after ${duration(rec.t[woken] - path.t0)}`}.`;
}
