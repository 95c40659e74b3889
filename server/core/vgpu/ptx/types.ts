import { invariant } from "../../base/assert";
import { known } from "../../base/known";

/**
 * What the bits of a number mean. `float` has the layout of IEEE 754, `bfloat` is a single's upper half;
 * `tensor` is for formats that only conversions and matrix instructions know.
 */
type TypeKind = "bits" | "unsigned" | "signed" | "float" | "bfloat" | "tensor" | "predicate";

/** How the bits of a floating-point number are divided. */
export interface FloatFormat {
  /** Bits of the exponent. */
  readonly exponent: number;
  /** Bits of the fraction. */
  readonly fraction: number;
  /**
   * What an exponent of ones alone means: infinities and NaNs, or numbers like the others, of which the
   * greatest is the one NaN.
   */
  readonly ones: "infinities" | "numbers";
}

const formats = {
  double: { exponent: 11, fraction: 52, ones: "infinities" },
  single: { exponent: 8, fraction: 23, ones: "infinities" },
  tf32: { exponent: 8, fraction: 10, ones: "infinities" },
  half: { exponent: 5, fraction: 10, ones: "infinities" },
  bfloat: { exponent: 8, fraction: 7, ones: "infinities" },
  e4m3: { exponent: 4, fraction: 3, ones: "numbers" },
  e5m2: { exponent: 5, fraction: 2, ones: "infinities" },
} as const satisfies Readonly<Record<string, FloatFormat>>;

/**
 * Every type that an instruction can name (PTX ISA sections 5.2 and 5.2.3): what its bits mean, the bits of
 * one number, how many numbers lie packed in a register, and the format of floating-point numbers. A
 * predicate takes a 32-bit register here.
 */
const list = {
  b1: ["bits", 1, 1],
  b8: ["bits", 8, 1],
  b16: ["bits", 16, 1],
  b32: ["bits", 32, 1],
  b64: ["bits", 64, 1],
  b128: ["bits", 128, 1],
  u2: ["unsigned", 2, 1],
  u4: ["unsigned", 4, 1],
  u8: ["unsigned", 8, 1],
  u16: ["unsigned", 16, 1],
  u32: ["unsigned", 32, 1],
  u64: ["unsigned", 64, 1],
  u16x2: ["unsigned", 16, 2],
  s2: ["signed", 2, 1],
  s4: ["signed", 4, 1],
  s8: ["signed", 8, 1],
  s16: ["signed", 16, 1],
  s32: ["signed", 32, 1],
  s64: ["signed", 64, 1],
  s16x2: ["signed", 16, 2],
  f16: ["float", 16, 1, formats.half],
  f32: ["float", 32, 1, formats.single],
  f64: ["float", 64, 1, formats.double],
  f16x2: ["float", 16, 2, formats.half],
  f32x2: ["float", 32, 2, formats.single],
  bf16: ["bfloat", 16, 1, formats.bfloat],
  bf16x2: ["bfloat", 16, 2, formats.bfloat],
  tf32: ["tensor", 32, 1, formats.tf32],
  e4m3: ["tensor", 8, 1, formats.e4m3],
  e5m2: ["tensor", 8, 1, formats.e5m2],
  e4m3x2: ["tensor", 8, 2, formats.e4m3],
  e5m2x2: ["tensor", 8, 2, formats.e5m2],
  pred: ["predicate", 32, 1],
} as const satisfies Readonly<Record<string, readonly [TypeKind, number, 1 | 2, FloatFormat?]>>;

/** A type's name without its dot. */
export type TypeName = keyof typeof list;

/** A type of PTX. There is one object for each, so that `===` compares types. */
export interface PtxType<Name extends TypeName = TypeName> {
  /** For messages and for the names of library functions. */
  readonly name: Name;
  readonly kind: TypeKind;
  /** Bits of one number. */
  readonly bits: number;
  /** Numbers packed in a register. */
  readonly count: 1 | 2;
  /** Bytes in memory; at least one. */
  readonly bytes: number;
  /** Of floating-point numbers. */
  readonly format: FloatFormat | undefined;
}

function typeNamed<Name extends TypeName>(name: Name): PtxType<Name> {
  const [kind, bits, count, format]: readonly [TypeKind, number, 1 | 2, FloatFormat?] = list[name];
  return { name, kind, bits, count, bytes: Math.max(1, (bits * count) / 8), format };
}

/** All types by name. */
export const types = Object.fromEntries(
  Object.keys(list).map((name) => [name, typeNamed(name as TypeName)]),
) as { readonly [Name in TypeName]: PtxType<Name> };

const byName: ReadonlyMap<string, PtxType> = new Map(Object.entries(types));

/** Types of registers, variables and parameters (PTX ISA section 5.2.1). */
const fundamental: ReadonlySet<PtxType> = new Set([
  ...[types.b8, types.u8, types.s8],
  ...[types.b16, types.u16, types.s16, types.f16, types.bf16],
  ...[types.b32, types.u32, types.s32, types.f32, types.f16x2, types.bf16x2, types.pred],
  ...[types.b64, types.u64, types.s64, types.f64, types.f32x2, types.b128],
]);

/** The type that a word names; undefined for a word that names none. */
export function findType(word: string): PtxType | undefined {
  return byName.get(word);
}

/** The type that a declaration names; undefined for a word that names none, or none that can be declared. */
export function findDeclaredType(word: string): PtxType | undefined {
  const type = byName.get(word);
  return type && fundamental.has(type) ? type : undefined;
}

/** An unsigned integer of so many bytes: 1, 2, 4 or 8. */
export function unsignedOfSize(bytes: number): PtxType {
  const type = byName.get(`u${8 * bytes}`);
  invariant(type, `an unsigned integer has 1, 2, 4 or 8 bytes, not ${bytes}`);
  return type;
}

/** Numbers with a format: those of IEEE 754 and bfloat16, packed ones included. */
export function isFloat({ kind }: PtxType): boolean {
  return kind === "float" || kind === "bfloat";
}

/** The format of a floating-point type. */
export function formatOf({ name, format }: PtxType): FloatFormat {
  return known(format, `the format of ${name}`);
}

/** What is added to an exponent before it is kept. */
export function biasOf({ exponent }: FloatFormat): number {
  return 2 ** (exponent - 1) - 1;
}

/** Bits of the greatest finite number. */
export function greatestOf({ exponent, fraction, ones }: FloatFormat): number {
  const all = 2 ** (exponent + fraction) - 1;
  return ones === "numbers" ? all - 1 : all - 2 ** fraction;
}

/** Integers with a sign, packed ones included. */
export function isSigned({ kind }: PtxType): boolean {
  return kind === "signed";
}

/** Two numbers in one register. */
export function isPacked({ count }: PtxType): boolean {
  return count === 2;
}

/** A single number of 16 bits, whatever it means. */
export function isHalfWord({ bits, count }: PtxType): boolean {
  return bits === 16 && count === 1;
}

/** Kind of a register file slot: 32 bits a lane (also for smaller types and predicates) or 64. */
export function isWide({ bytes }: PtxType): boolean {
  return bytes === 8;
}

/** The type of a register by its number. */
export function registerType(registers: readonly PtxType[], register: number): PtxType {
  const type = registers[register];
  invariant(type, "an operand names a register that is declared");
  return type;
}
