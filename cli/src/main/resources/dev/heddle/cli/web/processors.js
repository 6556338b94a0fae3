// The table of processors.

import { element } from './elements.js';
import { count, rate } from './format.js';

const STATUS = ['idle', 'running', '', 'stopped', 'dead'];
const RING = 256;
const HEADINGS = ['P', 'Status', 'M', 'Queue', 'Next', 'Timers', 'Switches/s', 'Steals/s', 'Hand-offs/s', 'Preemptions/s'];

export function showProcessors(parent, processors) {
  const rows = processors.map(it => element('tr', '',
    ...[it.id, chip(it.status), it.machine < 0 ? '\u2013' : it.machine, queue(it.queue), it.runNext ? 'yes' : '\u2013',
      count(it.timers), rate(it.switches), rate(it.steals), rate(it.handOffs), rate(it.preemptions)]
      .map(cell => element('td', '', cell))));
  const head = element('tr', '', ...HEADINGS.map(it => element('th', '', it)));
  parent.replaceChildren(element('table', '', element('thead', '', head), element('tbody', '', ...rows)));
}

function chip(status) {
  return element('span', status === 1 ? 'state running' : 'state', STATUS[status]);
}

/** On a root scale: one waiting goroutine can be seen beside 256. */
function queue(length) {
  const fill = element('i');
  fill.style.width = `${100 * Math.sqrt(Math.min(1, length / RING))}%`;
  return element('span', '', element('span', 'queue', fill), count(length));
}
