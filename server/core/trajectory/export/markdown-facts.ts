import { describeTarget } from "../../words/names/names";
import { describeCount, describeDollars, describeMinutes, plural } from "../../words/quantities";
import { endingWords } from "../proposal/endings";
import { describeSpending, spendingOf } from "../proposal/spending";
import { baselineId, type SessionState } from "../state";
import { askedModels, describeAsked } from "../talk/asked-models";
import { hardwareLabel } from "./content";
import type { ExportInput } from "./exporter";
import { inline, table } from "./markdown-text";

/** What was asked, how it ended and what it took. */
export function factsTable(input: ExportInput, state: SessionState): string {
  const { task, used, limits } = state;
  const clean = input.clean;
  const models = askedModels(input.events);
  const proposed = state.candidates.filter((candidate) => candidate.id !== baselineId).length;
  const [time, dollars] = [describeMinutes(used.minutes), describeDollars(used.usd)];
  const spent = limits ? `${dollars} of ${describeDollars(limits.usd)}` : dollars;
  const rows: (readonly [string, string])[] = [
    ["Outcome", inline(clean(state.reason))],
    ["Target", inline(clean(task === undefined ? "unknown" : describeTarget(task.target)))],
    ["Judged on", inline(hardwareLabel(task?.target))],
    ["Strategy", inline(clean([task?.strategy, task?.model].filter(Boolean).join(", ")))],
    ["Started", inline(clockTime(state.started))],
    [
      "Ended",
      inline(
        clockTime(
          input.events.findLast((event) => event.type === "session.ended")?.ts ?? "no end in the log",
        ),
      ),
    ],
    ["Ended by", inline(clean(endingWords(state.ending)))],
    ["Spent", describeSpending(spendingOf(state))],
    ["Time", limits ? `${time} of ${describeMinutes(limits.minutes)}` : time],
    ...gpuRow(state),
    ["Candidates", limits ? `${proposed} of ${limits.candidates}` : String(proposed)],
    [
      "Model",
      used.modelCalls === 0
        ? "not asked"
        : [plural(used.modelCalls, "call"), ...tokensOf(state), spent].join(", "),
    ],
    ...(models.length < 2 ? [] : models.map((each) => ["", inline(clean(describeAsked(each)))] as const)),
  ];
  return table(["", ""], rows);
}

/** For how long a real GPU was held, where one was or might be. */
function gpuRow({ used, limits }: SessionState): readonly (readonly [string, string])[] {
  const limit = limits?.gpuMinutes;
  if (limit === undefined && used.gpuMinutes === undefined) return [];
  const held = describeMinutes(used.gpuMinutes ?? 0);
  return [["GPU", limit === undefined ? held : `${held} of ${describeMinutes(limit)}`]];
}

/** The tokens of all calls, where they were counted. */
function tokensOf({ used, limits }: SessionState): readonly string[] {
  if (used.tokens === undefined) return [];
  const most = limits?.tokens === undefined ? "" : ` of ${describeCount(limits.tokens)}`;
  return [`${describeCount(used.tokens)}${most} tokens`];
}

/** `2026-11-26 15:25:10 UTC`: a report reads the same wherever it is made. */
function clockTime(timestamp: string): string {
  return timestamp.replace(/^([\d-]+)T([\d:]+)(\.\d+)?Z$/, "$1 $2 UTC");
}
