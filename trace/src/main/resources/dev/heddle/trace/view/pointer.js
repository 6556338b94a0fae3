// The pointer over lanes, strips and stage: pan, zoom, select, range, tooltip.
import { app, draw, tell } from './app.js';
import { byId } from './dom.js';
import { sliceOrWaitAt } from './goroutines.js';
import { rec } from './recording.js';
import { RULER, canScroll, rowAt, rows, scrollTo } from './rows.js';
import { select, selectNear, selectRange, selectedG, fitSelection } from './selection.js';
import { S, sliceAt } from './slices.js';
import { chipAt } from './stage.js';
import { chips } from './chips.js';
import { GUTTER, pan, pixel, setView, timeAt, view, zoom } from './view.js';
import { chipTip, hideTip, laneTip, showTip } from './tooltip.js';
import { showMode } from './modes.js';
import { player } from './player.js';

const CLICK = 3; // px that a click may move

export function startPointer() {
  timeAxis(byId('lanes'), 0, { click: clickLanes, tip: laneTip, drag: dragLanes });
  timeAxis(byId('strips'), GUTTER, { click: () => {}, tip: () => [], drag: () => {} });
  const stage = byId('stage'), chipOf = e => chipAt(e.offsetX, e.offsetY);
  stage.addEventListener('pointermove', e => {
    const g = chipOf(e), chip = chips.get(g);
    showTip(e, g ? chipTip(g, chip.look, chip.words) : []);
  });
  stage.addEventListener('pointerleave', hideTip);
  stage.addEventListener('click', e => {
    const g = chipOf(e);
    if (!g) return;
    player.playing = false;
    const t = app.cursor;
    showMode('timeline');
    selectNear(g, t);
  });
}

/** A box whose x is time; `offset` is what its left edge lacks to the gutter. */
function timeAxis(box, offset, { click, tip, drag }) {
  let press = null;
  const at = e => {
    const area = box.getBoundingClientRect(), x = e.clientX - area.left + offset;
    return { x, y: e.clientY - area.top, t: timeAt(x) };
  };
  box.addEventListener('pointerdown', e => {
    const point = at(e);
    press = { ...point, t0: view.t0, t1: view.t1, scroll: rows.scroll, range: e.shiftKey || point.y < RULER, moved: false };
    box.setPointerCapture(e.pointerId);
    hideTip();
  });
  box.addEventListener('pointermove', e => {
    const point = at(e);
    app.hover = point;
    draw();
    if (!press) return showTip(e, tip(point.x, point.y, point.t));
    press.moved ||= Math.hypot(point.x - press.x, point.y - press.y) > CLICK;
    if (!press.moved) return undefined;
    if (press.range) return selectRange(press.t, point.t);
    const moved = (point.x - press.x) * pixel();
    setView(press.t0 - moved, press.t1 - moved);
    return drag(press, point);
  });
  box.addEventListener('pointerup', e => {
    const was = press;
    press = null;
    if (!was) return;
    if (!was.moved) click(at(e));
    else if (was.range) tell('select');
  });
  box.addEventListener('pointerleave', () => {
    app.hover = null;
    hideTip();
    draw();
  });
  box.addEventListener('dblclick', () => { if (app.selected >= 0) fitSelection(); });
  box.addEventListener('wheel', e => wheel(e, at(e), box.id === 'strips'), { passive: false });
}

/** Ctrl and wheel zoom at the pointer, Shift and wheel or a sideways wheel pan; the wheel alone scrolls, or zooms if all fits. */
function wheel(e, { x }, scrolls) {
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
    e.preventDefault();
    return pan((e.deltaX || e.deltaY) * pixel());
  }
  if (!e.ctrlKey && scrolls) return undefined;
  e.preventDefault();
  if (!e.ctrlKey && canScroll()) {
    scrollTo(rows.scroll + e.deltaY);
    return draw();
  }
  return zoom(Math.exp(Math.max(-80, Math.min(80, e.deltaY)) * 0.0028), timeAt(Math.max(GUTTER, x)));
}

function dragLanes(press, { y }) {
  if (canScroll()) scrollTo(press.scroll - (y - press.y));
}

function clickLanes({ x, y, t }) {
  const row = rowAt(y);
  app.range = null;
  if (x > GUTTER && row && row.lane !== undefined) select(sliceAt(row.lane, t));
  else if (x > GUTTER && row && row.type === 'goroutine') select(sliceOrWaitAt(selectedG(), t));
  else {
    app.cursor = Math.max(0, Math.min(rec.end, t));
    tell('select');
    draw();
  }
  if (app.selected >= 0 && row && row.lane !== undefined) app.cursor = S.t0[app.selected];
}
