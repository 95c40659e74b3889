import type { Random } from "./random";

const interesting = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
];

interface Part {
  readonly start: number;
  readonly size: number;
}

/** The header, the table of sections and the sections that hold bytes. */
function partsOf(bytes: Uint8Array): readonly Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = Number(view.getBigUint64(40, true));
  const count = view.getUint16(60, true);
  const sections = Array.from({ length: count }, (_, index): Part & { readonly type: number } => {
    const at = table + 64 * index;
    return {
      type: view.getUint32(at + 4, true),
      start: Number(view.getBigUint64(at + 24, true)),
      size: Number(view.getBigUint64(at + 32, true)),
    };
  });
  return [
    { start: 0, size: 64 },
    { start: table, size: 64 * count },
    ...sections.filter(({ type, size }) => type !== 8 && size > 8),
  ];
}

type Change = (bytes: Uint8Array, part: Part, random: Random) => void;

/** A byte of a part that is inside of the file. */
function within({ start, size }: Part, bytes: Uint8Array, random: Random): number {
  return Math.min(start + random.below(size), bytes.length - 1);
}

const changes: readonly Change[] = [
  (bytes, part, random) => void (bytes[within(part, bytes, random)] = random.below(256)),
  (bytes, part, random) => {
    const value = random.pick(interesting) ?? 0;
    const width = random.pick([1, 2, 4, 8]) ?? 1;
    const at = within(part, bytes, random) & -width;
    for (let index = 0; index < width && at + index < bytes.length; index += 1)
      bytes[at + index] = index < 4 ? value >>> (8 * index) : 0;
  },
  // Numbers of any length without an end.
  (bytes, part, random) => void bytes.fill(0xff, within(part, bytes, random), within(part, bytes, random)),
  // Pieces of one part in another place.
  (bytes, part, random) => {
    const from = within(part, bytes, random);
    bytes.copyWithin(within(part, bytes, random), from, Math.min(bytes.length, from + 1 + random.below(64)));
  },
  // Section headers that name what others name: overlaps and links in circles.
  (bytes, _, random) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const table = Number(view.getBigUint64(40, true));
    const count = view.getUint16(60, true);
    const field = random.pick([0, 4, 24, 32, 40, 44]) ?? 0;
    const [to, from] = [table + 64 * random.below(count) + field, table + 64 * random.below(count) + field];
    if (Math.max(to, from) + 8 <= bytes.length)
      bytes.copyWithin(to, from, from + (field === 24 || field === 32 ? 8 : 4));
  },
];

/**
 * One to eight changes of a cubin, and at times its end cut off: what follows from the seed of `random`
 * alone.
 */
export function mutateCubin(cubins: readonly Uint8Array[], random: Random): Uint8Array {
  const original = random.pick(cubins) ?? new Uint8Array(64);
  const bytes = original.slice();
  const parts = partsOf(original);
  for (let left = 1 + random.below(8); left > 0; left -= 1)
    random.pick(changes)?.(bytes, random.pick(parts) ?? { start: 0, size: 64 }, random);
  return random.once(10) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}
