// The names at the left of the lanes, with the figures of the moment under the pointer.
import { app } from './app.js';
import { found } from './index.js';
import { busyTime } from './levels.js';
import { rec } from './recording.js';
import { topOf } from './rows.js';
import { S, sliceAt } from './slices.js';
import { C, FONT, fillOf } from './theme.js';
import { GUTTER, view } from './view.js';
import { selectedG } from './selection.js';
import { idOf, machine, number, ownName, bodyName, percent, processor } from './words.js';
import { rounded } from './surface.js';

const LEFT = 14, RIGHT = GUTTER - 10;

export function paintGutter(c, row) {
  const y = topOf(row), hover = app.hover && app.hover.x > GUTTER ? app.hover.t : -1;
  painters[row.type](c, row, y, hover);
}

const painters = {
  world: (c, _, y) => title(c, 'World', y + 9),
  monitor: (c, _, y) => title(c, 'Monitor', y + 11),

  p(c, row, y, hover) {
    const line = y + Math.min(row.height / 2, 17), length = Math.max(1, Math.min(rec.end, view.t1) - Math.max(0, view.t0));
    write(c, fitting(c, processor(row.lane), '650 12.5px', RIGHT - LEFT - 46), LEFT, line, C.text, '650 12.5px');
    const share = percent(busyTime(row.lane, view.t0, view.t1), length);
    if (row.height > 40) write(c, `${share} busy`, LEFT, y + 33, C.dim);
    if (hover >= 0) {
      const queue = found.queues[row.lane].at(hover);
      writeRight(c, `queue ${queue}`, line, queue ? C.queue : C.faint);
    } else if (row.height <= 40) writeRight(c, share, line, C.faint);
  },

  loose(c, row, y, hover) {
    if (row.lane === rec.np) title(c, 'Without a P', y + Math.min(10, row.height / 2 + 1));
    const s = hover < 0 || row.height < 9 ? -1 : sliceAt(row.lane, hover);
    if (s >= 0) writeRight(c, machine(S.m[s]), y + row.height / 2, C.dim);
  },

  goroutine(c, row, y) {
    const g = selectedG();
    c.fillStyle = fillOf(rec.body[g]);
    rounded(c, LEFT, y + 7, 10, 10, 3);
    c.fill();
    write(c, idOf(g), LEFT + 15, y + 12.5, C.accent, '650 11.5px');
    write(c, fitting(c, ownName(g) || bodyName(g), '450 10.5px', RIGHT - LEFT), LEFT, y + 26, C.dim);
  },

  counter(c, row, y, hover) {
    write(c, row.label, LEFT, y + 12, C.text, '550 11px');
    write(c, `up to ${number(row.max ?? 0)}`, LEFT, y + 25, C.dim, '450 10px');
    if (hover >= 0) writeRight(c, number(found.counters[row.name].at(hover)), y + 25, C.wait, '600 11px');
  },
};

const title = (c, words, y) => write(c, words, LEFT, y, C.text, '600 11px');

function write(c, words, x, y, colour, font = '450 10.5px') {
  c.font = `${font} ${FONT}`;
  c.fillStyle = colour;
  c.fillText(words, x, y);
}

function writeRight(c, words, y, colour, font) {
  c.textAlign = 'right';
  write(c, words, RIGHT, y, colour, font);
  c.textAlign = 'left';
}

/** The words, shortened with an ellipsis if they are too long: names of schedulers and bodies can be long. */
function fitting(c, words, font, room) {
  c.font = `${font} ${FONT}`;
  if (c.measureText(words).width <= room) return words;
  let n = words.length;
  while (n > 1 && c.measureText(`${words.slice(0, n)}…`).width > room) n--;
  return `${words.slice(0, n)}…`;
}
