import { failureSaid } from "../../../core/workload/capture/failure-said";
import { printedDifference } from "../../../core/judge/printed";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { Finding } from "../../../core/judge/verdict";
import type { LastContent } from "../../../core/ports/entry-programs";
import { type Matched, matchContents } from "./last-contents";
import type { ProgramRan } from "./program-run";

/** What is compared of a candidate's run, and of a second one of the program as it was. */
export function matchRuns(
  { before, again, now }: Readonly<Record<"before" | "again" | "now", ProgramRan>>,
  about: Parameters<typeof matchContents>[2],
): Outcome<{ readonly paired: Matched; readonly repeated: Matched }, string> {
  const [old, second, present] = [before, again, now].map(({ outcome }) => outcome.program.lastContents) as [
    readonly LastContent[],
    readonly LastContent[],
    readonly LastContent[],
  ];
  const paired = matchContents(old, present, about);
  const repeated = matchContents(old, second, about);
  if (!paired.ok) return paired;
  if (!repeated.ok) return repeated;
  if (paired.value.pairs.length === 0) return fail("nothing that its kernel changes can be compared");
  return succeed({ paired: paired.value, repeated: repeated.value });
}

/** How a candidate's program ends and prints otherwise than two runs of the one as it was. */
export function differentEnds(
  before: ProgramRan,
  again: ProgramRan,
  now: ProgramRan,
): readonly Pick<Finding, "kind" | "message">[] {
  const [old, repeated, present] = [before.outcome.program, again.outcome.program, now.outcome.program];
  const exit = `the program ends with ${present.code}, the original with ${old.code}`;
  return [
    ...(old.code === present.code ? [] : [{ kind: "exit", message: exit }]),
    ...printedOtherwise([old.printed, repeated.printed, present.printed], ""),
    ...printedOtherwise([old.errors, repeated.errors, present.errors], " on standard error"),
  ];
}

/** The first line of a stream that is not as it was in two runs of the original. */
function printedOtherwise(
  texts: Parameters<typeof printedDifference>,
  where: string,
): readonly Pick<Finding, "kind" | "message">[] {
  const difference = printedDifference(...texts);
  if (difference === undefined) return [];
  const { now, before } = difference;
  return [{ kind: "printed", message: `the program prints "${now}"${where}, the original "${before}"` }];
}

/** What speaks against the program as it was: its reference may be wrong. */
export function saidBefore({ outcome: { program } }: ProgramRan): readonly string[] {
  const words = failureSaid(`${program.printed}\n${program.errors}`);
  return words === undefined ? [] : [`the program says "${words}", as it did before`];
}
