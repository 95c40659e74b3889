/** What one instruction, or a few, make of the bits of a number. */
export interface BitFunction {
  /** In a few words, for the user. */
  readonly words: string;
  readonly of: (value: bigint, bits: number) => bigint;
  /** As it is written for numbers of 32 bits; `x` stands for the number. */
  readonly short: string;
  /** The same for 64 bits. */
  readonly long: string;
}

function ones(value: bigint): bigint {
  return BigInt(value.toString(2).replace(/0/g, "").length);
}

function length(value: bigint): bigint {
  return value === 0n ? 0n : BigInt(value.toString(2).length);
}

/** One-based place of the lowest bit that is set; 0 where none is. */
function lowest(value: bigint): bigint {
  return value === 0n ? 0n : length(value & -value);
}

function mirrored(value: bigint, bits: number): bigint {
  return BigInt(`0b${[...value.toString(2).padStart(bits, "0")].reverse().join("")}`);
}

function bytesTurned(value: bigint, bits: number): bigint {
  const bytes =
    value
      .toString(16)
      .padStart(bits / 4, "0")
      .match(/../g) ?? [];
  return BigInt(`0x${[...bytes].reverse().join("")}`);
}

/** The first that fits is taken. */
export const bitFunctions: readonly BitFunction[] = [
  { words: "how many bits are set", of: ones, short: "__popc(x)", long: "__popcll(x)" },
  {
    words: "whether the number of set bits is odd",
    of: (value) => ones(value) & 1n,
    short: "(__popc(x) & 1)",
    long: "(__popcll(x) & 1)",
  },
  {
    words: "how many leading bits are zero",
    of: (value, bits) => BigInt(bits) - length(value),
    short: "__clz(x)",
    long: "__clzll(x)",
  },
  {
    words: "the place of the highest bit",
    of: (value) => length(value) - 1n,
    short: "(31 - __clz(x))",
    long: "(63 - __clzll(x))",
  },
  {
    words: "how many bits a number has",
    of: length,
    short: "(32 - __clz(x))",
    long: "(64 - __clzll(x))",
  },
  { words: "the place of the lowest bit", of: lowest, short: "__ffs(x)", long: "__ffsll(x)" },
  {
    words: "the place of the lowest bit",
    of: (value) => lowest(value) - 1n,
    short: "(__ffs(x) - 1)",
    long: "(__ffsll(x) - 1)",
  },
  {
    words: "how many trailing bits are zero",
    of: (value, bits) => (value === 0n ? BigInt(bits) : lowest(value) - 1n),
    short: "__clz(__brev(x))",
    long: "__clzll(__brevll(x))",
  },
  { words: "the bits in turned order", of: mirrored, short: "__brev(x)", long: "__brevll(x)" },
  {
    words: "the bytes in turned order",
    of: (value, bits) => (bits === 32 ? bytesTurned(value, bits) : -1n),
    short: "__byte_perm(x, 0, 0x0123)",
    long: "",
  },
];
