// What the user looks at: the mode, the selection, the range, the cursor. `changed` tells every part that draws it.
export const app = {
  mode: 'timeline', // or 'goroutines' or 'play'
  selected: -1, // a slice
  range: null, // [from, to], a selected interval
  cursor: 0, // a moment: where the selection begins, where Play is
  hover: null, // { x, y, t } of the pointer over the lanes
};

const listeners = {};

/** Registers for an event: 'draw', 'panel', 'select', 'mode', 'filter', 'theme', 'size'. */
export function on(event, listener) {
  (listeners[event] ??= []).push(listener);
}

export function tell(event) {
  for (const listener of listeners[event] ?? []) listener();
}

// All drawing happens in animation frames, once per frame.
let asked = false;

export function draw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(now => {
    asked = false;
    app.now = now;
    tell('draw');
  });
}
