// Canvases that follow the size of their boxes and the device's pixels.

export const ratio = () => window.devicePixelRatio || 1;

/** A canvas that fills a box: { box, canvas, c, width, height }, sizes in CSS pixels. */
export function surface(box) {
  const canvas = box.querySelector('canvas');
  return { box, canvas, c: canvas.getContext('2d', { alpha: false }), width: 0, height: 0 };
}

/** Takes over the size of the box; false if it is hidden. */
export function resize(surface) {
  const { width, height } = surface.box.getBoundingClientRect();
  if (!width || !height) return false;
  surface.width = width;
  surface.height = height;
  surface.canvas.width = Math.round(width * ratio());
  surface.canvas.height = Math.round(height * ratio());
  return true;
}

export function rounded(c, x, y, width, height, radius) {
  c.beginPath();
  c.roundRect(x, y, width, height, radius);
}

/** A triangle with its tip at (x, y), `dx`, `dy` say where it points. */
export function tip(c, x, y, dx, dy, size = 5) {
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - dx * size * 1.5 - dy * size * 0.8, y - dy * size * 1.5 - dx * size * 0.8);
  c.lineTo(x - dx * size * 1.5 + dy * size * 0.8, y - dy * size * 1.5 + dx * size * 0.8);
  c.fill();
}
