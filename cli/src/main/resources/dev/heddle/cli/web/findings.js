// The doctor's findings: those that hold, then those that have gone.

import { element, setText } from './elements.js';
import { millis } from './format.js';

export class Findings {
  constructor(parent) {
    this.parent = parent;
    this.shown = '';
  }

  /** @param findings those of the server; now: its clock; several: whether there are several schedulers */
  show(findings, now, several) {
    const { entries, hasLooked } = findings;
    const content = JSON.stringify([entries, hasLooked, several]);
    if (content !== this.shown) {
      this.shown = content;
      const present = entries.filter(it => !it.goneMillis);
      const gone = entries.filter(it => it.goneMillis);
      this.parent.replaceChildren(...[...present, ...gone].map(it => card(it, several)));
      if (present.length === 0) {
        this.parent.prepend(calm(hasLooked));
      }
    }
    this.parent.querySelectorAll('.when').forEach(it => setText(it, `${it.dataset.text} ${millis(now - it.dataset.millis)} ago`));
  }
}

function calm(hasLooked) {
  return hasLooked
    ? element('div', 'calm well', element('b', '', 'Nothing is wrong'), 'that the doctor knows. It keeps watching.')
    : element('div', 'calm', element('b', '', 'The doctor watches'), 'It needs some seconds for its first diagnosis.');
}

function card(finding, several) {
  const isGone = Boolean(finding.goneMillis);
  const when = element('p', 'when');
  const where = several ? ` in ${finding.scheduler}` : '';
  when.dataset.text = `${finding.cause}${where}, ${isGone ? 'gone' : 'seen'}`;
  when.dataset.millis = isGone ? finding.goneMillis : finding.sinceMillis;
  const box = element('article', isGone ? 'finding gone' : 'finding', element('h3', '', finding.title), when);
  if (isGone) {
    return box;
  }
  box.append(element('ul', '', ...finding.evidence.map(it => element('li', '', it))));
  if (finding.stack.length > 0) {
    const title = finding.goroutine ? `Stack of goroutine ${finding.goroutine}` : 'Stack';
    box.append(element('details', '', element('summary', '', title), element('pre', '', finding.stack.join('\n'))));
  }
  box.append(element('p', 'remedy', finding.remedy));
  return box;
}
