/** The least multiple of `align` that is not below the value. */
export function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

/** How many of the low 32 bits are set. */
export function bitCount(word: number): number {
  let value = word - ((word >>> 1) & 0x5555_5555);
  value = (value & 0x3333_3333) + ((value >>> 2) & 0x3333_3333);
  return (((value + (value >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
