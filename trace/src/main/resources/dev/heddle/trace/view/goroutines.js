// The goroutine view: one row per goroutine, or per body, with figures and the strip of its states in the visible window. Only the
// rows that can be seen exist: a recording may have a million goroutines.
import { app, draw, on } from './app.js';
import { byId, h, swatch } from './dom.js';
import { hasPicked, isFiltered } from './filter.js';
import { rec } from './recording.js';
import { paintCursor, paintRange, paintRuler } from './ruler.js';
import { RULER } from './rows.js';
import { select, selectedG } from './selection.js';
import { S, lengthOf, neverRan, onP, slicesOf, waitOf } from './slices.js';
import { paintStates } from './paint-states.js';
import { ratio, resize, surface } from './surface.js';
import { C } from './theme.js';
import { GUTTER, timeAt, view } from './view.js';
import { bodyName, duration, idOf, number, ownName } from './words.js';

const ROW = 26; // px

const COLUMNS = [
  ['name', 'Goroutine'],
  ['runs', 'Runs'],
  ['ran', 'Ran'],
  ['waited', 'Waited'],
  ['longest', 'Longest'],
];

const HINTS = {
  runs: 'how often it was started',
  ran: 'time on a P',
  waited: 'time in which it was runnable but not running',
  longest: 'the longest of these waits',
};

const shownList = { sort: 'waited', down: true, grouped: false, open: new Set(), rows: [], figures: null };
const strips = surface(byId('strips'));
const scroller = byId('rows');

export function startGoroutines() {
  on('draw', () => { if (app.mode === 'goroutines') paintList(); });
  on('filter', rebuild);
  on('mode', () => { if (app.mode === 'goroutines') rebuild(); });
  on('select', () => { if (app.mode === 'goroutines') scrollToSelected(); });
  on('size', () => {
    if (!resize(strips)) return;
    view.width = strips.width + GUTTER;
  });
  scroller.addEventListener('scroll', draw);
  byId('grouped').addEventListener('change', e => {
    shownList.grouped = e.target.checked;
    rebuild();
  });
  strips.box.addEventListener('click', e => {
    const row = shownList.rows[Math.floor((e.offsetY - RULER + scroller.scrollTop) / ROW)];
    if (row?.g) select(sliceOrWaitAt(row.g, timeAt(e.offsetX + GUTTER)));
    else if (row) toggleGroup(row.body);
  });
  strips.box.addEventListener('wheel', e => { if (!e.ctrlKey && !e.shiftKey) scroller.scrollTop += e.deltaY; });
}

/** The slice that runs at a time, or the one whose wait contains it, or the last one before. */
export function sliceOrWaitAt(g, t) {
  const [mine, i] = slicesOf(g, t), s = mine[i];
  if (s === undefined) return mine.at(-1) ?? -1;
  const begin = S.ready[s] >= 0 ? rec.t[S.ready[s]] : S.t0[s];
  return begin <= t || i === 0 ? s : mine[i - 1];
}

// ---- figures and order

function figuresOf() {
  if (shownList.figures) return shownList.figures;
  const make = () => new Float64Array(rec.ng), f = { runs: make(), ran: make(), waited: make(), longest: make() };
  for (let s = 0; s < S.n; s++) {
    const g = S.g[s], wait = waitOf(s);
    if (!neverRan(s)) f.runs[g]++;
    if (onP(s)) f.ran[g] += lengthOf(s);
    f.waited[g] += wait;
    if (wait > f.longest[g]) f.longest[g] = wait;
  }
  shownList.figures = f;
  return f;
}

function rebuild() {
  if (app.mode !== 'goroutines') return;
  const shown = [];
  for (let g = 1; g < rec.ng; g++) if (!isFiltered() || hasPicked(g)) shown.push(g);
  shownList.rows = shownList.grouped ? groups(shown) : shown.sort(byColumn).map(g => ({ g }));
  byId('rowspace').style.height = `${shownList.rows.length * ROW}px`;
  byId('rowcount').textContent = shownList.grouped ? `${number(new Set(shown.map(g => rec.body[g])).size)} bodies, ${number(shown.length)} goroutines` : `${number(shown.length)} goroutines`;
  heads();
  scrollToSelected();
  draw();
}

function byColumn(x, y) {
  const f = figuresOf(), sign = shownList.down ? -1 : 1;
  const order = shownList.sort === 'name' ? bodyName(x).localeCompare(bodyName(y)) || rec.id[x] - rec.id[y] : f[shownList.sort][x] - f[shownList.sort][y];
  return sign * order || rec.id[x] - rec.id[y];
}

function groups(shown) {
  const f = figuresOf(), byBody = new Map();
  for (const g of shown) {
    const body = rec.body[g];
    const row = byBody.get(body) ?? { body, members: [], runs: 0, ran: 0, waited: 0, longest: 0 };
    row.members.push(g);
    for (const name of ['runs', 'ran', 'waited']) row[name] += f[name][g];
    row.longest = Math.max(row.longest, f.longest[g]);
    byBody.set(body, row);
  }
  const sign = shownList.down ? -1 : 1;
  const order = (x, y) => sign * (shownList.sort === 'name' ? rec.head.bodies[x.body].localeCompare(rec.head.bodies[y.body]) : x[shownList.sort] - y[shownList.sort]);
  return [...byBody.values()].sort(order).flatMap(row => (shownList.open.has(row.body) ? [row, ...row.members.sort(byColumn).map(g => ({ g, inside: true }))] : [row]));
}

function toggleGroup(body) {
  if (!shownList.open.delete(body)) shownList.open.add(body);
  rebuild();
}

function heads() {
  byId('columns').replaceChildren(...COLUMNS.map(([name, words]) => h('button', {
    class: `column ${name}`,
    'aria-label': `Sort by ${words}`,
    title: HINTS[name],
    'aria-pressed': String(shownList.sort === name),
    onclick: () => {
      shownList.down = shownList.sort === name ? !shownList.down : name !== 'name';
      shownList.sort = name;
      rebuild();
    },
  }, words, shownList.sort === name ? (shownList.down ? ' ↓' : ' ↑') : '')));
}

/** Scrolls to the selected goroutine. */
function scrollToSelected() {
  const g = selectedG(), at = g ? shownList.rows.findIndex(row => row.g === g) : -1;
  if (at < 0) return;
  const y = at * ROW, room = scroller.clientHeight;
  if (y < scroller.scrollTop || y + ROW > scroller.scrollTop + room) scroller.scrollTop = Math.max(0, y - room / 3);
}

// ---- drawing

function paintList() {
  const { c, width, height } = strips, first = Math.floor(scroller.scrollTop / ROW);
  const shown = shownList.rows.slice(first, first + Math.ceil(scroller.clientHeight / ROW) + 1);
  byId('rowlist').style.transform = `translateY(${first * ROW}px)`;
  fillRows(shown);
  c.setTransform(ratio(), 0, 0, ratio(), 0, 0);
  c.fillStyle = C.bg;
  c.fillRect(0, 0, width, height);
  c.textBaseline = 'middle';
  c.save();
  c.translate(-GUTTER, 0); // the strips have no gutter: their names are HTML
  const right = width + GUTTER, top = RULER + first * ROW - scroller.scrollTop;
  shown.forEach((row, i) => paintStrip(c, row, top + i * ROW, right));
  paintRuler(c, GUTTER, right, height);
  paintRange(c, GUTTER, right, height);
  paintCursor(c, GUTTER, right, height);
  c.restore();
  byId('status').textContent = `${duration(view.t1 - view.t0)} in view · ${number(shownList.rows.length)} rows`;
}

function paintStrip(c, row, y, right) {
  if (row.g === selectedG() && row.g) {
    c.fillStyle = C.accentSoft;
    c.fillRect(GUTTER, y, right - GUTTER, ROW);
  }
  c.fillStyle = C.line;
  c.fillRect(GUTTER, y + ROW - 1, right - GUTTER, 1);
  if (row.g) paintStates(c, row.g, y + 4, ROW - 9, GUTTER, right);
  else for (const g of sample(row.members)) paintStates(c, g, y + 4, ROW - 9, GUTTER, right, false);
}

const SAMPLE = 400;

/** A row of a body shows its goroutines one above the other; of very many an even sample. */
function sample(members) {
  const every = Math.ceil(members.length / SAMPLE);
  return every === 1 ? members : members.filter((_, i) => i % every === 0);
}

let pool = [];

/** Rows are used again: as many elements as fit, filled anew. */
function fillRows(shown) {
  const box = byId('rowlist');
  while (pool.length < shown.length) {
    const row = h('div', { class: 'row', role: 'row', tabindex: '-1' }, COLUMNS.map(([name]) => h('span', { class: `column ${name}` })));
    row.addEventListener('click', () => { if (row.open) row.open(); });
    pool.push(row);
    box.append(row);
  }
  pool.forEach((element, i) => fillRow(element, shown[i]));
}

function fillRow(element, row) {
  element.hidden = !row;
  if (!row) return;
  const f = figuresOf(), [name, runs, ran, waited, longest] = element.children;
  const value = key => (row.g ? f[key][row.g] : row[key]);
  const title = row.g ? [h('b', null, idOf(row.g)), ' ', ownName(row.g) || bodyName(row.g)]
    : [h('b', null, `${shownList.open.has(row.body) ? '▾' : '▸'} ${rec.head.bodies[row.body]}`), h('span', { class: 'dim' }, ` ${number(row.members.length)}`)];
  name.replaceChildren(swatch(row.g ? rec.body[row.g] : row.body), ...title);
  name.title = row.g ? `${idOf(row.g)} ${rec.head.titles[rec.body[row.g]]} ${ownName(row.g)}` : rec.head.titles[row.body];
  runs.textContent = number(value('runs'));
  ran.textContent = duration(value('ran'));
  waited.textContent = duration(value('waited'));
  longest.textContent = duration(value('longest'));
  element.classList.toggle('chosen', Boolean(row.g) && row.g === selectedG());
  element.classList.toggle('inside', Boolean(row.inside));
  element.open = () => (row.g ? selectLongest(row.g) : toggleGroup(row.body));
}

/** A click on the name selects the run with the longest wait: that is what the shownList is sorted for. */
function selectLongest(g) {
  let best = S.first[g];
  for (let s = best; s >= 0; s = S.next[s]) if (waitOf(s) > waitOf(best)) best = s;
  if (best >= 0) select(best);
}

/** Up and down walk through the shownList. */
export function walk(direction) {
  const at = shownList.rows.findIndex(row => row.g && row.g === selectedG());
  for (let i = at + direction; i >= 0 && i < shownList.rows.length; i += direction) if (shownList.rows[i].g) return selectLongest(shownList.rows[i].g);
  return undefined;
}

export const goroutineRows = () => shownList.rows.length;
