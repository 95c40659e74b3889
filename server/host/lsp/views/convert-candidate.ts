import { compareVerdicts, type TieBreaker } from "../../../core/judge/comparison";
import { counterChanges, describeDiagnostic, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import { describeNanoseconds, groupDigits } from "../../../core/words/quantities";
import type { CandidateRecord } from "../../../core/trajectory/reduce";
import { baselineId } from "../../../core/trajectory/state";
import { caseTable } from "./convert-proposal";

/** Everything that is known of a candidate, as a page. */
export function candidateDetail(record: CandidateRecord, candidates: readonly CandidateRecord[]): string {
  const { hypothesis, origin, stage, reason, verdict } = record;
  return [
    `# ${hypothesis}`,
    "",
    `${origin} · ${record.id} · reached: ${stage}`,
    "",
    ...(reason === "" ? [] : [reason, ""]),
    ...(verdict === null ? ["Not judged."] : verdictLines(verdict)),
    ...counterLines(record, candidates),
    "",
  ].join("\n");
}

function verdictLines(verdict: NonNullable<CandidateRecord["verdict"]>): readonly string[] {
  const head = [`**${describeVerdict(verdict)}**`, ""];
  switch (verdict.kind) {
    case "correct":
      return [...head, ...caseTable(verdict), ...termTable(verdict.bound.terms)];
    case "wrong":
      return [...head, ...caseTable(verdict)];
    case "did-not-parse":
    case "did-not-compile":
      return [...head, ...verdict.diagnostics.map((each) => `- ${describeDiagnostic(each)}`)];
    default:
      return head;
  }
}

const shownFaults = 5;

/** What was counted of a correct candidate: the sums that differ from the baseline's, and lines at fault. */
function counterLines(
  { id, verdict }: CandidateRecord,
  candidates: readonly CandidateRecord[],
): readonly string[] {
  if (verdict?.kind !== "correct") return [];
  const baseline = candidates.find((each) => each.id === baselineId)?.verdict;
  const changes =
    baseline?.kind === "correct" ? counterChanges(baseline.counters.totals, verdict.counters.totals) : [];
  const faults = kernelFaults(verdict.counters).slice(0, shownFaults);
  return [
    ...(changes.length === 0
      ? []
      : [
          "",
          `| counter | baseline | ${id} |`,
          "| --- | ---: | ---: |",
          ...changes.map(
            ({ label, before, after }) => `| ${label} | ${groupDigits(before)} | ${groupDigits(after)} |`,
          ),
        ]),
    ...(faults.length === 0 ? [] : ["", "Lines at fault:", ""]),
    ...faults.map(({ line, text }) => `- ${line.file}:${line.line}: ${text}`),
  ];
}

function termTable(terms: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(terms).sort(([, a], [, b]) => b - a);
  return [
    "| term of the modelled bound | time |",
    "| --- | ---: |",
    ...rows.map(([name, nanoseconds]) => `| ${name} | ${describeNanoseconds(nanoseconds)} |`),
  ];
}

/**
 * `5.39 µs, −78 %`: the modelled bound of a correct candidate, and the change against the baseline's; where
 * the bounds are equal and a counter decided, that one: `5.39 µs, global sectors −78 %`.
 */
export function candidateFigure(
  record: CandidateRecord,
  candidates: readonly CandidateRecord[],
): string | undefined {
  if (record.verdict?.kind !== "correct") return undefined;
  const own = describeNanoseconds(record.verdict.bound.nanoseconds);
  const baseline = candidates.find(({ id }) => id === baselineId)?.verdict;
  if (record.id === baselineId || baseline?.kind !== "correct") return own;
  const change = signedPercent(record.verdict.bound.nanoseconds / baseline.bound.nanoseconds - 1);
  if (change !== "0 %") return `${own}, ${change}`;
  const { by, gain } = compareVerdicts(record.verdict, baseline);
  return countersThatDecide.has(by) && gain !== 0 ? `${own}, ${by} ${signedPercent(-gain)}` : `${own}, 0 %`;
}

const countersThatDecide: ReadonlySet<string> = new Set<TieBreaker>([
  "global sectors",
  "shared wavefronts",
  "warp instructions",
]);

function signedPercent(fraction: number): string {
  const percent = Math.round(fraction * 100);
  if (percent === 0) return "0 %";
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)} %`;
}
