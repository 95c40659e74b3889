import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCubin } from "../../../server/core/cubin";
import { fixtureNames, fixturePath } from "./fixtures";
import { draws } from "../../harness/draws";

const cubins = fixtureNames.map((name) => new Uint8Array(readFileSync(fixturePath(name))));
/** KERNELWRIGHT_FUZZ_SECONDS=600 mutates for that long instead of a few hundred times. */
const fuzzSeconds = Number(process.env["KERNELWRIGHT_FUZZ_SECONDS"] ?? 0);
const fuzzing: fc.Parameters<unknown> =
  fuzzSeconds > 0
    ? { numRuns: 1e9, interruptAfterTimeLimit: fuzzSeconds * 1000, markInterruptAsFailure: false }
    : { numRuns: draws(600) };
const anyCubin = fc.constantFrom(...cubins);

/** Reads and lets nothing escape: either a cubin or a problem with a sentence. */
function expectAnswer(bytes: Uint8Array): void {
  const outcome = readCubin(bytes);
  if (outcome.ok) expect(outcome.value.architecture).toBeGreaterThanOrEqual(75);
  else expect(outcome.problem.message.length).toBeGreaterThan(10);
}

interface Change {
  readonly at: number;
  readonly value: number;
  readonly bytes: 1 | 2 | 4;
}

const interesting = fc.oneof(
  fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.nat(0xffffffff),
);
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  value: interesting,
  bytes: fc.constantFrom(1 as const, 2 as const, 4 as const),
});

function applyChange(
  bytes: Uint8Array,
  { at, value, bytes: width }: Change,
  within: { readonly start: number; readonly size: number },
): void {
  const offset = within.start + (at % Math.max(1, within.size - width));
  for (let index = 0; index < width && offset + index < bytes.length; index++)
    bytes[offset + index] = (value >>> (8 * index)) & 0xff;
}

/**
 * The parts where a change does the most: the header, the section headers, and the sections that are parsed.
 */
function sensitiveParts(bytes: Uint8Array): { start: number; size: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = Number(view.getBigUint64(40, true));
  const count = view.getUint16(60, true);
  const sections = Array.from({ length: count }, (_, index) => ({
    type: view.getUint32(table + index * 64 + 4, true),
    start: Number(view.getBigUint64(table + index * 64 + 24, true)),
    size: Number(view.getBigUint64(table + index * 64 + 32, true)),
  }));
  return [
    { start: 0, size: 64 },
    { start: table, size: count * 64 },
    ...sections.filter(({ type, size }) => type !== 8 && size > 8),
  ];
}

describe("hostile bytes end in a problem, never in an exception", () => {
  test("every truncation of a cubin", () => {
    fc.assert(
      fc.property(anyCubin, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
        // Behind the table of sections lie program headers, which are not needed.
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const needed = Number(view.getBigUint64(40, true)) + 64 * view.getUint16(60, true);
        expect(readCubin(bytes.subarray(0, needed)).ok).toBe(true);
        expect(readCubin(bytes.subarray(0, Math.floor((needed - 1) * share))).ok).toBe(false);
      }),
      { numRuns: draws(150) },
    );
  });

  test(
    "changed words in the parts that are parsed",
    () => {
      fc.assert(
        fc.property(
          anyCubin,
          fc.nat(),
          fc.array(change, { minLength: 1, maxLength: 8 }),
          (original, part, changes) => {
            const bytes = original.slice();
            const parts = sensitiveParts(original);
            for (const each of changes)
              applyChange(bytes, each, parts[part % parts.length] ?? { start: 0, size: 64 });
            expectAnswer(bytes);
          },
        ),
        fuzzing,
      );
    },
    60_000 + fuzzSeconds * 1000,
  );

  test("random bytes behind a valid header", () => {
    fc.assert(
      fc.property(anyCubin, fc.uint8Array({ maxLength: 4096 }), (original, tail) => {
        const bytes = new Uint8Array(64 + tail.length);
        bytes.set(original.subarray(0, 64));
        bytes.set(tail, 64);
        new DataView(bytes.buffer).setBigUint64(40, 64n, true);
        expectAnswer(bytes);
      }),
      { numRuns: draws(300) },
    );
  });
});

/** Builds a cubin of sections, for attacks that no mutation finds. */
function buildCubin(
  sections: readonly {
    readonly name: string;
    readonly type: number;
    readonly bytes: Uint8Array;
    readonly link?: number;
    readonly info?: number;
  }[],
): Uint8Array {
  const names = new TextEncoder().encode(`\0${sections.map(({ name }) => name).join("\0")}\0`);
  const all = [
    { name: "", type: 0, bytes: new Uint8Array(0) },
    ...sections,
    { name: "", type: 3, bytes: names },
  ];
  const total = 64 + all.reduce((sum, { bytes }) => sum + bytes.length, 0) + all.length * 64;
  const image = new Uint8Array(total);
  const view = new DataView(image.buffer);
  image.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0x41, 8]);
  view.setUint16(18, 190, true);
  view.setUint32(48, 0x0a005a04, true);
  view.setUint16(58, 64, true);
  view.setUint16(60, all.length, true);
  view.setUint16(62, all.length - 1, true);
  let offset = 64;
  let nameAt = 1;
  const table = total - all.length * 64;
  view.setBigUint64(40, BigInt(table), true);
  all.forEach((section, index) => {
    const at = table + index * 64;
    image.set(section.bytes, offset);
    view.setUint32(at, index === 0 || index === all.length - 1 ? 0 : nameAt, true);
    if (index > 0 && index < all.length - 1) nameAt += section.name.length + 1;
    view.setUint32(at + 4, section.type, true);
    view.setBigUint64(at + 24, BigInt(offset), true);
    view.setBigUint64(at + 32, BigInt(section.bytes.length), true);
    view.setUint32(at + 40, "link" in section ? (section.link ?? 0) : 0, true);
    view.setUint32(at + 44, "info" in section ? (section.info ?? 0) : 0, true);
    offset += section.bytes.length;
  });
  return image;
}

function symbol(nameOffset: number, section: number): Uint8Array {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, nameOffset, true);
  view.setUint8(4, 0x12);
  view.setUint8(5, 0x10);
  view.setUint16(6, section, true);
  return bytes;
}

/** A relocation with an addend of zero. */
function relocation(offset: number, symbolIndex: number): Uint8Array {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, offset, true);
  view.setUint32(12, symbolIndex, true);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A line table of version 5 with the given header bytes behind its lengths. */
function lineUnit(version: number, header: readonly number[], program: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 + 2 + (version >= 5 ? 2 : 0) + 4 + header.length + program.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length - 4, true);
  view.setUint16(4, version, true);
  if (version >= 5) bytes.set([8, 0], 6);
  view.setUint32(version >= 5 ? 8 : 6, header.length, true);
  bytes.set(header, version >= 5 ? 12 : 10);
  bytes.set(program, bytes.length - program.length);
  return bytes;
}

const attacks: readonly { readonly name: string; readonly cubin: () => Uint8Array; readonly kind: string }[] =
  [
    {
      name: "names that overlap to gigabytes",
      kind: "too-large",
      cubin: () =>
        buildCubin([
          { name: ".strtab", type: 3, bytes: new Uint8Array(100_000).fill(97, 0, 99_999) },
          {
            name: ".symtab",
            type: 2,
            link: 1,
            bytes: joined(Array.from({ length: 20_000 }, () => symbol(0, 0))),
          },
        ]),
    },
    {
      name: "a file table that promises billions of empty entries",
      kind: "malformed",
      cubin: () =>
        buildCubin([
          {
            name: ".debug_line",
            type: 1,
            bytes: lineUnit(5, [1, 1, 1, 0xfb, 14, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], []),
          },
        ]),
    },
    {
      name: "a file table of 300,000 entries without names",
      kind: "too-large",
      cubin: () =>
        buildCubin([
          {
            name: ".debug_line",
            type: 1,
            bytes: lineUnit(
              5,
              [1, 1, 1, 0xfb, 14, 1, 1, 1, 0x0b, 0xe0, 0xa7, 0x12, ...Array<number>(300_000).fill(0)],
              [],
            ),
          },
        ]),
    },
    {
      name: "units of a line table with three million rows in all",
      kind: "too-large",
      cubin: () => {
        const unit = lineUnit(
          2,
          [1, 1, 0xfb, 14, 2, 0, 0, 0],
          [0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0, ...Array<number>(1_000_000).fill(2)],
        );
        const relocations = Array.from({ length: 3 }, (_, index) =>
          relocation(index * unit.length + unit.length - 1_000_008, 1),
        );
        return buildCubin([
          { name: ".strtab", type: 3, bytes: new Uint8Array(4) },
          { name: ".symtab", type: 2, link: 1, bytes: joined([symbol(0, 0), symbol(0, 1)]) },
          { name: ".debug_line", type: 1, bytes: joined(Array.from({ length: 3 }, () => unit)) },
          { name: ".rela.debug_line", type: 4, bytes: joined(relocations) },
        ]);
      },
    },
    {
      name: "a line range of zero",
      kind: "malformed",
      cubin: () =>
        buildCubin([{ name: ".debug_line", type: 1, bytes: lineUnit(2, [1, 1, 0, 0, 1, 0, 0], []) }]),
    },
    {
      name: "a number without an end",
      kind: "malformed",
      cubin: () =>
        buildCubin([
          {
            name: ".debug_line",
            type: 1,
            bytes: lineUnit(
              2,
              [1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0],
              [2, ...Array<number>(32).fill(0xff)],
            ),
          },
        ]),
    },
    {
      name: "a line table of 64-bit DWARF",
      kind: "malformed",
      cubin: () => buildCubin([{ name: ".debug_line", type: 1, bytes: new Uint8Array(32).fill(0xff) }]),
    },
    {
      name: "an information record of an unknown format",
      kind: "malformed",
      cubin: () => buildCubin([{ name: ".nv.info", type: 0x70000000, bytes: new Uint8Array([9, 9, 0, 0]) }]),
    },
    {
      name: "an information record longer than its section",
      kind: "truncated",
      cubin: () =>
        buildCubin([{ name: ".nv.info", type: 0x70000000, bytes: new Uint8Array([4, 0x2f, 0xff, 0xff]) }]),
    },
    {
      name: "sections of kernel information that overlap",
      kind: "malformed",
      cubin: () => {
        const cubin = buildCubin(
          Array.from({ length: 200 }, () => ({
            name: ".nv.info",
            type: 0x70000000,
            bytes: new Uint8Array(64).fill(1),
          })),
        );
        const view = new DataView(cubin.buffer);
        const table = Number(view.getBigUint64(40, true));
        for (let index = 1; index <= 200; index++) {
          view.setBigUint64(table + index * 64 + 24, 64n, true);
          view.setBigUint64(table + index * 64 + 32, 12_000n, true);
        }
        return cubin;
      },
    },
    { name: "no bytes at all", kind: "not-a-cubin", cubin: () => new Uint8Array(0) },
    {
      name: "a text file",
      kind: "not-a-cubin",
      cubin: () => new TextEncoder().encode("# not a cubin\n".repeat(20)),
    },
    {
      name: "an x86 program's header",
      kind: "not-a-cubin",
      cubin: () => {
        const bytes = buildCubin([]);
        bytes[18] = 62;
        bytes[19] = 0;
        return bytes;
      },
    },
    {
      name: "an architecture that does not exist",
      kind: "unsupported-architecture",
      cubin: () => {
        const bytes = buildCubin([]);
        bytes.set([0, 0, 0, 0], 48);
        return bytes;
      },
    },
  ];

test.each(attacks)("$name: $kind", ({ cubin, kind }) => {
  const outcome = readCubin(cubin());
  expect(outcome.ok ? "read" : outcome.problem.kind).toBe(kind);
});
