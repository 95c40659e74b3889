import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import { asSentence } from "../../../core/base/text";
import { candidateHead, candidateName, resourceWords } from "../../../core/words/names/names";
import type { TieBreaker } from "../../../core/judge/comparison";
import type { Verdict } from "../../../core/judge/verdict";
import type { CorrectSummary } from "../../../core/judge/verdict-summary";
import { counterChanges, describeDiagnostic, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import { describeNanoseconds, groupDigits, signedPercent } from "../../../core/words/quantities";
import { inline } from "../../../core/trajectory/export/markdown-text";
import type { CandidateRecord } from "../../../core/trajectory/reduce";
import { type ShownTimeKind, shownTimeKind, timeOfKind } from "../../../core/trajectory/proposal/shown-time";
import { baselineId } from "../../../core/trajectory/state";
import { caseTable, shapeTable } from "./facts/grounds";

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
      ...(isBaseline ? [] : ["", ...shapeTable(baseline, verdict)]),
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
 * Says of a candidate of a session `15.8 µs simulated, −78%`: the time of a correct one, and the change
 * against the baseline's; `5.39 µs, −78%` where figures are bounds. Where the times are equal and something
 * else decided, that one: `5.39 µs, global sectors −78%`.
 */
export function candidateFigures(
  candidates: readonly CandidateRecord[],
): (record: CandidateRecord) => string | undefined {
  const kind = shownTimeKind(candidates);
  const baseline = candidates.find(({ id }) => id === baselineId)?.verdict;
  return ({ id, verdict }) => {
    if (verdict?.kind !== "correct") return undefined;
    const own = timeOfKind(verdict, kind) === undefined ? "bound" : kind;
    const told = timeText(verdict, { own, kind });
    if (id === baselineId || baseline?.kind !== "correct") return told;
    const [now, then] = [verdict, baseline].map((each) => timeOfKind(each, own));
    if (now === undefined || then === undefined) return told;
    return `${told}, ${changeText(verdict.change, now / then - 1)}`;
  };
}

/** How far a version's time changed, or where that is not what decided, what did. */
function changeText(decisive: CorrectSummary["change"], time: number): string {
  const change = signedPercent(time);
  if (decisive === undefined || decisive.gain === 0) return change;
  const gain = signedPercent(-decisive.gain);
  if (decisive.by === "host calls") return t`with host calls ${gain}`;
  const elsewhere = elsewhereDecided[decisive.by];
  return change === "0%" && elsewhere !== undefined ? `${retold(elsewhere)} ${gain}` : change;
}

/** `own`: the time that is known of this version; `kind`: that of the figures beside it. */
function timeText(
  verdict: CorrectSummary,
  { own, kind }: { readonly own: ShownTimeKind; readonly kind: ShownTimeKind },
): string {
  const time = describeNanoseconds(timeOfKind(verdict, own) ?? verdict.bound.nanoseconds);
  if (own === "simulation") return t`${time} simulated`;
  return kind === "bound" ? time : t`modelled bound ${time}`;
}

/** What may decide where the shown times are equal, and what it is called. */
const elsewhereDecided: Readonly<Record<string, string>> = {
  bound: "modelled bound",
  "atomic passes": "atomic passes",
  "global sectors": "global sectors",
  "shared wavefronts": "shared wavefronts",
  "warp instructions": "warp instructions",
  "places without a warp": "places without a warp",
} satisfies Readonly<Record<TieBreaker | "bound", string>>;
