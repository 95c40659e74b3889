import { retold, t } from "../base/localized";
import { invariant } from "../base/assert";
import type { CounterName } from "../timing/counters";
import type { LineFault } from "./line-faults";
import table from "./usual-help.json";

const helps: Readonly<Partial<Record<CounterName, string>>> = table;

/** What usually helps against faults of a line, each once, in their order; no sentence for no fault. */
export function usualHelp(faults: readonly Pick<LineFault, "counter">[]): string {
  const words = [...new Set(faults.map(({ counter }) => counter))].map((counter) => {
    const help = helps[counter];
    invariant(help !== undefined, `usual-help.json has nothing for ${counter}`);
    return retold(help);
  });
  return words.length === 0 ? "" : t`What usually helps: ${words.join("; ")}.`;
}
