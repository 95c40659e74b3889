import fc from "fast-check";
import { expect, test } from "vitest";
import { flatten } from "../../../../server/core/vgpu/wasm/byte-sink";
import { get, getGlobal, i32, load, op, set, unsigned } from "../../../../server/core/vgpu/wasm/code";

/** LEB128 as the WebAssembly specification defines it (section 5.2.2), seven bits at a time. */
function leb(value: bigint, isSigned: boolean): number[] {
  const bytes: number[] = [];
  for (let rest = value; ;) {
    const low = Number(rest & 127n);
    rest >>= 7n;
    const isDone = isSigned ? (rest === 0n && low < 64) || (rest === -1n && low >= 64) : rest === 0n;
    bytes.push(isDone ? low : low | 128);
    if (isDone) return bytes;
  }
}

const edges = [
  0, 1, 63, 64, 127, 128, 8191, 8192, 16_383, 16_384, 1_048_575, 1_048_576, 2_097_151, 2_097_152, 0x7fff_ffff,
];

function checkUnsigned(value: number): void {
  const number = leb(BigInt(value), false);
  expect([...flatten(unsigned(value))]).toEqual(number);
  expect([...flatten(get(value))]).toEqual([0x20, ...number]);
  expect([...flatten(getGlobal(value))]).toEqual([0x23, ...number]);
  expect([...flatten(set(value, op("i32.add", get(value), i32(value))))]).toEqual([
    0x20,
    ...number,
    0x41,
    ...leb(BigInt(value | 0), true),
    0x6a,
    0x21,
    ...number,
  ]);
  expect([...flatten(load("v128.load", get(0), value))]).toEqual([0x20, 0, 0xfd, 0, 0, ...number]);
}

function checkSigned(value: number): void {
  expect([...flatten(i32(value))]).toEqual([0x41, ...leb(BigInt(value), true)]);
}

test("numbers in code are LEB128, however many bytes they take", () => {
  edges.forEach(checkUnsigned);
  for (const edge of edges) for (const value of [edge, -edge, -edge - 1]) checkSigned(value);
  fc.assert(fc.property(fc.nat(0x7fff_ffff), checkUnsigned));
  fc.assert(fc.property(fc.integer(), checkSigned));
});
