import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenBytes } from "../../../server/host/program/device/host/seen-bytes";

/** Bytes that repeat nowhere soon. */
function content(length: number, seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}

const [a, b] = [content(1000, 1), content(1000, 2)];
const tiny = [content(20, 3), content(24, 4), content(8, 5)];
const changed = Buffer.concat([a, b]);
changed.writeUInt8(changed.readUInt8(700) ^ 1, 700);
const place = (address: bigint): string => `at ${address}`;

const cases: readonly {
  readonly name: string;
  readonly read?: readonly Buffer[];
  readonly fetched?: readonly Buffer[];
  readonly written: Buffer;
  readonly origin: string | undefined;
}[] = [
  { name: "one read, whole", read: [a], written: a, origin: "0:20" },
  { name: "two reads in their order", read: [a, b], written: Buffer.concat([a, b]), origin: "0:22" },
  {
    name: "two reads in another order",
    read: [a, b],
    written: Buffer.concat([b, a]),
    origin: "1000:20,-1000:20",
  },
  {
    name: "a part of one, and zeros around it",
    read: [a, b],
    written: Buffer.concat([Buffer.alloc(40), b.subarray(100, 500), Buffer.alloc(12)]),
    origin: "1060:17",
  },
  { name: "short reads in their order", read: tiny, written: Buffer.concat(tiny), origin: "0:11" },
  { name: "a part of a short read", read: tiny, written: content(20, 3).subarray(4), origin: undefined },
  { name: "what a runtime fetched", fetched: [a], written: a.subarray(200, 600), origin: "at 4096+200:17" },
  { name: "one bit that is another", read: [a, b], written: changed, origin: undefined },
  {
    name: "single bytes of a table, put together",
    read: Array.from({ length: 256 }, (_, value) => Buffer.from([value])),
    written: a,
    origin: undefined,
  },
  { name: "nothing was seen", written: a, origin: undefined },
  {
    name: "two reads with zeros between them, and zeros behind",
    read: [a, b],
    written: Buffer.concat([a, Buffer.alloc(600), b, Buffer.alloc(4000)]),
    origin: "0:20,zeros:18,-600:20,zeros:24",
  },
  {
    name: "what begins with zeros itself",
    read: [a, Buffer.concat([Buffer.alloc(300), b])],
    written: Buffer.concat([Buffer.alloc(300), b, a]),
    origin: "1000:21,-1300:20",
  },
];

for (const { name, read = [], fetched = [], written, origin } of cases)
  test(name, () => {
    const seen = new SeenBytes();
    for (const each of read) seen.add(each, "read");
    for (const each of fetched) seen.add(each, 4096n);
    expect(seen.origin(written, place)).toBe(origin);
  });

test("where a buffer that is filled in parts comes from does not depend on its values", () => {
  // Numbers near the ends of the parts: 0, those with zeros in their low bytes, and those without.
  const near = fc.array(fc.constantFrom(0, 1, 0.1), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(near, (factors) => {
      const few = (index: number): number => factors[(index + 8) % 250] ?? 1;
      const values = Float32Array.from({ length: 1000 }, (_, index) => (index + 1) * few(index));
      const bytes = Buffer.from(values.buffer);
      const seen = new SeenBytes();
      seen.add(bytes, 4096n);
      const origins = [1000, 2000, 3000].map((end) =>
        seen.origin(Buffer.concat([bytes.subarray(0, end), Buffer.alloc(4000 - end)]), place),
      );
      expect(origins).toEqual(["at 4096+0:20,zeros:23", "at 4096+0:22,zeros:22", "at 4096+0:23,zeros:20"]);
    }),
  );
});
