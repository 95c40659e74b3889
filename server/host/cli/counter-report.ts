import { termOf } from "../../core/timing/bound";
import type { HostTime } from "../../core/timing/host/host-calls";
import { counterChanges } from "../../core/words/describe";
import { describeSimulated, termNames } from "../../core/words/names/bound-words";
import { describeNanoseconds, groupDigits } from "../../core/words/quantities";
import { describeEnding } from "../../core/trajectory/proposal/endings";
import { askedModels, describeAsked } from "../../core/trajectory/talk/asked-models";
import type { SessionEvent } from "../../core/trajectory/events";
import { describeSpending, spendingOf } from "../../core/trajectory/proposal/spending";
import type { SessionState } from "../../core/trajectory/reduce";
import { describeScore } from "../../core/words/score";
import type { ProposalSide, ScoreSide } from "../../core/trajectory/events";
import { plain, printLine, type Terminal } from "./terminal";

export { askedModels } from "../../core/trajectory/talk/asked-models";
export { spendingOf } from "../../core/trajectory/proposal/spending";
export { outcomeWords } from "../../core/trajectory/proposal/outcome-words";
export { sidesOf } from "../../core/trajectory/proposal/sides";

/** Table rows: what was counted before and after, and the modelled bound with its terms. */
export function comparisonRows(proposal: {
  readonly before: ProposalSide;
  readonly after: ProposalSide;
}): readonly (readonly string[])[] {
  const changes = counterChanges(proposal.before.counters.totals, proposal.after.counters.totals);
  const term = (side: ProposalSide, name: string): string => describeNanoseconds(termOf(side.bound, name));
  const simulated = describeSimulated(proposal.before.bound, proposal.after.bound);
  return [
    ["counter", "before", "after"],
    ...changes.map((change) => [change.label, groupDigits(change.before), groupDigits(change.after)]),
    ...(simulated === undefined ? [] : [["simulated time", ...simulated.split(" → ")]]),
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
    ...hostRows(proposal.before.bound.host, proposal.after.bound.host),
  ];
}

/** What host code takes before and after; of a program what it takes more or less than it did. */
function hostRows(before: HostTime | undefined, after: HostTime | undefined): readonly (readonly string[])[] {
  const [then, now] = [before, after].map((host) => host?.nanoseconds ?? 0) as [number, number];
  if (then === 0 && now === 0) return [];
  if (after?.isRelative !== true)
    return [["host calls", describeNanoseconds(then), describeNanoseconds(now)]];
  const [word, difference] = now < then ? ["less", then - now] : ["more", now - then];
  return [["host calls", "", `${describeNanoseconds(difference)} ${word}`]];
}

/** Both scores of a target with a command, and whose number they are. */
export function printScores(
  terminal: Terminal,
  hypothesis: string,
  { before, after }: { readonly before: ScoreSide; readonly after: ScoreSide },
): void {
  printLine(terminal, plain(hypothesis));
  printLine(terminal, plain(`${describeScore(before.score)} → ${describeScore(after.score)}`));
  printLine(
    terminal,
    "The number is what the target's own command printed; Kernelwright counted and modelled nothing.",
  );
}

/** What ended a session, what its gains took, and what each model took where there were several. */
export function printCourse(
  terminal: Terminal,
  { state, events }: { readonly state: SessionState; readonly events: readonly SessionEvent[] },
): void {
  printLine(terminal, plain(`ended by ${describeEnding(state.ending)}`));
  printLine(terminal, `spent ${describeSpending(spendingOf(state))}`);
  const models = askedModels(events);
  if (models.length < 2) return;
  for (const model of models) printLine(terminal, plain(`of it the ${describeAsked(model)}`));
}
