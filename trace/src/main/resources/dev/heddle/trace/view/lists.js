// Growing lists of numbers in time order, and binary search in them.

/** The first index in [0, n) at which `at(index)` is not below `value`; n if there is none. */
export function lower(at, n, value) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index in a sorted array whose value is not below `value`. */
export function lowerIn(array, n, value) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number that changes in steps: queue lengths and counters. Only changes are kept. */
export class Steps {
  constructor() {
    this.n = 0;
    this.t = new Float64Array(16);
    this.v = new Int32Array(16);
  }

  set(t, v) {
    if (this.n > 0 && this.v[this.n - 1] === v) return;
    if (this.n > 0 && this.t[this.n - 1] === t) this.n--; // the last value of a moment counts
    if (this.n === this.t.length) {
      this.t = grown(this.t);
      this.v = grown(this.v);
    }
    this.t[this.n] = t;
    this.v[this.n++] = v;
  }

  /** The value at a time; 0 before the first step. */
  at(t) {
    const i = lowerIn(this.t, this.n, t + 1e-9) - 1;
    return i < 0 ? 0 : this.v[i];
  }

  max() {
    let max = 0;
    for (let i = 0; i < this.n; i++) if (this.v[i] > max) max = this.v[i];
    return max;
  }
}

/** Intervals that do not overlap, in time order, each with a number: who owned a P, when a machine spun. */
export class Spans {
  constructor(end) {
    this.n = 0;
    this.from = new Float64Array(8);
    this.to = new Float64Array(8);
    this.v = new Int32Array(8);
    this.end = end;
  }

  open(t, v) {
    this.close(t);
    if (this.n === this.from.length) {
      this.from = grown(this.from);
      this.to = grown(this.to);
      this.v = grown(this.v);
    }
    this.from[this.n] = t;
    this.to[this.n] = this.end;
    this.v[this.n++] = v;
    this.isOpen = true;
  }

  close(t) {
    if (this.isOpen) this.to[this.n - 1] = t;
    this.isOpen = false;
  }

  /** The index of the interval that contains a time, or -1. */
  find(t) {
    const i = lowerIn(this.from, this.n, t + 1e-9) - 1;
    return i >= 0 && this.to[i] >= t ? i : -1;
  }

  /** The index of the first interval that ends after a time. */
  firstAfter(t) {
    return lowerIn(this.to, this.n, t);
  }

  /** How much of [t0, t1] the intervals cover. */
  cover(t0, t1) {
    let sum = 0;
    for (let i = this.firstAfter(t0); i < this.n && this.from[i] < t1; i++)
      sum += Math.min(t1, this.to[i]) - Math.max(t0, this.from[i]);
    return sum;
  }
}

function grown(array) {
  const bigger = new array.constructor(array.length * 2);
  bigger.set(array);
  return bigger;
}
