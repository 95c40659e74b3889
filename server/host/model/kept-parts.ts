import type { WantableField } from "./failure";
import type { Delivered } from "./protocols/protocol";

const answersAtMost = 200;

/**
 * What a server wants back with its earlier answers, found by what the answer said: ids of calls are the
 * session's own by then. An answer that was shortened since, or that a resumed session read from its log, has
 * nothing here, and the server does without.
 */
export class KeptParts {
  /** What the server was found to want back with each of its answers. */
  readonly wanted = new Set<WantableField>();
  private readonly parts = new Map<string, readonly object[]>();

  keep(answer: Delivered): void {
    if (!answer.kept || answer.kept.length === 0) return;
    this.parts.set(keyOf(answer), answer.kept);
    const [oldest] = this.parts.keys();
    if (this.parts.size > answersAtMost && oldest !== undefined) this.parts.delete(oldest);
  }

  of(answer: Pick<Delivered, "text" | "toolCalls">): readonly object[] {
    return this.parts.get(keyOf(answer)) ?? [];
  }
}

function keyOf({ text, toolCalls }: Pick<Delivered, "text" | "toolCalls">): string {
  return JSON.stringify([text, toolCalls.map(({ name, rawArguments }) => [name, rawArguments])]);
}
