/** What the kernel "integers" computes for element i. */
export function integersReference(bytes: Int8Array, words: Uint16Array, i: number): bigint {
  const table = Array.from({ length: 16 }, (_, k) => bytes[(i + k) % bytes.length]! * (k + 1));
  let sum = 0n;
  for (let k = 0; k < 16; k += 1) sum = BigInt.asIntN(64, sum * 31n + BigInt(table[(words[i]! + k) & 15]!));
  const popcount = BigInt(BigInt.asUintN(64, sum).toString(2).replaceAll("0", "").length);
  const reversed = BigInt(
    Number.parseInt((bytes[i]! >>> 0).toString(2).padStart(32, "0").split("").reverse().join(""), 2),
  );
  const high = BigInt.asIntN(32, (BigInt.asIntN(32, sum) * 12345n) >> 32n);
  return BigInt.asIntN(
    64,
    sum / 7n + (sum % 11n) + popcount + BigInt(Math.clz32(words[i]!)) + reversed + high,
  );
}
