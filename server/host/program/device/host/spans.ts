/** Bytes of an allocation: `to` is behind the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The spans in order, with those in one that touch. */
export function joinedSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const before = joined.at(-1);
    if (before === undefined || span.from > before.to) joined.push(span);
    else joined.splice(-1, 1, { from: before.from, to: Math.max(before.to, span.to) });
  }
  return joined;
}

/** The span without what is the same in both contents at its start and at its end. */
export function changedSpan(from: number, before: Uint8Array, after: Uint8Array): Span {
  let [first, last] = [0, after.byteLength];
  while (first < last && before[first] === after[first]) first += 1;
  while (last > first && before[last - 1] === after[last - 1]) last -= 1;
  return { from: from + first, to: from + last };
}

/**
 * A class of lengths in bytes, two for each power of two. No usual length lies near the end of a class, so
 * that a few bytes more or less change nothing.
 */
export function lengthClass(bytes: number): number {
  return Math.round(2 * Math.log2(bytes));
}
