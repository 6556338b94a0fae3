// Asks for the figures once a second, and hands them to the parts of the page.

import { byId, element, setText } from './elements.js';
import { count, millis } from './format.js';
import { Findings } from './findings.js';
import { Goroutines } from './goroutines.js';
import { Plots } from './plots.js';
import { showProcessors } from './processors.js';
import { Recorder } from './record.js';
import * as server from './server.js';
import { startTheme } from './theme.js';

const PERIOD_MILLIS = 1000;
const KEPT_POINTS = 900;

let scheduler = '';
let minutes = 1;
let points = [];
let now = null;
let isOver = false;

const plots = new Plots(byId('plots'));
const findings = new Findings(byId('findings'));
const recorder = new Recorder(byId('record'), byId('trace'), warn);
const goroutines = new Goroutines(byId('goroutines'), byId('search'), byId('summary'), () => scheduler);

async function ask() {
  const begin = performance.now();
  const asked = scheduler;
  try {
    const answer = await server.figures(asked, points.at(-1)?.number ?? 0);
    if (asked === scheduler) {
      take(answer);
    }
  } catch (e) {
    warn(e instanceof TypeError ? 'heddle web does not answer: it has probably been ended. What you see are its last figures.' : e.message);
  }
  if (!isOver) {
    setTimeout(ask, Math.max(0, PERIOD_MILLIS - (performance.now() - begin)));
  }
}

function take(answer) {
  now = answer;
  points = [...points, ...(answer.points ?? [])].slice(-KEPT_POINTS);
  if (answer.ended) {
    isOver = true;
    goroutines.setActive(false);
    warn(`Process ${answer.pid} has ended. What you see are its last figures.`, 'end');
  } else {
    warn(answer.problem ?? answer.recording.problem ?? '');
  }
  show();
}

/** One sentence above everything; none if it is empty. */
function warn(sentence, kind = '') {
  const banner = byId('banner');
  banner.hidden = !sentence;
  banner.className = kind;
  setText(banner, sentence);
}

function show() {
  if (!now) {
    return;
  }
  setText(byId('program'), now.command);
  byId('program').title = now.command;
  document.title = `${now.command || now.pid} \u2013 heddle web`;
  showFigures();
  showSchedulers(now.schedulers ?? []);
  const to = points.at(-1)?.millis ?? now.millis;
  const marks = now.findings.entries.map(it => it.sinceMillis);
  plots.show({ points, from: to - minutes * 60_000, to, marks }, now);
  recorder.show(now.recording, isOver);
  findings.show(now.findings, now.millis, (now.schedulers ?? []).length > 1);
  if (!byId('processors').hidden) {
    showProcessors(byId('processors'), now.processors ?? []);
    setText(byId('summary'), now.limits ?? '');
  }
}

function showFigures() {
  const figures = [['Process', String(now.pid)]];
  if (now.upMillis) {
    figures.push(['Up', millis(now.upMillis)], ['Platform threads', count(now.platformThreads)]);
  }
  byId('figures').replaceChildren(...figures.map(([name, value]) => element('div', '', element('dt', '', name), element('dd', '', value))));
}

function showSchedulers(names) {
  const select = byId('scheduler');
  byId('choice').hidden = names.length < 2;
  if (select.dataset.names !== names.join('\n')) {
    select.dataset.names = names.join('\n');
    select.replaceChildren(...names.map(it => new Option(it, it, false, it === scheduler)));
  }
}

byId('scheduler').addEventListener('change', e => {
  scheduler = e.target.value;
  points = [];
  goroutines.askIn(0);
});

function choose(buttons, attribute, chosen) {
  buttons.forEach(it => it.setAttribute(attribute, it === chosen));
}

const ranges = [...byId('range').children];
ranges.forEach(it => it.addEventListener('click', () => {
  minutes = Number(it.dataset.minutes);
  choose(ranges, 'aria-pressed', it);
  show();
}));
choose(ranges, 'aria-pressed', ranges[0]);

const tabs = [...byId('tabs').children];
function openTab(tab) {
  choose(tabs, 'aria-selected', tab);
  tabs.forEach(it => { byId(it.getAttribute('aria-controls')).hidden = it !== tab; });
  byId('search').parentElement.hidden = tab !== tabs[0];
  setText(byId('summary'), '');
  goroutines.setActive(tab === tabs[0] && !isOver);
  show();
}
tabs.forEach(it => it.addEventListener('click', () => openTab(it)));

const toggleTheme = startTheme(byId('theme'), () => plots.draw());

addEventListener('keydown', e => {
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (e.key === 'Escape') {
    byId('search').value = '';
    byId('search').blur();
    goroutines.askIn(0);
  } else if (!isTyping && !e.ctrlKey && !e.metaKey && !e.altKey) {
    if (e.key === '/') {
      e.preventDefault();
      openTab(tabs[0]);
      byId('search').focus();
    } else if (e.key.toLowerCase() === 'l') {
      toggleTheme();
    }
  }
});

addEventListener('pagehide', () => server.leave());

openTab(tabs[0]);
ask();
