import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleInput, RuleProposal } from "../rule";
import type { RuleEntry } from "../rule-table";
import { threshold } from "../rule-table";
import { lineOf } from "../syntax";
import type { ElementStatement } from "./element-statement";
import { vectorWidth } from "./element-statement";

/**
 * Evidence and gain of making a statement's accesses wide; undefined when nothing is counted there, or they
 * are wide already.
 */
export function narrowAccess(
  input: RuleInput,
  entry: RuleEntry,
  element: ElementStatement,
): Pick<RuleProposal, "evidence" | "gain"> | undefined {
  const counts = countsOf(input, element.node);
  const requests = counts.globalLoadRequests + counts.globalStoreRequests;
  const bytes = counts.globalBytesRequested / Math.max(1, requests);
  if (requests === 0 || bytes > threshold(entry, "bytesPerRequestMost")) return undefined;
  const facts = {
    file: input.file,
    line: lineOf(element.assignment),
    counter: "globalStoreRequests" as const,
    value: counts.globalStoreRequests,
    ideal: Math.ceil(counts.globalStoreRequests / vectorWidth),
  };
  const loads = {
    ...facts,
    counter: "globalLoadRequests" as const,
    value: counts.globalLoadRequests,
    ideal: Math.ceil(counts.globalLoadRequests / vectorWidth),
  };
  const saved = shareSaved(
    (counts.instructions * (vectorWidth - 1)) / vectorWidth,
    input.counters.totals.instructions,
  );
  const shown = counts.globalLoadRequests > 0 ? loads : facts;
  return {
    evidence: evidenceFor(entry, shown, { bytes, what: counts.globalLoadRequests > 0 ? "load" : "store" }),
    gain: gainOn(input, ["issue"], saved),
  };
}
