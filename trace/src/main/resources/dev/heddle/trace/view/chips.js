// A chip is a goroutine on the stage. Its position means its state: a chip that moves changes state, and nothing else moves.
import { player } from './player.js';
import { rec } from './recording.js';
import { C, FONT, INK, fillOf, isCalm } from './theme.js';
import { rounded } from './surface.js';
import { bodyName, idOf, numberOf, ownName } from './words.js';

const FADE = 260; // ms

/** goroutine -> its chip: where it is (x, y, width, height), whence (from) and whither (to) it moves, since when. */
export const chips = new Map();

/** How long a move takes, by speed. */
export const moveTime = () => (isCalm() ? 0 : Math.max(90, Math.min(420, 1100 / player.speed)));

/** Puts a goroutine's chip at a place; with `jump` at once. */
export function putChip(g, box, look, jump, step, words = '') {
  const to = { x: box.x, y: box.y, width: box.width, height: box.height };
  let chip = chips.get(g);
  if (!chip) {
    chip = { ...to, from: { ...to, y: to.y - (jump ? 0 : 14) }, to, since: jump ? -1e9 : performance.now() };
    chips.set(g, chip);
  } else if (chip.to.x !== to.x || chip.to.y !== to.y || chip.to.width !== to.width) {
    chip.from = { x: chip.x, y: chip.y, width: chip.width, height: chip.height };
    chip.to = to;
    chip.since = jump ? -1e9 : performance.now();
  }
  if (jump) Object.assign(chip, to);
  Object.assign(chip, { look, seen: step, words, gone: 0 });
}

/** Chips that got no place in this step fade. */
export function dropOthers(step, jump) {
  const now = performance.now();
  for (const [g, chip] of chips) {
    if (chip.seen === step) continue;
    if (jump || (chip.gone && now - chip.gone > FADE)) chips.delete(g);
    else chip.gone ||= now;
  }
}

/** Draws all chips, those on their way above the others. Returns whether anything still moves. */
export function paintChips(c, now) {
  const time = moveTime(), flying = [];
  let busy = false;
  for (const [g, chip] of chips) {
    const part = time === 0 ? 1 : Math.min(1, (now - chip.since) / time);
    if (part < 1) {
      flying.push([g, chip, Math.max(0, part)]);
      continue;
    }
    Object.assign(chip, chip.to);
    if (fade(c, g, chip, now, 1)) paintChip(c, g, chip);
    busy ||= chip.gone > 0;
  }
  const above = () => {
    for (const [g, chip, part] of flying) {
      moveChip(chip, part);
      if (!fade(c, g, chip, now, Math.min(1, 0.35 + part * 2))) continue;
      c.shadowColor = '#00000066';
      c.shadowBlur = flying.length < 30 ? 8 : 0;
      paintChip(c, g, chip);
      c.shadowBlur = 0;
    }
    c.globalAlpha = 1;
  };
  return { busy: busy || flying.length > 0, above };
}

/** On its way: eased, and slightly lifted. */
function moveChip(chip, part) {
  const { from, to } = chip, ease = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
  const between = name => from[name] + (to[name] - from[name]) * ease;
  const lift = Math.min(46, Math.hypot(to.x - from.x, to.y - from.y) * 0.12) * Math.sin(Math.PI * part);
  Object.assign(chip, { x: between('x'), y: between('y') - lift, width: between('width'), height: between('height') });
}

function fade(c, g, chip, now, alpha) {
  const left = chip.gone ? 1 - (now - chip.gone) / FADE : 1;
  if (left <= 0) chips.delete(g);
  c.globalAlpha = Math.max(0, Math.min(alpha, left));
  return left > 0;
}

function paintChip(c, g, chip) {
  const { x, y, width, height, look } = chip;
  c.fillStyle = fillOf(rec.body[g]);
  if (height < 8) c.fillRect(x, y, width, height);
  else {
    rounded(c, x, y, width, height, Math.min(6, height / 3));
    c.fill();
  }
  c.shadowBlur = 0;
  if (look === 'loose') {
    c.fillStyle = C.hatch;
    c.fill();
  }
  c.fillStyle = INK;
  if (look === 'run' && width > 80) writeRunning(c, g, chip);
  else if (look === 'loose') {
    c.font = `600 10.5px ${FONT}`;
    c.fillText(`${idOf(g)} ${ownName(g) || bodyName(g)} · ${chip.words}`, x + 6, y + height / 2 + 0.5, width - 10);
  } else if (height >= 7.5 && width >= 13) {
    const large = height >= 34;
    c.font = `${large ? 650 : 550} ${large ? 13 : height >= 15 ? 10.5 : Math.min(8.2, height)}px ${FONT}`;
    c.textAlign = 'center';
    c.fillText(height >= 15 ? idOf(g) : String(numberOf(g)), x + width / 2, y + height / 2 + 0.6, width - 2);
    c.textAlign = 'left';
  }
}

function writeRunning(c, g, { x, y, width, height }) {
  const small = height < 30, middle = y + height / 2 + 0.5;
  c.font = `700 ${small ? 11 : 15}px ${FONT}`;
  c.fillText(idOf(g), x + (small ? 7 : 11), middle);
  const used = c.measureText(idOf(g)).width;
  c.font = `500 ${small ? 10 : 12}px ${FONT}`;
  const words = ownName(g) || bodyName(g), room = width - used - 28;
  if (c.measureText(words).width < room * 1.25) c.fillText(words, x + (small ? 12 : 19) + used, middle, room);
}
