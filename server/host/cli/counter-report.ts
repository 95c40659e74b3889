import { type LineCounters } from "../../core/kernel/counters";
import { counterChanges, describeNanoseconds, lineFaults, machineLineOf } from "../../core/kernel/describe";
import type { KernelCounters } from "../../core/kernel/counters";
import type { CompiledFacts } from "../../core/kernel/verdict";
import type { ProposalSide } from "../../core/trajectory/events";

/** Table rows: what was counted before and after, and the modelled bound with its terms. */
export function comparisonRows(proposal: { readonly before: ProposalSide; readonly after: ProposalSide }): readonly (readonly string[])[] {
  const changes = counterChanges(proposal.before.counters.totals, proposal.after.counters.totals);
  const terms = Object.keys({ ...proposal.before.bound.terms, ...proposal.after.bound.terms });
  const term = (side: ProposalSide, name: string): string => describeNanoseconds(side.bound.terms[name] ?? 0);
  return [
    ["counter", "before", "after"],
    ...changes.map((change) => [change.label, String(change.before), String(change.after)]),
    ["modelled bound", describeNanoseconds(proposal.before.bound.nanoseconds), describeNanoseconds(proposal.after.bound.nanoseconds)],
    ...terms.map((name) => [`  ${name}`, term(proposal.before, name), term(proposal.after, name)]),
  ];
}

/** Table rows of a profile: one for each line of the user's files that executed, with its machine code and what is wasteful on it. */
export function profileRows(counters: KernelCounters, facts: readonly CompiledFacts[]): readonly (readonly string[])[] {
  const machine = (line: LineCounters): readonly [string, string] => {
    const found = machineLineOf(facts, line.file, line.line);
    return found === undefined ? ["", ""] : [String(found.instructions), String(found.staticStallCycles)];
  };
  const sectors = (line: LineCounters): string => pair(line.globalLoadSectors + line.globalStoreSectors, line.globalLoadSectorsIdeal + line.globalStoreSectorsIdeal);
  return [
    ["line", "executed", "SASS", "stalls", "global sectors (ideal)", "shared wavefronts (ideal)", "what"],
    ...counters.lines.map((line) => [
      `${line.file}:${line.line}`,
      String(line.instructions),
      ...machine(line),
      sectors(line),
      pair(line.sharedWavefronts, line.sharedWavefrontsIdeal),
      lineFaults(line).map((fault) => fault.text).join("; "),
    ]),
  ];
}

function pair(value: number, ideal: number): string {
  return value === 0 && ideal === 0 ? "" : `${value} (${ideal})`;
}
