/** The same call this many times is told to the model instead of being run; two more end the session. */
const toldAt = 3;
const stoppedAt = 5;

type Repetition = { readonly kind: "fresh" } | { readonly kind: "told" | "stop"; readonly times: number };

/**
 * Recognises a model that asks the same thing over and over while nothing has changed. Other calls in between
 * do not hide it.
 */
export class RepetitionWatch {
  private readonly times = new Map<string, number>();
  private version: number | undefined;

  /** Counts the call. A new `version` of what the answer depends on starts the count again. */
  see(name: string, rawArguments: string, version: number): Repetition {
    if (version !== this.version) this.times.clear();
    this.version = version;
    const signature = `${name}\n${rawArguments}`;
    const times = (this.times.get(signature) ?? 0) + 1;
    this.times.set(signature, times);
    if (times < toldAt) return { kind: "fresh" };
    return { kind: times >= stoppedAt ? "stop" : "told", times };
  }
}
