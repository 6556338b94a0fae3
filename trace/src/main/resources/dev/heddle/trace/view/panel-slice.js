// The panel for a selected run: what happened, why it waited before, and its goroutine.
import { TAKEN_WHY, endWords } from './caption.js';
import { bodyCell, h, link, swatch, table, text } from './dom.js';
import { explain } from './explain.js';
import { found } from './index.js';
import { PARK, TAKEN } from './kinds.js';
import { IN_GLOBAL, IN_HAND, IN_NEXT, IN_RING, IN_YIELDED, UNKNOWN, kindOf } from './places.js';
import { rec } from './recording.js';
import { select } from './selection.js';
import { S, lengthOf, neverRan, onP, waitOf } from './slices.js';
import { playFrom } from './player.js';
import { bodyName, duration, idOf, machine, moment, number, ownName, plural, processor, reason, string } from './words.js';

export function slicePanel(s) {
  const g = S.g[s], why = explain(s);
  return [
    h('button', { class: 'back', onclick: () => select(-1) }, '‹ All waits'),
    h('h1', null, swatch(rec.body[g]), idOf(g), h('span', { class: 'dim' }, bodyName(g))),
    ownName(g) && h('p', { class: 'dim' }, `Thread “${ownName(g)}”`),
    h('p', null, story(s)),
    why ? whyPanel(s, why) : noP(s),
    buttons(s),
    stackPanel(s),
    goroutinePanel(g, s),
  ].flat().filter(Boolean);
}

function story(s) {
  if (neverRan(s)) return 'It had not run when the recording ended.';
  const where = onP(s) ? `Ran ${duration(lengthOf(s))} on ${processor(S.lane[s])}${S.m[s] >= 0 ? ` (${machine(S.m[s])})` : ''}`
    : `Went on for ${duration(lengthOf(s))} on ${machine(S.m[s])} without a P`;
  return `${where}${S.i0[s] < 0 ? ' since before the recording began' : ''}, then ${endWords(S.i1[s])}.`;
}

const PLACES = [
  ['in runnext', 'accent', [IN_NEXT]],
  ['in a ring', 'queue', [IN_RING, IN_HAND]],
  ['among those that yielded', 'dim', [IN_YIELDED]],
  ['in the global queue', 'bad', [IN_GLOBAL]],
  ['not known', 'stop', [UNKNOWN]],
];

function whyPanel(s, why) {
  const parts = PLACES.map(([words, colour, kinds]) => [words, `var(--${colour})`,
    why.parts.reduce((sum, [code, from, to]) => sum + (kinds.includes(kindOf(code)) ? to - from : 0), 0)]).filter(part => part[2] > 0);
  const begin = rec.t[S.ready[s]];
  return [
    h('h2', null, 'Why was it runnable but not running?', h('small', null, duration(why.wait))),
    h('div', { class: 'verdict' }, text(why.verdict)),
    why.wait > 0 && parts.length > 0 && h('div', { class: 'bar', 'aria-hidden': 'true' }, parts.map(([, colour, time]) => h('i', { style: { background: colour, width: `${(100 * time) / why.wait}%` } }))),
    h('p', { class: 'key' },
      parts.map(([words, colour, time]) => h('span', null, h('i', { class: 'swatch', style: { background: colour } }), `${words} ${duration(time)}`)),
      why.stopped > 0 && h('span', null, `of it ${duration(why.stopped)} with the world stopped`)),
    h('ol', { class: 'steps' }, why.steps.map(([t, words]) => h('li', null, h('time', null, t === begin ? moment(t) : `+${duration(t - begin)}`), text(words)))),
    why.meanwhile.length > 0 && h('h2', null, `Meanwhile on ${processor(why.home)}`, h('small', null, 'the P it was queued at')),
    why.meanwhile.length > 0 && table(null, why.meanwhile.slice(0, 4).map(([body, time, runs]) => [bodyCell(body), plural(runs, 'run'), duration(time)])),
  ];
}

function noP(s) {
  const i = S.i0[s];
  if (onP(s) || i < 0 || rec.kind[i] !== TAKEN) return [];
  return [
    h('h2', null, 'Why has it no P?'),
    h('div', { class: 'verdict' }, `${processor(rec.p[i])} was taken from its machine, because ${TAKEN_WHY[rec.a[i]]}. The P can go on with other goroutines.`),
  ];
}

function buttons(s) {
  const go = (words, to) => to >= 0 && to !== s && h('button', { onclick: () => select(to, true) }, words);
  const from = S.ready[s] >= 0 ? S.ready[s] : Math.max(0, S.i0[s]);
  return h('div', { class: 'links' }, go('‹ previous run', S.prev[s]), go('next run ›', S.next[s]), go('first run', S.first[S.g[s]]),
    h('button', { onclick: () => playFrom(from) }, '▶ play from here'));
}

function goroutinePanel(g, selected) {
  let ran = 0, loose = 0, waited = 0, runs = 0, longest = selected;
  const parked = new Map(), slices = [];
  for (let s = S.first[g]; s >= 0; s = S.next[s]) {
    if (onP(s)) ran += lengthOf(s);
    else if (!neverRan(s)) loose += lengthOf(s);
    if (!neverRan(s)) runs++;
    waited += waitOf(s);
    if (waitOf(s) > waitOf(longest)) longest = s;
    addPark(parked, s);
    slices.push(s);
  }
  const rows = [
    ['Created by', found.creator[g] ? link(found.creator[g], S.t0[S.first[g]]) : 'not recorded'],
    ['Runs', number(runs)],
    ['Ran in all', duration(ran)],
    loose > 0 && ['Without a P', duration(loose)],
    ['Waited to run', duration(waited)],
    waitOf(longest) > 0 && ['Longest wait', h('button', { class: 'link', onclick: () => select(longest, true) }, duration(waitOf(longest)))],
  ].filter(Boolean);
  return [
    h('h2', null, 'The goroutine'),
    table(null, rows.map(([name, value]) => [h('span', { class: 'dim' }, name), value])),
    parked.size > 0 && h('h2', null, 'Parked by reason'),
    parked.size > 0 && table(null, [...parked].sort((x, y) => y[1][0] - x[1][0]).map(([r, [time, n]]) => [reason(r), plural(n, 'time'), duration(time)])),
    ...placesPanel(slices),
    ...logPanel(g),
  ];
}

/** The places of the program where its parks were recorded with a stack, the longest waits first. */
function placesPanel(slices) {
  const places = new Map();
  for (const s of slices) {
    const frames = stackOf(s), row = frames && (places.get(ownFrame(frames)) ?? [0, 0]);
    if (!row) continue;
    row[0] += parkTime(s);
    row[1]++;
    places.set(ownFrame(frames), row);
  }
  if (!places.size) return [];
  const rows = [...places].sort((x, y) => y[1][0] - x[1][0]).slice(0, MOST_PLACES);
  return [
    h('h2', null, 'Parked by place', h('small', null, 'those with a stack')),
    table(null, rows.map(([place, [time, n]]) => [h('span', { title: place }, place), plural(n, 'time'), duration(time)])),
  ];
}

const MOST_PLACES = 8;

/** Where it parked, if stacks were recorded. */
function stackPanel(s) {
  const frames = stackOf(s);
  if (!frames) return [];
  const own = ownFrame(frames), line = frame => h('li', frame === own ? { class: 'own' } : null, frame);
  return [h('h2', null, 'Where it parked'), h('ol', { class: 'stack' }, frames.map(line))];
}

/** The frames of the park that ended a slice, the innermost first, if they were recorded. */
function stackOf(s) {
  const end = S.i1[s];
  return end >= 0 && rec.kind[end] === PARK ? rec.head.stacks[rec.b[end] - 1]?.map(string) : undefined;
}

/** Frames of the JDK and of Heddle, where every goroutine parks. */
const INSIDE = /^(javax?|jdk|sun|dev\.heddle\.internal)\.|^dev\.heddle\.[A-Z]/;
const ownFrame = frames => frames.find(frame => !INSIDE.test(frame)) ?? frames[0];

function addPark(parked, s) {
  const end = S.i1[s];
  if (end < 0 || rec.kind[end] !== PARK) return;
  const row = parked.get(rec.a[end]) ?? [0, 0];
  row[0] += parkTime(s);
  row[1]++;
  parked.set(rec.a[end], row);
}

/** How long the goroutine waited after a slice that ended with a park. */
function parkTime(s) {
  const next = S.next[s];
  return (next < 0 ? rec.end : S.ready[next] >= 0 ? rec.t[S.ready[next]] : S.t0[next]) - S.t1[s];
}

const MOST_LOGS = 40;

/** What the program wrote itself: tasks, regions, logs. */
function logPanel(g) {
  const own = found.logs.filter(i => rec.g[i] === g);
  if (!own.length) return [];
  return [
    h('h2', null, 'It says', own.length > MOST_LOGS && h('small', null, `the first ${MOST_LOGS} of ${number(own.length)}`)),
    h('ol', { class: 'steps' }, own.slice(0, MOST_LOGS).map(i => h('li', null, h('time', null, moment(rec.t[i])), [string(rec.a[i]), string(rec.b[i])].filter(Boolean).join(': ')))),
  ];
}
