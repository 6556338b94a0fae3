// The recording inside this page: decodes the data block into one typed array per column.
//
// The block is base64 of gzip of: four bytes (little endian) with the size of the head, the head as JSON, then the columns one
// after another, each a sequence of unsigned LEB128 numbers. Events, `head.events` of them: time (ns since the event before),
// kind, P + 1, machine + 1, goroutine (zigzag, difference to the event before), a + 1, b. Then goroutines, `head.goroutines` of
// them: id (twice the number, plus 1 for a virtual thread; zigzag, difference to the one before), body, name (0: none; else 1 + index in strings).
import { KINDS } from './kinds.js';

export const rec = {};

/** Fills `rec`. Throws an Error with a sentence for people if the page holds no readable recording. */
export async function readRecording(text) {
  if (!text) throw new Error('This page holds no recording.');
  const bytes = await unpack(text);
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  if (head.version !== 1) throw new Error(`The recording in this page has version ${head.version}; the page reads version 1.`);
  if (head.kinds.join() !== KINDS.join()) throw new Error('The page and its recording were made by different versions.');
  const n = head.events, ng = head.goroutines + 1;
  const read = reader(bytes, 4 + size);
  Object.assign(rec, {
    head,
    n,
    ng,
    t: read.sums(new Float64Array(n)),
    kind: read.plain(new Uint8Array(n), 0),
    p: read.plain(new Int16Array(n), 1),
    m: read.plain(new Int32Array(n), 1),
    g: read.zigzagSums(new Int32Array(n), 0),
    a: read.plain(new Int32Array(n), 1),
    b: read.plain(new Int32Array(n), 0),
    id: read.zigzagSums(new Float64Array(ng), 1), // goroutine 0 means none
    body: read.plain(new Int32Array(ng), 0, 1),
    name: read.plain(new Int32Array(ng), 0, 1),
  });
  rec.isThread = g => rec.id[g] % 2 === 1;
  rec.np = head.ps.length;
  rec.nm = head.machines.length;
  rec.end = n ? Math.max(1, rec.t[n - 1]) : 1;
  rec.many = head.schedulers.length > 1;
}

async function unpack(text) {
  try {
    const raw = atob(text), packed = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) packed[i] = raw.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error('The recording inside this page is damaged.');
  }
}

function reader(bytes, at) {
  const next = () => {
    let b = bytes[at++];
    if (b < 128) return b;
    let value = b & 127, factor = 128;
    do {
      b = bytes[at++];
      value += (b & 127) * factor;
      factor *= 128;
    } while (b > 127);
    return value;
  };
  return {
    plain(out, bias, from = 0) {
      for (let i = from; i < out.length; i++) out[i] = next() - bias;
      return out;
    },
    sums(out) {
      let last = 0;
      for (let i = 0; i < out.length; i++) out[i] = last += next();
      return out;
    },
    zigzagSums(out, from) {
      let last = 0;
      for (let i = from; i < out.length; i++) {
        const v = next();
        out[i] = last += v % 2 ? -(v + 1) / 2 : v / 2;
      }
      return out;
    },
  };
}
