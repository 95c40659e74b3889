/** What is asked of the parts of a text. */
interface PartQuestion<Part, Value> {
  /** What a value depends on beside the context, above all its part's text; undefined: it is not kept. */
  readonly keyOf: (part: Part) => string | undefined;
  readonly find: (part: Part) => Value;
}

/**
 * What was found in the parts of a text, from one version of the text to the next: while somebody types, all
 * parts but one stay what they are.
 */
export class PartMemory<Value extends object> {
  private kept: ReadonlyMap<string, Value> = new Map();
  private context = "";

  /** Lets go of what was found of some parts, by their keys. */
  forget(isMeant: (key: string) => boolean): void {
    this.kept = new Map([...this.kept].filter(([key]) => !isMeant(key)));
  }

  /**
   * A value for each part, in their order; those of the call before under the same context are taken over.
   */
  of<Part>(
    parts: readonly Part[],
    context: string,
    { keyOf, find }: PartQuestion<Part, Value>,
  ): readonly Value[] {
    const before = context === this.context ? this.kept : new Map<string, Value>();
    const now = new Map<string, Value>();
    const values = parts.map((part) => {
      const key = keyOf(part);
      if (key === undefined) return find(part);
      const value = now.get(key) ?? before.get(key) ?? find(part);
      now.set(key, value);
      return value;
    });
    this.kept = now;
    this.context = context;
    return values;
  }
}
