// The kinds of queue in the replayed scheduler.

const CAPACITY = 256;

/** A P's ring: slots stay where they are in memory while head and tail walk on, as in LocalRunQueue. */
export class Ring {
  constructor() {
    this.slots = new Int32Array(CAPACITY);
    this.head = 0;
    this.tail = 0;
  }

  get size() {
    return this.tail - this.head;
  }

  get isFull() {
    return this.size === CAPACITY;
  }

  put(g) {
    this.slots[this.tail++ & (CAPACITY - 1)] = g;
  }

  take() {
    return this.slots[this.head++ & (CAPACITY - 1)];
  }

  at(i) {
    return this.slots[(this.head + i) & (CAPACITY - 1)];
  }

  /** Removes one from the middle: those before it move up. Only for recordings whose order is a little off. */
  remove(g) {
    for (let i = this.head; i < this.tail; i++) {
      if (this.slots[i & (CAPACITY - 1)] !== g) continue;
      for (let j = i; j > this.head; j--) this.slots[j & (CAPACITY - 1)] = this.slots[(j - 1) & (CAPACITY - 1)];
      this.head++;
      return true;
    }
    return false;
  }

  save() {
    const live = new Int32Array(this.size);
    for (let i = 0; i < live.length; i++) live[i] = this.at(i);
    return { head: this.head, live };
  }

  load(saved) {
    this.head = this.tail = saved.head;
    for (const g of saved.live) this.put(g);
  }
}

/** A queue without limit (the global one, and the threads that yielded at a P): its taken front is cut off now and then. */
export class List {
  constructor() {
    this.items = [];
    this.first = 0;
  }

  get size() {
    return this.items.length - this.first;
  }

  put(g) {
    this.items.push(g);
  }

  take() {
    const g = this.items[this.first++];
    if (this.first > 4096) {
      this.items = this.items.slice(this.first);
      this.first = 0;
    }
    return g;
  }

  at(i) {
    return this.items[this.first + i];
  }

  remove(g) {
    const i = this.items.indexOf(g, this.first);
    if (i >= 0) this.items.splice(i, 1);
    return i >= 0;
  }

  save() {
    return Int32Array.from(this.items.slice(this.first));
  }

  load(saved) {
    this.items = Array.from(saved);
    this.first = 0;
  }
}
