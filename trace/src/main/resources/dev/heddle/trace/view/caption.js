// One sentence for each event, said from the state before it: the story that Play tells.
import { rec } from './recording.js';
import {
  CREATE, READY, START, PARK, YIELD, END, EMPTY, REFUSED, STEAL, SPILL, GLOBAL, SHARE, SLICE, DELIVER, PSTART, PSTOP, TAKEN, REGAIN, SPIN, UNSPIN, SLEEP, WAKE,
  BEGIN, EXIT, TIMER, NETPOLL, STOP, GO, GC, GCEND, MONITOR, PROCS, BLOCK, UNBLOCK, WAS_RUNNING, WAS_RUNNABLE, WAS_WAITING, LOG,
  LOST, TO_NEXT, TO_RING, TO_YIELDED,
} from './kinds.js';
import { IN_NEXT, IN_HAND, IN_RING, IN_GLOBAL, IN_YIELDED, kindOf } from './places.js';
import { duration, idOf, nameOf, machine, number, plural, processor, reason, string } from './words.js';

/** Why a P was taken, as the end of "..., because": the numbers of `a` in TAKEN. */
export const TAKEN_WHY = [
  'it said that it would block',
  'it was found blocked in a call',
  'it computed for long and reached no preemption point',
  'the P was needed elsewhere',
  'it gave its P away before a call that may block',
];

/** The sentence for event i, in the world before it. */
export function caption(world, i) {
  const g = rec.g[i], a = rec.a[i], b = rec.b[i], p = rec.p[i] < 0 ? null : world.ps[rec.p[i]];
  const pn = p ? processor(p.id) : 'no P', mn = rec.m[i] < 0 ? 'A thread outside' : machine(rec.m[i]);
  switch (rec.kind[i]) {
    case CREATE:
      return `${a ? idOf(a) : 'A thread outside'} started ${nameOf(g)}; it goes ${where(p, pn, b)}.`;
    case READY:
      return `${a ? `${idOf(a)} woke ${nameOf(g)}` : `${nameOf(g)} can go on`}; it goes ${where(p, pn, b)}.`;
    case START:
      return p ? `${pn} runs ${nameOf(g)}${source(world, p, g)}.` : `${mn} runs ${nameOf(g)} without a P.`;
    case PARK:
      return `${nameOf(g)} parks (${reason(a)})${p ? `; ${pn} is free to run another` : ''}.`;
    case YIELD:
      return `${nameOf(g)} ${a ? 'is preempted' : 'yields'}, and goes ${where(p, pn, b)}.`;
    case END:
      return `${nameOf(g)} is done.`;
    case EMPTY:
      return `${p ? pn : mn} found an entry of ${nameOf(g)} that was queued twice: there is nothing to run.`;
    case REFUSED:
      return `${nameOf(g)} could not be queued for lack of memory.`;
    case STEAL: {
      const victim = world.ps[a], size = (g ? victim.yielded : victim.ring).size, from = processor(a);
      return size ? `${pn} found its queue empty and stole ${b} of ${from}'s ${Math.max(size, b)}${g ? ' that yielded' : ''}.`
        : `${pn} found its queue empty and took ${from}'s runnext${victim.next ? `, ${idOf(victim.next)}` : ''}.`;
    }
    case SHARE:
      return `${pn}'s time slice is over, and its goroutine cannot yield here: all that waits at ${pn} goes to the global queue.`;
    case SLICE:
      return `${pn}'s time slice is over${p && p.next ? `; ${idOf(p.next)} in runnext goes to the threads that yielded` : ''}.`;
    case DELIVER:
      return `${nameOf(g)} is locked to ${a >= 0 ? machine(a) : 'another machine'}, and is brought there.`;
    case SPILL:
      return g ? `All ${b} that yielded at ${pn} move to the global queue.` : `${pn}'s ring is full: its older half and ${p && p.over ? idOf(p.over) : 'the new goroutine'} move to the global queue, ${b} in all.`;
    case GLOBAL:
      return `${pn} takes ${b} of ${number(Math.max(b, world.globalOf(p).size))} from the global queue${p.ring.size || p.next ? ', as it does now and then' : ': its own queue is empty'}.`;
    case PSTART:
      return `${mn} gets ${pn}.`;
    case PSTOP:
      return `${mn} gives up ${pn}, which is idle now.`;
    case TAKEN:
      return `${pn} is taken from ${mn}${g ? `: ${nameOf(g)} goes on without a P` : ''}, because ${TAKEN_WHY[a]}.`;
    case REGAIN:
      return p ? `${g ? nameOf(g) : mn} goes on with ${pn}.` : `${g ? nameOf(g) : mn} is back from its call, but no P is idle.`;
    case SPIN:
      return `${mn} has nothing to run and spins: it looks for work at the other Ps.`;
    case UNSPIN:
      return `${mn} stops spinning.`;
    case SLEEP:
      return `${mn} goes to sleep; it costs no CPU time.`;
    case WAKE:
      if (rec.m[i] < 0) return `${a >= 0 ? machine(a) : 'A thread outside'} asks for a new machine.`;
      return `${a >= 0 ? `${machine(a)} wakes ${mn}` : `${mn} is woken`}${p ? ` for ${pn}` : ''}.`;
    case BEGIN:
      return `${mn} begins: a new machine.`;
    case EXIT:
      return `${mn} ends.`;
    case TIMER:
      return `${pn} runs ${plural(b, 'due timer')}.`;
    case NETPOLL:
      return `${p ? pn : mn} asked the network: ${plural(b, 'goroutine')} can go on.`;
    case STOP:
      return 'Stop the world: no P may run a goroutine.';
    case GO:
      return 'The world goes on.';
    case GC:
      return `${string(a) || 'GC pause'}: everything stands still.`;
    case GCEND:
      return 'The GC pause is over.';
    case MONITOR:
      return verdict(i, pn);
    case PROCS:
      return `GOMAXPROCS is ${a}.`;
    case BLOCK:
      return `${nameOf(g)} begins a blocking call${p ? `; ${pn} stays with it for now` : ''}.`;
    case UNBLOCK:
      return `${nameOf(g)}'s blocking call returns.`;
    case WAS_RUNNING:
      return `${nameOf(g)} was already running${p ? ` on ${pn}` : ''} when the recording began.`;
    case WAS_RUNNABLE:
      return `${nameOf(g)} was already runnable when the recording began; in which queue is not known.`;
    case WAS_WAITING:
      return `${nameOf(g)} was already parked when the recording began.`;
    case LOG:
      return `${g ? nameOf(g) : 'The program'} says: ${[string(a), string(b)].filter(Boolean).join(': ')}`;
    case LOST:
      return `${plural(a, 'event')} of ${mn} could not be recorded here.`;
  }
  return '';
}

function where(p, pn, to) {
  if (!p || (to !== TO_NEXT && to !== TO_RING && to !== TO_YIELDED)) return 'to the global queue';
  if (to === TO_YIELDED) return `to the threads that yielded at ${pn}`;
  if (to === TO_RING) return `to the tail of ${pn}'s ring`;
  return `into ${pn}'s runnext${p.next ? `, and ${idOf(p.next)} moves to the tail of the ring` : ''}`;
}

function source(world, p, g) {
  switch (kindOf(world.place[g])) {
    case IN_NEXT: return ', taken from runnext';
    case IN_RING: return p.ring.size && p.ring.at(0) === g ? ', the oldest in its ring' : ', from its ring';
    case IN_HAND: return ', which it just took';
    case IN_YIELDED: return ', one of those that yielded here';
    case IN_GLOBAL: return ', from the global queue';
  }
  return '';
}

/** What the monitor found: the numbers of `a` in MONITOR. */
export const ASKED = 0, HOG = 1, BLOCKED = 2, COUNTED = 3, DEMOTED = 4, THROTTLED = 5;

function verdict(i, pn) {
  const a = rec.a[i], g = rec.g[i], name = g ? nameOf(g) : rec.m[i] >= 0 ? `what ${machine(rec.m[i])} runs` : 'a goroutine', time = duration(rec.b[i] * 1000);
  switch (a) {
    case ASKED: return `The monitor asks ${name} on ${pn} to yield: its time slice is over.`;
    case HOG: return `The monitor takes ${pn} from ${name}: it has computed for ${time} and does not yield.`;
    case BLOCKED: return `The monitor hands ${pn} to another machine: ${name} has been blocked in a call for ${time}.`;
    case COUNTED: return `${name} computes on without a P, for ${time} so far: a hog.`;
    case DEMOTED: return `The thread of ${name} gets a lower priority, since it computes without a P.`;
    case THROTTLED: return `The container's CPU quota kept the whole process from running for ${time}.`;
  }
  return '';
}

/** How a slice ended, as the end of a sentence "..., then". */
export function endWords(i) {
  if (i < 0) return 'still at it when the recording ended';
  switch (rec.kind[i]) {
    case PARK: return `parked: ${reason(rec.a[i])}`;
    case END: return 'ended';
    case EMPTY: return 'found nothing to do';
    case YIELD: return rec.a[i] ? 'was preempted' : 'yielded';
    case TAKEN: return `lost its P, because ${TAKEN_WHY[rec.a[i]]}`;
    case LOST: return 'unknown: events were lost';
    case REGAIN: return rec.p[i] < 0 ? 'found no idle P and queued for one' : 'got a P again';
  }
  return '';
}
