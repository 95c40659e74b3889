/** What is asked of the parts of a text. */
interface PartQuestion<Part, Value> {
  /** What a value depends on beside the context, above all its part's text; undefined: it is not kept. */
  readonly keyOf: (part: Part) => string | undefined;
  readonly find: (part: Part) => Value;
}

/** What was found in one part. */
interface KeptPart<Value> {
  readonly key: string;
  readonly value: Value;
}

/** So many parts are looked at before and behind the place where a part is expected. */
const window = 4;

/**
 * What was found in the parts of a text, from one version of the text to the next: while somebody types, all
 * parts but one stay what they are.
 */
export class PartMemory<Value extends object> {
  /** In the order of the parts. */
  private kept: readonly KeptPart<Value>[] = [];
  private context = "";

  /** Lets go of what was found of some parts, by their keys. */
  forget(isMeant: (key: string) => boolean): void {
    this.kept = this.kept.filter(({ key }) => !isMeant(key));
  }

  /**
   * A value for each part, in their order; those of the call before under the same context are taken over.
   */
  of<Part>(
    parts: readonly Part[],
    context: string,
    { keyOf, find }: PartQuestion<Part, Value>,
  ): readonly Value[] {
    const before = new EarlierParts(context === this.context ? this.kept : []);
    const now: KeptPart<Value>[] = [];
    const values = parts.map((part) => {
      const key = keyOf(part);
      if (key === undefined) return find(part);
      const value = before.valueOf(key) ?? find(part);
      now.push({ key, value });
      return value;
    });
    this.kept = now;
    this.context = context;
    return values;
  }
}

/**
 * The parts of the version before. A part mostly stands where it stood, and is found there by comparing: to
 * look a long key up, all of it is read for its hash.
 */
class EarlierParts<Value> {
  private expected = 0;
  private missed = 0;
  private byKey: ReadonlyMap<string, Value> | undefined;

  constructor(private readonly parts: readonly KeptPart<Value>[]) {}

  valueOf(key: string): Value | undefined {
    const near = this.near(key);
    if (near !== undefined) return near;
    this.missed += 1;
    // What was typed into is nowhere; where many parts are, they have been moved.
    if (this.missed <= window) return undefined;
    this.byKey ??= new Map(this.parts.map((part) => [part.key, part.value]));
    return this.byKey.get(key);
  }

  private near(key: string): Value | undefined {
    const { parts, expected } = this;
    for (let distance = 0; distance <= window; distance += 1)
      for (const index of distance === 0 ? [expected] : [expected + distance, expected - distance]) {
        const part = parts[index];
        if (part?.key !== key) continue;
        this.expected = index + 1;
        return part.value;
      }
    this.expected += 1;
    return undefined;
  }
}
