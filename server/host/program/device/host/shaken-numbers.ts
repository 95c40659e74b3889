/** Of the numbers that host code handed to kernels, as they were before they were changed. */
interface ShakenSum {
  readonly bytes: number;
  /** Equal where the same numbers were handed over, in whatever order and by however many copies. */
  readonly digest: string;
}

/** Fewer bytes are settings rather than data. */
const leastBytes = 32;
/** Powers of two between which numbers of data lie; whole numbers read as floats lie far below. */
const range = { least: -60, most: 60 } as const;
/** Keeps signs, zeros and the order of numbers; changes sums, ratios and ones. */
const change = { factor: 1.1875, power: 1.0625 } as const;

/**
 * Changes the numbers of single precision that host code hands to kernels, each by its own value alone: two
 * programs that hand over the same numbers, laid out in whatever way, are given the same other ones. What
 * does not look like such numbers throughout stays as it is.
 */
export class ShakenNumbers {
  private bytes = 0;
  private readonly sums = new Uint32Array(2);

  /** Changes them where they lie. `content` begins at a multiple of four bytes. */
  shake(content: Uint8Array): void {
    const count = content.byteLength >> 2;
    const numbers = new Float32Array(content.buffer, content.byteOffset, count);
    const bits = new Uint32Array(content.buffer, content.byteOffset, count);
    if (content.byteLength < leastBytes || !looksLikeNumbers(numbers)) return;
    for (let index = 0; index < count; index += 1) {
      const value = numbers[index] ?? 0;
      if (value === 0) continue;
      this.note(bits[index] ?? 0);
      numbers[index] = Math.sign(value) * change.factor * Math.abs(value) ** change.power;
    }
  }

  sum(): ShakenSum {
    return { bytes: this.bytes, digest: `${this.bytes} ${this.sums.join(" ")}` };
  }

  private note(bits: number): void {
    this.bytes += 4;
    const mixed = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) >>> 0;
    this.sums[0] = (this.sums[0] ?? 0) + mixed;
    this.sums[1] = (this.sums[1] ?? 0) + Math.imul(mixed ^ (mixed >>> 13), 0x297a2d39);
  }
}

function looksLikeNumbers(numbers: Float32Array): boolean {
  const [least, most] = [2 ** range.least, 2 ** range.most];
  let some = false;
  for (const value of numbers) {
    const size = Math.abs(value);
    if (size === 0) continue;
    if (!(size >= least && size <= most)) return false;
    some = true;
  }
  return some;
}
