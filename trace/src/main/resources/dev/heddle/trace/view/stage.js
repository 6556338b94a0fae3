// The stage of Play: P boxes with their ring of 256 slots and runnext, the global queue, machines, and the pools of goroutines
// that wait. Ring slots are where they are in memory, so chips rest while the head walks.
import { app, draw, on } from './app.js';
import { chips, dropOthers, moveTime, paintChips, putChip } from './chips.js';
import { byId } from './dom.js';
import { GC, GLOBAL, SPILL, STEAL } from './kinds.js';
import { player } from './player.js';
import { rec } from './recording.js';
import { S, inLane, lanes } from './slices.js';
import { layStage, poolOf, shownPs } from './stage-layout.js';
import { ratio, resize, rounded, surface, tip } from './surface.js';
import { C, FONT, fillOfSlice } from './theme.js';
import { machine, number, processor, reason, string } from './words.js';
import { M_ASLEEP, M_WAKING } from './world.js';

const stage = surface(byId('stage'));
const GLOW = 700, PAST = 150e3; // ms; ns

let layout = null, focus = 0, flyingArc = null;
const glow = new Map(); // P -> when something happened there

export function startStage() {
  on('draw', () => { if (app.mode === 'play' && player.world) paintStage(performance.now()); });
  on('size', () => {
    if (!resize(stage) || !player.world) return;
    placeChips(player.world, player.step, true);
  });
}

/** The goroutine whose chip is at a point of the stage, or 0. */
export function chipAt(x, y) {
  for (const [g, chip] of chips) if (x >= chip.x && x <= chip.x + chip.width && y >= chip.y && y <= chip.y + chip.height) return g;
  return 0;
}

/** Before an event is played: what will glow, what gets an arc. */
export function note(i) {
  const now = performance.now(), kind = rec.kind[i];
  if (rec.p[i] >= 0) glow.set(rec.p[i], now);
  if (kind === STEAL) {
    flyingArc = { from: rec.a[i], to: rec.p[i], words: `steal ${rec.b[i]}`, since: now };
    glow.set(rec.a[i], now);
  } else if (kind === SPILL) flyingArc = { from: rec.p[i], to: -1, words: `spill ${rec.b[i]}`, since: now, bad: true };
  else if (kind === GLOBAL) flyingArc = { from: -1, to: rec.p[i], words: `take ${rec.b[i]}`, since: now };
}

// ---- places

/** Gives each goroutine that can be seen its place in this state. */
export function placeChips(world, step, jump) {
  const last = rec.p[Math.max(0, step - 1)];
  if (last >= 0 && !(layout && layout.boxes.has(last))) {
    focus = last;
    jump = true;
  }
  if (jump) {
    chips.clear();
    flyingArc = null;
    glow.clear();
  }
  layout = layStage(stage.width, stage.height, shownPs(focus));
  for (const [p, box] of layout.boxes) placeProcessor(world.ps[p], box, jump, step);
  placeGlobal(world.globalOf(world.ps[focus]), jump, step);
  placePools(world, jump, step);
  dropOthers(step, jump);
}

function placeProcessor(p, box, jump, step) {
  const { ring, run } = box, put = (g, place, look) => putChip(g, place, look, jump, step);
  if (p.g) put(p.g, run, 'run');
  if (p.hand) put(p.hand, { x: run.x + 8, y: run.y + (run.height - 20) / 2, width: box.big ? 64 : 30, height: 20 }, 'chip');
  if (p.next) put(p.next, box.next, 'next');
  for (let i = p.ring.head; i < p.ring.tail; i++) {
    const slot = i & 255;
    put(p.ring.slots[slot], { x: ring.x + (slot % 16) * ring.cell + 0.5, y: ring.y + (slot >> 4) * ring.line + 0.5, width: ring.cell - 1, height: ring.line - 1 }, 'cell');
  }
  placeYielded(p, box, put);
  if (p.over) put(p.over, { x: ring.x + 20, y: ring.y - 16, width: 40, height: 14 }, 'chip');
}

/** Those that yielded stand in line below the ring, as many as fit. */
function placeYielded(p, { ring, big, width }, put) {
  if (!big) return;
  const room = Math.floor((width - 24 - 60) / 20);
  for (let i = 0; i < Math.min(room, p.yielded.size); i++)
    put(p.yielded.at(i), { x: ring.x + 60 + i * 20, y: ring.y + 16 * ring.line + 4, width: 18, height: 11 }, 'cell');
}

function placeGlobal(queue, jump, step) {
  const { x, y, width, height } = layout.global, n = queue.size;
  const [cell, line] = n <= 44 ? [32, 18] : n <= 150 ? [19, 12] : [11, 9];
  const perLine = Math.floor((width - 110) / cell), room = perLine * Math.floor((height - 8) / line);
  for (let i = 0; i < n && i < room; i++)
    putChip(queue.at(i), { x: x + 104 + (i % perLine) * cell + 0.5, y: y + 4 + Math.floor(i / perLine) * line + 0.5, width: cell - 1.5, height: line - 1.5 }, 'cell', jump, step);
}

function placePools(world, jump, step) {
  const lists = [[], [], [], []];
  for (const [g, r] of world.parked) lists[poolOf(reason(r))].push([g, reason(r)]);
  for (const [m, g] of world.loose) lists[3].push([g, machine(m)]);
  layout.pools.forEach((pool, k) => {
    const list = lists[k], room = Math.floor((pool.width - 16) / 42) * Math.floor((pool.height - 28) / 19);
    const cell = pool.loose ? 142 : list.length > room ? 30 : 42, line = pool.loose ? 20 : 19;
    const perLine = Math.max(1, Math.floor((pool.width - 16) / cell));
    pool.count = list.length;
    list.slice(0, perLine * Math.max(0, Math.floor((pool.height - 28) / line))).forEach(([g, words], i) => {
      const place = { x: pool.x + 9 + (i % perLine) * cell, y: pool.y + 25 + Math.floor(i / perLine) * line, width: cell - 3, height: line - 3 };
      putChip(g, place, pool.loose ? 'loose' : 'wait', jump, step, words);
    });
  });
}

// ---- drawing

function paintStage(now) {
  const { c, width, height } = stage, { world } = player;
  if (!layout || !width) return;
  c.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  c.fillStyle = C.bg;
  c.fillRect(0, 0, width, height);
  c.textBaseline = 'middle';
  let busy = paintMachines(c, world, now);
  paintGlobalBox(c, world);
  for (const [p, box] of layout.boxes) busy = paintProcessorBox(c, world, world.ps[p], box, now) || busy;
  for (const pool of layout.pools) paintBox(c, pool, pool.name, poolWords(pool));
  const moving = paintChips(c, now);
  busy = paintArc(c, now) || busy || moving.busy;
  moving.above();
  if (world.stopped) paintStopped(c, world);
  if (busy) draw();
}

const poolWords = pool => (pool.loose ? (pool.count ? `${number(pool.count)}: their P was taken` : 'none') : `${number(pool.count)} waiting`);

function paintBox(c, { x, y, width, height }, title, more) {
  c.fillStyle = C.panel;
  c.strokeStyle = C.line;
  c.lineWidth = 1;
  rounded(c, x + 0.5, y + 0.5, width - 1, height - 1, 10);
  c.fill();
  c.stroke();
  writeAt(c, title, x + 11, y + 14, C.text, '650 11.5px');
  const used = c.measureText(title).width;
  writeAt(c, more, x + 17 + used, y + 14.5, C.dim, '450 11px', width - used - 28);
}

function writeAt(c, words, x, y, colour, font, room) {
  c.font = `${font} ${FONT}`;
  c.fillStyle = colour;
  if (room === undefined || c.measureText(words).width < room) c.fillText(words, x, y);
}

function paintGlobalBox(c, world) {
  const box = layout.global, queue = world.globalOf(world.ps[focus]);
  paintBox(c, box, 'Global queue', '');
  writeAt(c, number(queue.size), box.x + 11, box.y + 38, queue.size ? C.text : C.faint, '650 22px');
  writeAt(c, rec.many ? `of ${rec.head.schedulers[world.ps[focus].scheduler]}` : 'shared by all Ps', box.x + 11, box.y + 58, C.dim, '450 10.5px');
}

function paintMachines(c, world, now) {
  const box = layout.machines, asleep = [], waking = [];
  world.machines.forEach((state, m) => {
    if (state === M_ASLEEP) asleep.push(m);
    else if (state === M_WAKING) waking.push(m);
  });
  const busy = world.ps.filter(p => p.m >= 0).length;
  paintBox(c, box, 'Machines', `${busy} with a P, ${world.loose.size} without, ${asleep.length} asleep`);
  let x = box.x + 12;
  for (const [list, look] of [[waking, 'waking'], [asleep, 'asleep']]) {
    for (const m of list) {
      if (x > box.x + box.width - 46) break;
      paintMachine(c, x, box.y + 30, m, look, now, 1);
      x += 42;
    }
  }
  writeAt(c, waking.length ? 'waking up …' : asleep.length ? 'asleep, at no cost' : 'all of them at work', box.x + 12, box.y + 62, C.dim, '450 10.5px');
  return waking.length > 0;
}

function paintMachine(c, x, y, m, look, now, scale) {
  const dashed = look === 'spin' || look === 'waking';
  c.lineWidth = 1.4;
  c.strokeStyle = look === 'asleep' ? C.strong : dashed ? C.wait : C.dim;
  if (dashed) {
    c.setLineDash([4, 3]);
    c.lineDashOffset = -now / 40;
  }
  rounded(c, x, y, 36 * scale, 20 * scale, 10 * scale);
  c.stroke();
  c.setLineDash([]);
  c.font = `600 ${11 * scale}px ${FONT}`;
  c.fillStyle = look === 'asleep' ? C.faint : C.text;
  c.textAlign = 'center';
  c.fillText(machine(m), x + 18 * scale, y + 10 * scale + 0.5, 32 * scale);
  c.textAlign = 'left';
}

function paintProcessorBox(c, world, p, box, now) {
  const off = rec.head.ps[p.id][1] >= world.procs[p.scheduler];
  const lit = Math.max(0, 1 - (now - (glow.get(p.id) ?? -1e9)) / GLOW);
  c.globalAlpha = off ? 0.4 : 1;
  c.fillStyle = C.panel;
  rounded(c, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, 12);
  c.fill();
  c.strokeStyle = C.line;
  c.lineWidth = 1;
  c.stroke();
  if (lit > 0) {
    c.globalAlpha = lit;
    c.strokeStyle = C.accent;
    c.lineWidth = 2.5;
    c.stroke();
    c.globalAlpha = off ? 0.4 : 1;
  }
  paintHead(c, p, box, off, now);
  paintSlot(c, box.run, p.g || p.hand || !box.big ? '' : 'nothing runs');
  paintSlot(c, box.next, p.next || !box.big ? '' : 'runnext');
  if (box.big) paintRingHead(c, p, box);
  paintRing(c, p, box);
  if (box.big && p.yielded.size) writeAt(c, `yielded ${p.yielded.size}`, box.ring.x, box.ring.y + 16 * box.ring.line + 10, C.dim, '450 10px');
  if (box.big) paintPast(c, p.id, box);
  c.globalAlpha = 1;
  return lit > 0 || p.spin;
}

function paintHead(c, p, box, off, now) {
  const name = processor(p.id);
  writeAt(c, name, box.x + 12, box.y + (box.big ? 16 : 12), C.text, `700 ${box.big ? 15 : 12}px`);
  const used = c.measureText(name).width;
  const state = off ? 'not in use' : p.m < 0 ? 'idle' : p.spin ? 'spinning: looks for work' : p.block ? 'in a blocking call' : p.g ? '' : 'choosing';
  if (box.big) writeAt(c, state, box.x + 20 + used, box.y + 16.5, p.spin ? C.wait : C.dim, '450 11px', box.width - used - 76);
  if (p.m >= 0) paintMachine(c, box.x + box.width - (box.big ? 46 : 90), box.y + (box.big ? 6 : 3), p.m, p.spin ? 'spin' : 'run', now, box.big ? 1 : 0.8);
}

function paintSlot(c, { x, y, width, height }, words) {
  c.setLineDash([3, 3]);
  c.strokeStyle = C.strong;
  c.lineWidth = 1;
  rounded(c, x + 0.5, y + 0.5, width - 1, height - 1, 7);
  c.stroke();
  c.setLineDash([]);
  c.textAlign = 'center';
  writeAt(c, words, x + width / 2, y + height / 2 + 0.5, C.faint, '450 11px');
  c.textAlign = 'left';
}

function paintRingHead(c, p, { ring, width }) {
  const y = ring.y - 11, size = p.ring.size, x = ring.x + 106, room = width - 24 - 106;
  writeAt(c, 'Ring', ring.x, y, size ? C.text : C.faint, '550 11px');
  writeAt(c, `${size} of 256`, ring.x + 30, y, C.dim, '450 11px');
  c.fillStyle = C.lane;
  rounded(c, x, y - 2.5, room, 5, 2.5);
  c.fill();
  if (!size) return;
  c.fillStyle = size > 200 ? C.bad : C.queue;
  rounded(c, x, y - 2.5, Math.max(5, (room * size) / 256), 5, 2.5);
  c.fill();
}

function paintRing(c, p, { ring, big }) {
  c.fillStyle = C.lane;
  for (let slot = 0; slot < 256; slot++)
    c.fillRect(ring.x + (slot % 16) * ring.cell + 0.5, ring.y + (slot >> 4) * ring.line + 0.5, ring.cell - 1, ring.line - 1);
  if (!p.ring.size || !big) return;
  const head = p.ring.head & 255;
  c.fillStyle = C.accent;
  tip(c, ring.x + (head % 16) * ring.cell - 1, ring.y + (head >> 4) * ring.line + ring.line / 2, 1, 0, 4);
}

/** What ran here during the last 150 µs, so that a step has a history. */
function paintPast(c, p, { ring, y, width, height }) {
  const top = y + height - 22, room = width - 24, t1 = app.cursor, t0 = t1 - PAST, [from, to] = inLane(p, t0, t1);
  c.fillStyle = C.lane;
  c.fillRect(ring.x, top, room, 11);
  for (let j = from; j < to; j++) {
    const s = lanes[p][j], x = Math.max(0, (S.t0[s] - t0) / PAST), end = Math.min(1, (S.t1[s] - t0) / PAST);
    c.fillStyle = fillOfSlice(s);
    c.fillRect(ring.x + room * x, top, Math.max(0.7, room * (end - x) - 0.6), 11);
  }
  c.fillStyle = C.accent;
  c.fillRect(ring.x + room - 1.5, top - 2, 1.5, 15);
}

/** From the victim to the thief, or to and from the global queue, with the number. */
function paintArc(c, now) {
  const time = Math.max(900, moveTime() * 2);
  if (!flyingArc || now - flyingArc.since > time) return false;
  const [x0, y0] = anchor(flyingArc.from), [x1, y1] = anchor(flyingArc.to), up = flyingArc.from >= 0 && flyingArc.to >= 0 ? -44 : 0;
  c.globalAlpha = Math.min(1, 4 * (1 - (now - flyingArc.since) / time));
  c.strokeStyle = c.fillStyle = flyingArc.bad ? C.bad : C.accent;
  c.lineWidth = 3;
  c.lineCap = 'round';
  c.beginPath();
  c.moveTo(x0, y0);
  c.bezierCurveTo(x0, y0 + up, x1, y1 + up, x1, y1);
  c.stroke();
  const down = y1 < y0 && up === 0 ? -1 : 1;
  tip(c, x1, y1 + 5 * down, 0, down, 7);
  c.font = `700 12.5px ${FONT}`;
  const width = c.measureText(flyingArc.words).width + 18, x = (x0 + x1) / 2, y = (y0 + y1) / 2 + up * 0.75;
  rounded(c, x - width / 2, y - 11, width, 22, 11);
  c.fill();
  writeAt(c, flyingArc.words, x - width / 2 + 9, y + 0.5, C.panel, '700 12.5px');
  c.globalAlpha = 1;
  return true;
}

function anchor(p) {
  const box = layout.boxes.get(p);
  return box ? [box.x + box.width / 2, box.y + 2] : [layout.global.x + 200, layout.global.y + layout.global.height];
}

function paintStopped(c, world) {
  const gc = world.stopped === 2, words = gc ? `${pauseName() || 'GC pause'}: everything stands still` : 'The world is stopped';
  c.fillStyle = C.hatchStop;
  c.fillRect(0, 0, layout.width, layout.height);
  c.font = `650 15px ${FONT}`;
  const width = c.measureText(words).width, x = layout.width / 2 - width / 2;
  c.fillStyle = gc ? C.stop : C.bad;
  rounded(c, x - 16, 250, width + 32, 34, 17);
  c.fill();
  writeAt(c, words, x, 267.5, C.panel, '650 15px');
}

function pauseName() {
  const i = player.step - 1;
  return rec.kind[i] === GC ? string(rec.a[i]) : '';
}
