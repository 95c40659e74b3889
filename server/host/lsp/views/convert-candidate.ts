import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import { asSentence } from "../../../core/base/text";
import { candidateHead, candidateName, resourceWords } from "../../../core/words/names/names";
import type { TieBreaker } from "../../../core/judge/comparison";
import type { Verdict } from "../../../core/judge/verdict";
import type { CorrectSummary } from "../../../core/judge/verdict-summary";
import { counterChanges, describeDiagnostic, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import { describeNanoseconds, groupDigits } from "../../../core/words/quantities";
import type { ModelledTimeKind } from "../../../protocol/views";
import { inline } from "../../../core/trajectory/export/markdown-text";
import type { CandidateRecord } from "../../../core/trajectory/reduce";
import { baselineId } from "../../../core/trajectory/state";
import { caseTable } from "./facts/grounds";

/** Everything that is known of a candidate, as a page. */
export const candidateDetail = shown(
  (
    record: CandidateRecord,
    { verdict, baseline, maker }: CandidateFindings,
    candidates: readonly CandidateRecord[],
  ): string => {
    const { hypothesis, stage, reason } = record;
    const isBaseline = record.id === baselineId;
    const figures = candidateFigures(candidates)(record);
    const [why, said] = [retold(reason), verdict === null ? "" : describeVerdict(verdict)];
    return [
      `# ${candidateHead(record.id)}${figures === undefined ? "" : `: ${figures}`}`,
      "",
      ...(isBaseline ? [] : [inline(retold(hypothesis)), ""]),
      [t`Last stage: ${retold(stage)}`, ...(isBaseline ? [] : [inline(retold(maker))])].join(" · "),
      "",
      ...(reason === "" || why === said ? [] : [inline(asSentence(why)), ""]),
      ...(verdict === null ? [t`Not judged.`] : verdictLines(verdict)),
      ...counterLines(record.id, verdict, baseline),
      "",
    ].join("\n");
  },
);

/** What the log says of a candidate and of the version that all are compared with. */
interface CandidateFindings {
  readonly verdict: Verdict | null;
  readonly baseline: Verdict | null;
  /** Who made it, in words. */
  readonly maker: string;
}

function verdictLines(verdict: Verdict): readonly string[] {
  const head = [`**${asSentence(describeVerdict(verdict))}**`, ""];
  switch (verdict.kind) {
    case "correct":
      return [...head, ...caseTable(verdict), ...termTable(verdict.bound.terms)];
    case "wrong":
      return [...head, ...caseTable(verdict)];
    case "did-not-parse":
    case "did-not-compile":
      return [...head, ...verdict.diagnostics.map((each) => `- ${inline(describeDiagnostic(each))}`)];
    default:
      return head;
  }
}

const shownFaults = 5;

/** What was counted of a correct candidate: the sums that differ from the baseline's, and lines at fault. */
function counterLines(id: string, verdict: Verdict | null, baseline: Verdict | null): readonly string[] {
  if (verdict?.kind !== "correct") return [];
  const changes =
    baseline?.kind === "correct" ? counterChanges(baseline.counters.totals, verdict.counters.totals) : [];
  const faults = kernelFaults(verdict.counters).slice(0, shownFaults);
  return [
    ...(changes.length === 0
      ? []
      : [
          "",
          t`| counter | baseline | ${candidateName(id)} |`,
          "| --- | ---: | ---: |",
          ...changes.map(
            ({ label, before, after }) =>
              `| ${retold(label)} | ${groupDigits(before)} | ${groupDigits(after)} |`,
          ),
        ]),
    ...(faults.length === 0 ? [] : ["", t`Lines at fault:`, ""]),
    ...faults.map(({ line, text }) => `- ${line.file}:${line.line}: ${text}`),
  ];
}

function termTable(terms: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(terms).sort(([, a], [, b]) => b - a);
  return [
    t`| term of the modelled bound | time |`,
    "| --- | ---: |",
    ...rows.map(([name, nanoseconds]) => `| ${resourceWords(name)} | ${describeNanoseconds(nanoseconds)} |`),
  ];
}

/**
 * Says of a candidate of a session `5.39 µs, −78%`: the time of a correct one, and the change against the
 * baseline's; where the times are equal and a counter decided, that one: `5.39 µs, global sectors −78%`.
 */
export function candidateFigures(
  candidates: readonly CandidateRecord[],
): (record: CandidateRecord) => string | undefined {
  const timeOf = shownTime(candidates);
  const baseline = candidates.find(({ id }) => id === baselineId)?.verdict;
  return ({ id, verdict }) => {
    if (verdict?.kind !== "correct") return undefined;
    const time = timeOf(verdict);
    const own = describeNanoseconds(time);
    if (id === baselineId || baseline?.kind !== "correct") return own;
    const change = signedPercent(time / timeOf(baseline) - 1);
    if (change !== "0%") return `${own}, ${change}`;
    const { change: decisive } = verdict;
    return decisive !== undefined && countersThatDecide.has(decisive.by) && decisive.gain !== 0
      ? `${own}, ${retold(decisive.by)} ${signedPercent(-decisive.gain)}`
      : `${own}, 0%`;
  };
}

/** The modelled time that the figures of a session show, in nanoseconds; see `timeKind`. */
export function shownTime(candidates: readonly CandidateRecord[]): (verdict: CorrectSummary) => number {
  const kind = timeKind(candidates);
  return (verdict) => timeOfKind(verdict, kind) ?? verdict.bound.nanoseconds;
}

/** Undefined where that time is not known of the version. */
export function timeOfKind({ bound }: CorrectSummary, kind: ModelledTimeKind): number | undefined {
  return kind === "simulation" ? bound.simulatedNanoseconds : bound.nanoseconds;
}

/**
 * Which modelled time the figures of a session show: that of the simulation where it decided between any
 * candidate and the baseline and is known of all, else the bound. One for all, so that they can be compared
 * with each other.
 */
export function timeKind(candidates: readonly CandidateRecord[]): ModelledTimeKind {
  const correct = candidates.flatMap(({ verdict }) => (verdict?.kind === "correct" ? [verdict] : []));
  const baseline = candidates.find(({ id }) => id === baselineId)?.verdict;
  const isSimulated =
    baseline?.kind === "correct" &&
    correct.every(({ bound }) => bound.simulatedNanoseconds !== undefined) &&
    correct.some(({ change }) => change?.by === "simulation");
  return isSimulated ? "simulation" : "bound";
}

const countersThatDecide: ReadonlySet<string> = new Set<TieBreaker>([
  "atomic passes",
  "global sectors",
  "shared wavefronts",
  "warp instructions",
  "places without a warp",
]);

function signedPercent(fraction: number): string {
  const percent = Math.round(fraction * 100);
  if (percent === 0) return "0%";
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;
}
