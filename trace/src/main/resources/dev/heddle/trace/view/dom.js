// Building HTML. Text from the recording reaches the page only as text nodes, so a hostile name stays a name.
import { nameOf } from './words.js';
import { rec } from './recording.js';
import { fillOf } from './theme.js';
import { selectNear } from './selection.js';

export const byId = id => document.getElementById(id);

/** An element: attributes, `style` as an object, `on...` as listeners; children may be nested lists; nothing is left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === 'style') Object.assign(element.style, value);
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

export const swatch = body => h('i', { class: 'swatch', style: { background: fillOf(body) } });

/** A goroutine's name that leads to its run near a moment. */
export const link = (g, t) => h('button', { class: 'link', onclick: () => selectNear(g, t) }, nameOf(g));

/** A text as explain.js makes it: strings, and links { g, t }. */
export const text = parts => parts.map(part => (typeof part === 'string' ? part : link(part.g, part.t)));

/** A table from a row of heads and rows of cells; a cell may be an element. */
export function table(heads, rows, attributesOf = () => ({})) {
  return h('table', null,
    heads && h('thead', null, h('tr', null, heads.map(head => h('th', { scope: 'col' }, head)))),
    h('tbody', null, rows.map((row, i) => h('tr', attributesOf(i), row.map(cell => h('td', null, cell))))));
}

/** A row that can be clicked, and reached and pressed by keyboard. */
export const clickable = (action, pressed) => ({
  class: 'click',
  tabindex: '0',
  role: 'button',
  'aria-pressed': pressed === undefined ? undefined : String(pressed),
  onclick: action,
  onkeydown: e => {
    if (e.key !== 'Enter' && e.key !== ' ') return;
    e.preventDefault();
    e.stopPropagation();
    action();
  },
});

export const bodyCell = body => [swatch(body), rec.head.bodies[body]];
