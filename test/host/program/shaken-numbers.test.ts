import { expect, test } from "vitest";
import { ShakenNumbers } from "../../../server/host/program/device/host/shaken-numbers";

function shaken(numbers: readonly number[], more: readonly number[] = []): unknown {
  const one = new ShakenNumbers();
  const parts = [numbers, more].filter(({ length }) => length > 0).map((part) => Float32Array.from(part));
  for (const part of parts) one.shake(new Uint8Array(part.buffer));
  return { numbers: parts.flatMap((part) => [...part]), sum: one.sum() };
}

const numbers = [0, -2, -1, 0, 1, 2, 3, 0.5];

test("numbers stay in their order, with their signs; zeros stay", () => {
  const { numbers: now } = shaken(numbers) as { readonly numbers: readonly number[] };
  expect(now.map(Math.sign)).toEqual(numbers.map(Math.sign));
  expect(numbers.map((_, index) => index).sort((a, b) => (now[a] ?? 0) - (now[b] ?? 0))).toEqual(
    numbers.map((_, index) => index).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0)),
  );
  expect(now.filter((value, index) => value === numbers[index])).toEqual([0, 0]);
});

test("the same numbers in another order and with zeros between them are told as the same", () => {
  const { sum } = shaken([...numbers, ...numbers]) as { readonly sum: object };
  expect(shaken([...numbers].reverse(), [...numbers, 0, 0])).toMatchObject({ sum });
  expect(shaken([...numbers, ...numbers.slice(1), 7])).not.toMatchObject({ sum });
});

test.each([
  ["whole numbers", Int32Array.from([1, 2, 3, 4, 5, 6, 7, 8])],
  ["a setting", Float32Array.from([1, 2])],
  ["addresses", BigUint64Array.from([0x7f00_1000n, 0x7f00_2000n, 0x7f00_3000n, 0x7f00_4000n])],
  ["zeros", new Float32Array(16)],
])("%s stay as they are", (_, given) => {
  const one = new ShakenNumbers();
  const bytes = new Uint8Array(given.buffer);
  const before = [...bytes];
  one.shake(bytes);
  expect([...bytes]).toEqual(before);
  expect(one.sum().bytes).toBe(0);
});
