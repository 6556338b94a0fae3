// Search: a number, or a part of a name, body or park reason. Hits are runs; N and Enter go from one to the next.
import { draw, tell } from './app.js';
import { byId } from './dom.js';
import { filter } from './filter.js';
import { PARK } from './kinds.js';
import { lower } from './lists.js';
import { rec } from './recording.js';
import { select } from './selection.js';
import { S } from './slices.js';
import { view } from './view.js';
import { number, numberOf } from './words.js';

let hits = [], current = -1;

/** Looks for a text; an empty one ends the search. */
export function search(input) {
  const wanted = input.trim().toLowerCase();
  hits = [];
  current = -1;
  filter.hits = null;
  if (wanted) {
    const matches = matcher(wanted);
    filter.hits = new Set();
    for (let s = 0; s < S.n; s++) {
      if (!matches(s)) continue;
      hits.push(s);
      filter.hits.add(S.g[s]);
    }
    hits.sort((x, y) => S.t0[x] - S.t0[y]);
  }
  showFound(!wanted ? '/' : hits.length ? number(hits.length) : 'none');
  tell('filter');
  draw();
}

function matcher(wanted) {
  const id = /^([gt#]?)(\d+)$/.exec(wanted);
  if (id) return s => numberOf(S.g[s]) === Number(id[2]) && (!id[1] || (id[1] === 'g') !== rec.isThread(S.g[s]));
  const has = list => list.map(words => words.toLowerCase().includes(wanted));
  const bodies = has(rec.head.bodies), names = has(rec.head.strings), reasons = has(rec.head.reasons);
  return s => {
    const g = S.g[s], end = S.i1[s];
    return bodies[rec.body[g]] || (rec.name[g] > 0 && names[rec.name[g] - 1]) || (end >= 0 && rec.kind[end] === PARK && reasons[rec.a[end]]);
  };
}

/** Goes to the next or previous hit; the first time to the first one in view. */
export function nextHit(direction) {
  if (!hits.length) return;
  if (current < 0 && direction > 0) current = lower(i => S.t0[hits[i]], hits.length, Math.max(0, view.t0)) - 1;
  current = (current + direction + hits.length) % hits.length;
  showFound(`${number(current + 1)}/${number(hits.length)}`);
  select(hits[current], true);
}

const showFound = words => { byId('found').textContent = words; };

export function startSearch() {
  const field = byId('find');
  field.addEventListener('input', () => search(field.value));
  field.addEventListener('keydown', e => {
    e.stopPropagation();
    if (e.key === 'Enter') nextHit(e.shiftKey ? -1 : 1);
    else if (e.key === 'Escape') {
      field.value = '';
      search('');
      field.blur();
    }
  });
}
