// The kinds of event in a page, numbered as in the Java enum PageKind; recording.js refuses a page that says otherwise.
// PageKind says what p, m, g, a and b of each kind mean.
export const KINDS = [
  'create', 'ready', 'start', 'park', 'yield', 'end', 'empty', 'refused',
  'steal', 'spill', 'global', 'share', 'slice', 'deliver',
  'pstart', 'pstop', 'taken', 'regain',
  'spin', 'unspin', 'sleep', 'wake', 'begin', 'exit',
  'timer', 'netpoll', 'stop', 'go', 'gc', 'gcend', 'monitor', 'procs', 'block', 'unblock',
  'running', 'runnable', 'waiting',
  'log', 'lost',
];

// Of a goroutine.
export const CREATE = 0, READY = 1, START = 2, PARK = 3, YIELD = 4, END = 5, EMPTY = 6, REFUSED = 7;
// Between queues.
export const STEAL = 8, SPILL = 9, GLOBAL = 10, SHARE = 11, SLICE = 12, DELIVER = 13;
// A machine gets or gives up a P; TAKEN: another thread took it; REGAIN: a goroutine that ran without a P has one again.
export const PSTART = 14, PSTOP = 15, TAKEN = 16, REGAIN = 17;
// Of a machine.
export const SPIN = 18, UNSPIN = 19, SLEEP = 20, WAKE = 21, BEGIN = 22, EXIT = 23;
// The world.
export const TIMER = 24, NETPOLL = 25, STOP = 26, GO = 27, GC = 28, GCEND = 29, MONITOR = 30, PROCS = 31;
export const BLOCK = 32, UNBLOCK = 33;
// What was true before the first event: inferred from the first mention, never later.
export const WAS_RUNNING = 34, WAS_RUNNABLE = 35, WAS_WAITING = 36;
// What the program wrote; events that could not be recorded.
export const LOG = 37, LOST = 38;

// Where CREATE, READY and YIELD put a goroutine (b).
export const TO_NEXT = 0, TO_RING = 1, TO_GLOBAL = 2, TO_YIELDED = 3;

// One word for each kind: the badge in Play, the title of a tooltip.
export const WORDS = [
  'spawn', 'wake', 'run', 'park', 'yield', 'end', 'empty', 'refused',
  'steal', 'spill', 'global', 'share', 'slice', 'deliver',
  'machine', 'idle', 'taken', 'regain',
  'spin', 'spin', 'sleep', 'wake', 'machine', 'machine',
  'timer', 'network', 'stop', 'stop', 'GC', 'GC', 'monitor', 'procs', 'block', 'block',
  'known', 'known', 'known',
  'log', 'lost',
];
