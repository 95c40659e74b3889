import { counterChanges, termNames } from "../../core/words/describe";
import { describeNanoseconds, groupDigits } from "../../core/words/quantities";
import type { ProposalSide } from "../../core/trajectory/events";

/** Table rows: what was counted before and after, and the modelled bound with its terms. */
export function comparisonRows(proposal: {
  readonly before: ProposalSide;
  readonly after: ProposalSide;
}): readonly (readonly string[])[] {
  const changes = counterChanges(proposal.before.counters.totals, proposal.after.counters.totals);
  const term = (side: ProposalSide, name: string): string => describeNanoseconds(side.bound.terms[name] ?? 0);
  return [
    ["counter", "before", "after"],
    ...changes.map((change) => [change.label, groupDigits(change.before), groupDigits(change.after)]),
    [
      "modelled bound",
      describeNanoseconds(proposal.before.bound.nanoseconds),
      describeNanoseconds(proposal.after.bound.nanoseconds),
    ],
    ...termNames(proposal.before.bound, proposal.after.bound).map((name) => [
      `  ${name}`,
      term(proposal.before, name),
      term(proposal.after, name),
    ]),
  ];
}
