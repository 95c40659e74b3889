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
  { name: "one read, whole", read: [a], written: a, origin: "0:1000" },
  { name: "two reads in their order", read: [a, b], written: Buffer.concat([a, b]), origin: "0:2000" },
  {
    name: "two reads in another order",
    read: [a, b],
    written: Buffer.concat([b, a]),
    origin: "1000:1000,0:1000",
  },
  {
    name: "a part of one, and zeros around it",
    read: [a, b],
    written: Buffer.concat([Buffer.alloc(40), b.subarray(100, 500), Buffer.alloc(12)]),
    origin: "1100:400",
  },
  { name: "short reads in their order", read: tiny, written: Buffer.concat(tiny), origin: "0:52" },
  { name: "a part of a short read", read: tiny, written: content(20, 3).subarray(4), origin: undefined },
  { name: "what a runtime fetched", fetched: [a], written: a.subarray(200, 600), origin: "at 4296:400" },
  { name: "one bit that is another", read: [a, b], written: changed, origin: undefined },
  {
    name: "single bytes of a table, put together",
    read: Array.from({ length: 256 }, (_, value) => Buffer.from([value])),
    written: a,
    origin: undefined,
  },
  { name: "nothing was seen", written: a, origin: undefined },
];

for (const { name, read = [], fetched = [], written, origin } of cases)
  test(name, () => {
    const seen = new SeenBytes();
    for (const each of read) seen.add(each, "read");
    for (const each of fetched) seen.add(each, 4096n);
    expect(seen.origin(written, place)).toBe(origin);
  });
