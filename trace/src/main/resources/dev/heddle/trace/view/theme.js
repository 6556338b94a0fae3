// Colours. Colour says body, and only body; amber, red and violet have one meaning each (see the help).
import { bodies, COLOURED } from './bodies.js';
import { rec } from './recording.js';
import { S } from './slices.js';

// Paul Tol's "light" scheme: made for labelled areas, safe for colour-blind readers; dark ink stands on all of them.
const FILLS = ['#77aadd', '#44bb99', '#ee8866', '#eedd88', '#ffaabb', '#99ddff', '#bbcc33', '#aaaa00'];
const OTHERS = '#a9b0ba';
export const INK = '#14181d';
export const FONT = 'Inter, system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';

/** The colours of the theme in use, from the style sheet, and patterns made from them. */
export const C = {};

const NAMES = ['bg', 'panel', 'lane', 'line', 'strong', 'text', 'dim', 'faint', 'accent', 'accent-soft', 'wait', 'wait-soft', 'bad', 'queue', 'stop', 'veil'];

export const fillOf = body => FILLS[bodies.rank[body]] ?? OTHERS;
export const fillOfSlice = s => fillOf(rec.body[S.g[s]]);

/** Reads the theme's colours; `context` makes the patterns. */
export function readTheme(context) {
  const style = getComputedStyle(document.documentElement);
  for (const name of NAMES) C[name.replace('-soft', 'Soft')] = style.getPropertyValue(`--${name}`).trim();
  C.dark = document.documentElement.dataset.theme === 'dark';
  C.hatch = hatch(context, '#00000055', 5, 1.4);
  C.hatchStop = hatch(context, C.dark ? '#ffffff24' : '#0000001f', 7, 2.2);
  C.hatchSpin = hatch(context, C.faint, 4, 1);
  const lane = rgb(C.lane);
  C.lane32 = pack(lane);
  // For the stacked columns: bodies, others, and what the filter leaves out.
  C.fill32 = [...FILLS.slice(0, COLOURED), OTHERS].map(fill => pack(rgb(fill)));
  C.fill32.push(pack(rgb(OTHERS).map((value, i) => Math.round(value * 0.25 + lane[i] * 0.75))));
}

const rgb = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const pack = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

function hatch(context, colour, step, width) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = step * 2;
  const c = tile.getContext('2d');
  c.strokeStyle = colour;
  c.lineWidth = width;
  for (let i = -2; i < 4; i++) {
    c.beginPath();
    c.moveTo(i * step, 2 * step + 1);
    c.lineTo(i * step + 2 * step + 1, -1);
    c.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

/** Light or dark: what the address asks for, else what the system prefers. */
export function firstTheme() {
  const asked = /theme=(dark|light)/.exec(location.search);
  const dark = asked ? asked[1] === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
