import type { ModelRequest, TokenUsage } from "../../core/ports/model";
import { type AnswerReader, type Delivered, noUsage } from "./protocols/protocol";
import { costOf, estimateTokens, type Price, tokensOfText } from "./pricing";

/** Adds up all attempts of one request, those included that failed after something was delivered. */
export class Bill {
  private cost: number | null;
  private readonly parts: TokenUsage[] = [];

  constructor(
    private readonly price: Price | null,
    private readonly request: ModelRequest,
  ) {
    this.cost = price ? 0 : null;
  }

  get costUsd(): number | null {
    return this.cost;
  }

  /**
   * An attempt that delivered nothing is not billed; one that was cut off is, and without a count it is
   * estimated upwards.
   */
  addFailed(reader: AnswerReader): void {
    if (reader.usage) this.add(reader.usage, reader.characters);
    else if (reader.characters > 0) this.add(noUsage, reader.characters);
  }

  withDelivered(delivered: Delivered): { readonly usage: TokenUsage; readonly costUsd: number | null } {
    const calls = delivered.toolCalls.reduce((sum, call) => sum + call.rawArguments.length, 0);
    this.add(delivered.usage ?? noUsage, delivered.text.length + (delivered.reasoning?.length ?? 0) + calls);
    return { usage: sumUsage(this.parts), costUsd: this.cost };
  }

  private add(usage: TokenUsage, characters: number): void {
    this.parts.push(usage);
    if (!this.price || this.cost === null) return;
    const estimated =
      (this.price.input * estimateTokens(this.request) + this.price.output * tokensOfText(characters)) / 1e6;
    this.cost = Math.round((this.cost + (costOf(this.price, usage) ?? estimated)) * 1e9) / 1e9;
  }
}

/** Field by field; a field is unknown as soon as one attempt did not say. */
function sumUsage(parts: readonly TokenUsage[]): TokenUsage {
  const sum = (pick: (usage: TokenUsage) => number | null): number | null =>
    parts.map(pick).reduce((a, b) => (a === null || b === null ? null : a + b), 0);
  return {
    inputUncached: sum((usage) => usage.inputUncached),
    cacheRead: sum((usage) => usage.cacheRead),
    cacheWrite: sum((usage) => usage.cacheWrite),
    output: sum((usage) => usage.output),
    reasoning: sum((usage) => usage.reasoning),
  };
}
