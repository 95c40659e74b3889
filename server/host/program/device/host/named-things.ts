/**
 * Names what a program has made (allocations, textures) by the order in which it is named first, so that the
 * same acts on others are the same. Which one of many it is tells, too: how many older ones had no name by
 * then is part of the first naming. What an earlier call has left behind is counted apart: a program that
 * frees less than it takes has more of it each time.
 */
export class NamedThings<Key> {
  private readonly numbers = new Map<Key, number>();
  private readonly left: ReadonlySet<Key>;

  /** `all`: what is there, the oldest first. */
  constructor(private readonly all: () => Iterable<Key>) {
    this.left = new Set(all());
  }

  name(key: Key): string {
    const known = this.numbers.get(key);
    if (known !== undefined) return String(known);
    const number = this.numbers.size;
    const older = this.olderWithoutName(key);
    this.numbers.set(key, number);
    return `${number} behind ${older}${this.left.has(key) ? " of an earlier call" : ""}`;
  }

  private olderWithoutName(key: Key): number {
    let older = 0;
    for (const each of this.all()) {
      if (each === key) break;
      if (!this.numbers.has(each) && this.left.has(each) === this.left.has(key)) older += 1;
    }
    return older;
  }
}
