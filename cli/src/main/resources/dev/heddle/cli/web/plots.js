// The plots of the page: three rows of what the program uses, what waits for a processor, and what happens.

import { element, setText } from './elements.js';
import { bytes, count, nanos, percent, rate } from './format.js';
import { Plot } from './plot.js';

const cpus = number => (number || 0).toFixed(number < 10 ? 2 : 1);

/** A card: title, value of a point, one line below it (a text, or a legend of its series), and the plot. */
const CARDS = [
  {
    title: 'Processors busy', value: p => `${p.busy || 0} of ${p.procs}`,
    detail: (p, now) => now.limits || '',
    series: [{ colour: 'blue', figure: p => p.busy }], max: p => p.procs, label: count,
  },
  {
    title: 'CPU', value: p => cpus(p.cpus), detail: p => `of ${count(p.cpuLimit)} CPUs, whole process`,
    series: [{ colour: 'teal', figure: p => p.cpus }], max: p => p.cpuLimit, label: count,
  },
  {
    title: 'Heap', value: p => bytes(p.heap), detail: p => `of at most ${bytes(p.heapMax)}`,
    series: [{ colour: 'sky', figure: p => p.heap }], least: 2 ** 24, unit: 2 ** 20, label: bytes,
  },
  {
    title: 'Collections', value: p => percent(p.pauses || 0), detail: () => 'of the time, the program stood still',
    series: [{ colour: 'grey', figure: p => p.pauses }], least: 0.01, unit: 0.01, label: percent,
  },
  {
    title: 'Goroutines', value: p => count(p.live),
    detail: p => `${count(p.running)} running, ${count(p.runnable)} runnable, ${count(p.waiting)} waiting`,
    series: [{ colour: 'grey', figure: p => p.live }], least: 10, label: count,
  },
  {
    title: 'Queued', value: p => count((p.local || 0) + (p.global || 0)),
    series: [
      { colour: 'amber', name: 'at processors', figure: p => p.local },
      { colour: 'orange', name: 'global', figure: p => p.global },
    ],
    least: 10, label: count, legend: count,
  },
  {
    title: 'Longest runnable', value: p => (p.longest ? nanos(p.longest) : 'none'),
    detail: (p, now) => (p.longest && now.longest ? `goroutine ${now.longest.id} in ${now.longest.place}` : 'without a processor'),
    series: [{ colour: 'amber', figure: p => p.longest }], least: 1e6, label: nanos,
  },
  {
    title: 'Latency', value: p => (p.p99 ? `p99 ${nanos(p.p99)}` : '\u2013'),
    detail: p => (p.p99 ? `p50 ${nanos(p.p50)}, from runnable to running` : 'fewer than 100 samples in 10 s'),
    series: [
      { colour: 'amber', figure: p => p.p99 ?? NaN, line: true },
      { colour: 'grey', figure: p => p.p50 ?? NaN, line: true },
    ],
    least: 1e5, label: nanos,
  },
  {
    title: 'Switches', value: p => `${rate(p.switches)}/s`, detail: p => `${rate(p.started)} started/s, ${rate(p.timers)} timers/s`,
    series: [{ colour: 'blue', figure: p => p.switches }], least: 100, label: count,
  },
  {
    title: 'Steals', value: p => `${rate(p.steals)}/s`, detail: p => `carriers that search for work: ${count(p.spinning)}`,
    series: [{ colour: 'teal', figure: p => p.steals }], least: 10, label: count,
  },
  {
    title: 'Taken away', value: p => `${rate((p.handOffs || 0) + (p.preempts || 0))}/s`,
    series: [
      { colour: 'orange', name: 'hand-offs', figure: p => p.handOffs, line: true },
      { colour: 'pink', name: 'preemptions', figure: p => p.preempts, line: true },
    ],
    least: 10, label: count, legend: rate,
  },
  {
    title: 'Carriers held up', value: p => count((p.blocked || 0) + (p.pinned || 0) + (p.hogs || 0)),
    series: [
      { colour: 'orange', name: 'blocked', figure: p => p.blocked },
      { colour: 'pink', name: 'pinned', figure: p => p.pinned },
      { colour: 'bad', name: 'hogs', figure: p => p.hogs },
    ],
    least: 5, label: count, legend: count,
  },
];

/** The plots. What they show is drawn again when the mouse points to another time. */
export class Plots {
  constructor(parent) {
    this.cursor = null;
    this.view = null;
    this.cards = CARDS.map(card => this.add(card, parent));
    new ResizeObserver(() => this.draw()).observe(parent);
  }

  add(card, parent) {
    const plot = new Plot(card);
    const value = element('b');
    const detail = element('p');
    const box = element('div', 'plot', element('div', '', element('h3', '', card.title), value), detail, plot.canvas);
    if (card.legend) {
      detail.append(...card.series.map(it => legendOf(it)));
    }
    box.addEventListener('pointermove', e => this.pointTo(e.offsetX / plot.canvas.clientWidth, e.target === plot.canvas));
    box.addEventListener('pointerleave', () => this.pointTo(0, false));
    parent.append(box);
    return { card, plot, value, detail };
  }

  /** @param view points, from, to, marks; `now` is the last answer of the server */
  show(view, now) {
    this.view = view;
    this.now = now;
    this.draw();
  }

  pointTo(share, isInside) {
    this.cursor = isInside && this.view ? this.view.from + share * (this.view.to - this.view.from) : null;
    this.draw();
  }

  /** The last point, or the one at the mouse. */
  point() {
    const { points } = this.view;
    return this.cursor === null ? points.at(-1) : points.findLast(it => it.millis <= this.cursor) ?? points[0];
  }

  draw() {
    if (!this.view || this.view.points.length === 0) {
      return;
    }
    const point = this.point();
    for (const { card, plot, value, detail } of this.cards) {
      plot.draw({ ...this.view, cursor: this.cursor });
      setText(value, card.value(point));
      if (card.legend) {
        card.series.forEach((it, i) => setText(detail.children[i].lastChild, `${card.legend(it.figure(point) || 0)} ${it.name}`));
      } else {
        setText(detail, card.detail(point, this.cursor === null ? this.now : { ...this.now, longest: null }));
        detail.title = detail.textContent;
      }
      plot.canvas.setAttribute('aria-label', `${card.title}: ${value.textContent}, ${detail.textContent}`);
    }
  }
}

function legendOf(series) {
  const swatch = element('i');
  swatch.style.background = `var(--${series.colour})`;
  return element('span', '', swatch, document.createTextNode(''));
}
