/** Bytes of the values that are looked for, the widest first. */
const units = [8, 4, 2, 1];

/** Whether bytes are one value repeated, of whatever size: what `zeros`, `full`, `empty`, `memset` give. */
export function isOneValue(bytes: Uint8Array): boolean {
  const { byteLength } = bytes;
  // What repeats after one, two or four bytes does so after eight as well.
  const unit = units.find((each) => byteLength % each === 0) ?? 1;
  for (let place = unit; place < byteLength; place += 1)
    if (bytes[place] !== bytes[place - unit]) return false;
  return true;
}
