// Where the boxes of Play stand: global queue and machines, the Ps, the pools of goroutines that wait.
import { rec } from './recording.js';

const PAD = 16, GAP = 12, TOP = 14, GLOBAL_HEIGHT = 74, POOLS = 104, MACHINES = 330;

/** At most so many Ps are shown at once; Play follows the action to others. */
export const MOST_PS = 16;

const NETWORK_WORDS = /network|socket|\bio wait/i, TIMER_WORDS = /sleep|timer|timed/i;

/** Which pool a park reason belongs to. */
export function poolOf(words) {
  if (TIMER_WORDS.test(words)) return 1;
  return NETWORK_WORDS.test(words) ? 2 : 0;
}

const POOL_NAMES = [['Channels and locks', 0.4], ['Timers', 0.17], ['Network', 0.17], ['Without a P', 0.26]];

/** The boxes for a stage of this size that shows these Ps. */
export function layStage(width, height, ps) {
  const n = Math.max(1, ps.length), perRow = n <= 4 ? n : n <= 8 ? 4 : 8, lines = Math.ceil(n / perRow);
  const boxWidth = (width - 2 * PAD - GAP * (perRow - 1)) / perRow;
  const boxHeight = Math.min(360, (height - TOP - GLOBAL_HEIGHT - POOLS - 44 - GAP * (lines - 1)) / lines);
  const boxes = new Map();
  ps.forEach((p, i) => {
    const x = PAD + (i % perRow) * (boxWidth + GAP), y = TOP + GLOBAL_HEIGHT + 14 + Math.floor(i / perRow) * (boxHeight + GAP);
    boxes.set(p, processorBox(x, y, boxWidth, boxHeight));
  });
  const globalWidth = width - 2 * PAD - MACHINES, bottom = TOP + GLOBAL_HEIGHT + 14 + lines * (boxHeight + GAP) + 8;
  return {
    boxes,
    global: { x: PAD, y: TOP, width: globalWidth, height: GLOBAL_HEIGHT },
    machines: { x: PAD + globalWidth + GAP, y: TOP, width: MACHINES - GAP, height: GLOBAL_HEIGHT },
    pools: poolBoxes(width, bottom, Math.max(60, height - bottom - 12)),
    width,
    height,
  };
}

function processorBox(x, y, width, height) {
  const big = width > 220 && height > 150, runHeight = big ? 40 : 20, head = big ? 30 : 22;
  const ringTop = y + head + runHeight + (big ? 34 : 4);
  return {
    x, y, width, height, big,
    run: { x: x + 12, y: y + head, width: width - 24 - (big ? 92 : 0), height: runHeight },
    next: big ? { x: x + width - 96, y: y + 30, width: 84, height: runHeight } : { x: x + width - 46, y: y + 4, width: 36, height: 15 },
    ring: { x: x + 12, y: ringTop, cell: (width - 24) / 16, line: Math.max(2.5, Math.min(13, (y + height - (big ? 46 : 12) - ringTop) / 16)) },
  };
}

function poolBoxes(width, y, height) {
  let x = PAD;
  return POOL_NAMES.map(([name, share], i) => {
    const box = { x, y, width: (width - 2 * PAD - 3 * GAP) * share, height, name, loose: i === 3 };
    x += box.width + GAP;
    return box;
  });
}

/** The Ps that are shown: all of a scheduler, or the sixteen around the one with the action. */
export function shownPs(focus) {
  const scheduler = rec.head.ps[Math.max(0, focus)]?.[0] ?? 0;
  const own = [...rec.head.ps.keys()].filter(p => rec.head.ps[p][0] === scheduler);
  const page = Math.floor(Math.max(0, own.indexOf(focus)) / MOST_PS);
  return own.slice(page * MOST_PS, (page + 1) * MOST_PS);
}
