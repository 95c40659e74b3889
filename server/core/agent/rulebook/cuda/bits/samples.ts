/** Numbers on which code about bits is tried: the ends, single bits, runs of bits, and some of no order. */
export function samplesOf(bits: number): readonly bigint[] {
  const most = (1n << BigInt(bits)) - 1n;
  const singles = Array.from({ length: bits }, (_, place) => 1n << BigInt(place));
  const runs = singles.filter((_, place) => place % 5 === 0).map((one) => one - 1n);
  const mixed: bigint[] = [];
  for (let [count, state] = [0, 0x9e3779b97f4a7c15n]; count < 24; count += 1) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    mixed.push((state >> 7n) & most & (count % 3 === 0 ? 0xffn : most));
  }
  return [...new Set([0n, 1n, most, most >> 1n, most - 1n, 0x12345678n, ...singles, ...runs, ...mixed])];
}
