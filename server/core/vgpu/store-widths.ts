/**
 * Bytes of the widest value that kernels with detectors have stored to each allocation: they tell padding
 * from what was forgotten.
 */
export class StoreWidths {
  private readonly widths = new Map<bigint, number>();

  /** A kernel has stored a value of so many bytes to the allocation that starts at `address`. */
  note(address: bigint, bytes: number): void {
    if (bytes > this.of(address)) this.widths.set(address, bytes);
  }

  of(address: bigint): number {
    return this.widths.get(address) ?? 0;
  }

  forget(address: bigint): void {
    this.widths.delete(address);
  }
}

/** Alignment and padding of three values of four bytes that are loaded together as four. */
const [quad, fourth] = [16, 4];

/**
 * Counts the bytes of [from, to) to which nothing was stored (`written`: 0 for each), but for the padding of
 * structures: gaps of fewer bytes than the widest value, and the last four bytes of units of 16 when those of
 * the unit before or behind hold nothing either.
 */
export function forgottenBytes(
  written: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  widest: number,
): number {
  const isGap = (start: number, bytes: number): boolean =>
    start >= from && start + bytes <= to && !written.subarray(start, start + bytes).includes(1);
  let missing = 0;
  for (let at = written.indexOf(0, from); at >= 0 && at < to;) {
    const next = written.indexOf(1, at);
    const bytes = (next < 0 || next > to ? to : next) - at;
    const isFourth = bytes === fourth && (at + bytes) % quad === 0;
    const isPadding = bytes < widest || (isFourth && (isGap(at - quad, bytes) || isGap(at + quad, bytes)));
    if (!isPadding) missing += bytes;
    at = written.indexOf(0, at + bytes);
  }
  return missing;
}
