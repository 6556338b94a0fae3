// The three views: Timeline, Goroutines, Play. One of them is shown; overview, cursor and selection are shared.
import { app, draw, on, tell } from './app.js';
import { byId } from './dom.js';

export const MODES = ['timeline', 'goroutines', 'play'];

export function startModes() {
  for (const mode of MODES) byId(`tab-${mode}`).addEventListener('click', () => showMode(mode));
  on('wanted', () => showMode(app.wantedMode));
}

export function showMode(mode) {
  app.mode = mode;
  app.hover = null;
  byId('tip').hidden = true;
  byId('main').dataset.mode = mode;
  for (const other of MODES) byId(`tab-${other}`).setAttribute('aria-selected', String(other === mode));
  tell('size'); // boxes that were hidden have a size now
  tell('mode');
  draw();
}
