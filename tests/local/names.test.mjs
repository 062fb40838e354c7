/**
 * The wasm that is uploaded: the same program without the names of its functions.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutNames } from "../../scripts/names.mjs";

const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** One function type, () -> (). */
const types = [1, 4, 1, 0x60, 0, 0];

/** A custom section whose size takes two bytes of LEB128 when `filler` is long. */
function custom(name, filler) {
  const body = [name.length, ...Buffer.from(name), ...new Array(filler).fill(7)];
  const size = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
  return [0, ...size, ...body];
}

test("only the names go", () => {
  const wasm = Buffer.from([
    ...header,
    ...custom("name", 300),
    ...types,
    ...custom("producers", 2),
    ...custom("name", 3),
  ]);
  const kept = Buffer.from([...header, ...types, ...custom("producers", 2)]);
  assert.deepEqual(withoutNames(wasm), kept);
  assert.ok(WebAssembly.validate(kept));
});

test("wasm without names stays as it is", () => {
  const wasm = Buffer.from([...header, ...types]);
  assert.deepEqual(withoutNames(wasm), wasm);
});
