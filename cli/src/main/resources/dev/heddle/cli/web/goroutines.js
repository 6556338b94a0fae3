// The dump: groups of goroutines in the same place, which open to show their stack, and a search over all of them.

import { element, marked, setText } from './elements.js';
import { count, millis, nanos } from './format.js';
import * as server from './server.js';

const PERIOD_MILLIS = 2000;
const TYPING_MILLIS = 120;
const HELD = ['syscall', 'pinned'];

/** The JDK's frames and those of Heddle's own API, which are not where a program is to be changed. */
const isLibrary = name => /^(java|javax|jdk|sun)\.|^dev\.heddle\.([A-Z]|internal\.)/.test(name);

export class Goroutines {
  /** @param scheduler returns the name of the one that is shown */
  constructor(parent, search, summary, scheduler) {
    Object.assign(this, { parent, search, summary, scheduler });
    this.open = new Set();
    this.shown = '';
    this.isActive = false;
    this.asked = 0;
    search.addEventListener('input', () => this.askIn(TYPING_MILLIS));
  }

  /** Whether they are visible. Nothing is asked while they are not. */
  setActive(isActive) {
    this.isActive = isActive;
    this.askIn(0);
  }

  askIn(time) {
    clearTimeout(this.timer);
    if (this.isActive) {
      this.timer = setTimeout(() => this.ask(), time);
    }
  }

  async ask() {
    const turn = ++this.asked;
    try {
      const answer = await server.goroutines(this.scheduler(), this.search.value.trim());
      if (turn === this.asked) {
        this.show(answer);
      }
    } catch (e) {
      if (turn === this.asked && this.shown === '') {
        this.parent.replaceChildren(element('p', 'nothing', e.message));
      }
    }
    if (turn === this.asked) {
      this.askIn(PERIOD_MILLIS);
    }
  }

  show(answer) {
    const groups = answer.groups;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(it => it);
    const whole = `${count(answer.shown)} goroutines`;
    const hidden = groups.length < answer.allGroups ? `, the largest ${groups.length} shown` : '';
    const left = answer.notShown ? `; ${count(answer.notShown)} more not begun, or above the limit` : '';
    setText(this.summary, `${words.length ? `${count(answer.matching)} of ${whole}` : whole} in ${count(answer.allGroups)} groups${hidden}${left}, ${millis(answer.ageMillis)} ago`);
    const content = JSON.stringify([groups.map(it => ({ ...it, longestNanos: 0 })), words]);
    if (content === this.shown) {
      this.parent.querySelectorAll('.time').forEach((it, i) => setText(it, time(groups[i])));
      return;
    }
    this.shown = content;
    this.parent.replaceChildren(...groups.map(it => this.group(it, words)));
    if (groups.length === 0) {
      this.parent.append(element('p', 'nothing', words.length ? 'No goroutine matches this search.' : 'There are no goroutines.'));
    }
  }

  group(group, words) {
    const key = group.status + group.functions + group.places;
    const own = Math.max(0, group.functions.findIndex(it => !isLibrary(it)));
    const place = element('span', 'where code', marked(short(group.functions[own] ?? 'has not begun'), words), element('small', '', marked(group.places[own] ?? '', words)));
    const button = element('button', '', element('span', 'count', count(group.count)), state(group.status, words), place, element('span', 'time', time(group)));
    const box = element('div', 'group', button);
    const toggle = isOpen => {
      button.setAttribute('aria-expanded', isOpen);
      box.querySelector('.stack')?.remove();
      if (isOpen) {
        this.open.add(key);
        box.append(stack(group, words));
      } else {
        this.open.delete(key);
      }
    };
    button.addEventListener('click', () => toggle(!this.open.has(key)));
    toggle(this.open.has(key));
    return box;
  }
}

/** Class and method, without packages. */
function short(name) {
  const parts = name.split('.');
  return parts.slice(-2).join('.');
}

const time = group => (group.longestNanos > 0 ? nanos(group.longestNanos) : '');

function state(status, words) {
  const kind = status === 'running' ? 'running' : status === 'runnable' ? 'runnable' : HELD.includes(status) ? 'held' : '';
  return element('span', `state ${kind}`, marked(status, words));
}

function stack(group, words) {
  const more = group.count > group.ids.length ? ' \u2026' : '';
  const frames = group.functions.flatMap((name, i) => [
    element('span', isLibrary(name) ? 'library' : '', marked(name, words)),
    element('span', 'place', marked(group.places[i], words)),
  ]);
  const box = element('div', 'stack', element('p', '', `goroutine ${group.ids.join(' ')}${more}`), element('div', 'frames code', ...frames));
  if (group.createdBy) {
    box.append(element('p', '', `created by ${group.createdBy}`));
  }
  return box;
}
