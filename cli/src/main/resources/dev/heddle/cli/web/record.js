// The button that records a trace of some seconds, and the link to its page.

import { setText } from './elements.js';
import * as server from './server.js';

const SECONDS = 5;

export class Recorder {
  /** @param failed is told why a trace cannot begin */
  constructor(button, link, failed) {
    Object.assign(this, { button, link });
    setText(button, `Record ${SECONDS} s`);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        await server.record(SECONDS);
      } catch (e) {
        failed(e.message);
      }
    });
  }

  /** @param state the server's: isRecording, last (the number of the newest trace), problem */
  show(state, isOver) {
    const { button, link } = this;
    button.disabled = isOver || state.isRecording;
    setText(button, state.isRecording ? 'Recording\u2026' : `Record ${SECONDS} s`);
    link.hidden = !state.last;
    if (state.last) {
      link.href = `trace/${state.last}.html`;
      setText(link, `Open trace ${state.last}`);
    }
  }
}
