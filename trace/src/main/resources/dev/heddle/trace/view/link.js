// The # part of the address is a link to a moment: what is in view, what is selected, which view. It is kept up to date.
import { app, on, tell } from './app.js';
import { rec } from './recording.js';
import { select, selectRange } from './selection.js';
import { S } from './slices.js';
import { setView, view } from './view.js';

let timer = 0, written = '';

export function startLink() {
  for (const event of ['view', 'select', 'mode', 'step']) on(event, later);
  addEventListener('hashchange', () => { if (location.hash !== written) readLink(); });
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    written = linkNow();
    history.replaceState(null, '', written);
  }, 250);
}

export function linkNow() {
  const parts = [`t=${Math.round(view.t0)}-${Math.round(view.t1)}`];
  if (app.range) parts.push(`r=${app.range.map(Math.round).join('-')}`);
  else if (app.selected >= 0) parts.push(`g=${rec.id[S.g[app.selected]]}`, `s=${Math.round(S.t0[app.selected])}`);
  else if (app.cursor) parts.push(`c=${Math.round(app.cursor)}`);
  if (app.mode !== 'timeline') parts.push(`view=${app.mode}`);
  if (app.mode === 'play') parts.push(`i=${app.step ?? 0}`);
  return `#${parts.join('&')}`;
}

/** Shows what the address asks for; what it gets wrong is ignored. */
export function readLink() {
  const parts = new URLSearchParams(location.hash.slice(1)), interval = name => /^(-?\d+)-(\d+)$/.exec(parts.get(name) ?? '');
  const t = interval('t'), range = interval('r'), id = Number(parts.get('g') ?? -1), begin = Number(parts.get('s') ?? 0);
  if (t && Number(t[2]) > Number(t[1])) setView(Number(t[1]), Number(t[2]));
  if (parts.has('c')) app.cursor = Math.max(0, Math.min(rec.end, Number(parts.get('c')) || 0));
  if (range) {
    selectRange(Number(range[1]), Number(range[2]));
    tell('select');
  } else if (id > 0) {
    const g = rec.id.indexOf(id, 1);
    for (let s = g > 0 ? S.first[g] : -1; s >= 0; s = S.next[s]) if (Math.round(S.t0[s]) === begin) select(s);
  }
  if (parts.has('i')) app.wantedStep = Math.max(0, Math.min(rec.n, Number(parts.get('i')) || 0));
  const mode = parts.get('view');
  if (mode === 'play' || mode === 'goroutines') {
    app.wantedMode = mode;
    tell('wanted');
  }
}
