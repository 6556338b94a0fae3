// One small plot over time, on a canvas.
//
// A series has a colour (the name of a CSS variable) and a figure of a point. Areas are stacked on each other, lines are
// not. A figure that is not known is NaN. It leaves a gap, and so does a pause of the dashboard.

import { element } from './elements.js';

const GAP_MILLIS = 5000;
const TOP = 4;
const BOTTOM = 1;

/** The next of 1, 2, 5, 10, 20, ... that is not below a number, at least 1. */
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return [1, 2, 5, 10].map(it => it * power).find(it => it >= number * (1 - 1e-9));
}

export class Plot {
  /** @param options series, max(point) for a fixed scale, least: the smallest scale, unit: of which the scale
   *  is a round number, label(number) for its top */
  constructor(options) {
    this.options = options;
    this.canvas = element('canvas');
    this.canvas.setAttribute('role', 'img');
  }

  /** @param view points, from, to, cursor (a time, or null), marks (times of findings) */
  draw(view) {
    const { canvas, options } = this;
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(`--${name}`);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);

    const points = view.points.filter(it => it.millis >= view.from - GAP_MILLIS);
    const top = this.scale(points);
    const x = millis => ((millis - view.from) / (view.to - view.from)) * width;
    const y = value => height - BOTTOM - (Math.min(value, top) / top) * (height - TOP - BOTTOM);

    pen.strokeStyle = colour('line');
    pen.beginPath();
    for (const level of [top / 2, top]) {
      pen.moveTo(0, Math.round(y(level)) + 0.5);
      pen.lineTo(width, Math.round(y(level)) + 0.5);
    }
    pen.stroke();

    pen.strokeStyle = colour('bad');
    pen.setLineDash([2, 3]);
    for (const mark of view.marks.filter(it => it >= view.from)) {
      line(pen, x(mark), 0, height);
    }
    pen.setLineDash([]);

    const layers = [];
    let below = points.map(() => 0);
    for (const series of options.series) {
      const values = points.map((it, i) => (series.line ? 0 : below[i]) + (series.figure(it) ?? 0));
      layers.unshift({ series, values, below }); // the first one is drawn last: it stays visible at the same height
      below = series.line ? below : values;
    }
    for (const { series, values, below } of layers) {
      for (const [first, last] of runs(points)) {
        trace(pen, points, values, first, last, x, y);
        pen.strokeStyle = colour(series.colour);
        pen.lineWidth = 1.4;
        pen.lineJoin = 'round';
        pen.stroke();
        if (!series.line) {
          for (let i = last; i >= first; i--) {
            pen.lineTo(x(points[i].millis), y(below[i]));
          }
          pen.globalAlpha = 0.22;
          pen.fillStyle = colour(series.colour);
          pen.fill();
          pen.globalAlpha = 1;
        }
      }
    }
    pen.lineWidth = 1;

    pen.fillStyle = colour('faint');
    pen.font = '9.5px system-ui, sans-serif';
    pen.textBaseline = 'top';
    pen.fillText(options.label(top), 4, TOP + 2);
    if (view.cursor !== null) {
      pen.strokeStyle = colour('accent');
      line(pen, x(view.cursor), 0, height);
    }
  }

  /** The value at the top: fixed by the last point, or the next round number above all that is shown. */
  scale(points) {
    const { options } = this;
    const fixed = options.max && points.length > 0 ? options.max(points.at(-1)) : 0;
    if (fixed > 0) {
      return fixed;
    }
    const highest = point => {
      const figures = options.series.map(it => it.figure(point) || 0);
      const stacked = options.series.reduce((sum, it, i) => sum + (it.line ? 0 : figures[i]), 0);
      return Math.max(stacked, ...figures);
    };
    const unit = options.unit ?? 1;
    return roundUp(Math.max(options.least, ...points.map(highest)) / unit) * unit;
  }
}

function line(pen, x, top, bottom) {
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, top);
  pen.lineTo(Math.round(x) + 0.5, bottom);
  pen.stroke();
}

function trace(pen, points, values, first, last, x, y) {
  pen.beginPath();
  for (let i = first; i <= last; i++) {
    if (Number.isNaN(values[i])) {
      continue;
    }
    if (i === first || Number.isNaN(values[i - 1])) {
      pen.moveTo(x(points[i].millis), y(values[i]));
    } else {
      pen.lineTo(x(points[i].millis), y(values[i]));
    }
  }
}

/** The first and last indices of points without a gap between them. */
function runs(points) {
  const found = [];
  let first = 0;
  for (let i = 1; i <= points.length; i++) {
    if (i === points.length || points[i].millis - points[i - 1].millis > GAP_MILLIS) {
      found.push([first, i - 1]);
      first = i;
    }
  }
  return found;
}
