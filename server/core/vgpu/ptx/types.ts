/**
 * Bytes of a fundamental type in memory (PTX ISA section 5.2); undefined for a word that is no type.
 * Predicates count as 4.
 */
export function typeBytes(type: string): number | undefined {
  return sizes.get(type);
}

const sizes: ReadonlyMap<string, number> = new Map([
  ["b8", 1],
  ["u8", 1],
  ["s8", 1],
  ["b16", 2],
  ["u16", 2],
  ["s16", 2],
  ["f16", 2],
  ["bf16", 2],
  ["b32", 4],
  ["u32", 4],
  ["s32", 4],
  ["f32", 4],
  ["f16x2", 4],
  ["bf16x2", 4],
  ["pred", 4],
  ["b64", 8],
  ["u64", 8],
  ["s64", 8],
  ["f64", 8],
  ["f32x2", 8],
  ["b128", 16],
]);

/** Floating-point types, packed ones included. */
export function isFloat(type: string): boolean {
  return /^b?f\d/.test(type);
}

/** Kind of a register file slot: 32 bits a lane (also for smaller types and predicates) or 64. */
export function isWide(type: string): boolean {
  return wideTypes.has(type);
}

const wideTypes: ReadonlySet<string> = new Set(
  [...sizes].flatMap(([type, bytes]) => (bytes === 8 ? [type] : [])),
);
