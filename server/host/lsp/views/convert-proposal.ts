import { retold, shown, t } from "../handshake/user-language";
import { candidateHead, describeTarget } from "../../../core/words/names/names";
import { type ProposalSides, sidesOf } from "../../../core/trajectory/proposal/sides";
import { describeScore } from "../../../core/words/score";
import { counterChanges, describeSizes, describeVerdict } from "../../../core/words/describe";
import { describeBound, describeSimulated } from "../../../core/words/names/bound-words";
import { describeNanoseconds, groupDigits } from "../../../core/words/quantities";
import { inline } from "../../../core/trajectory/export/markdown-text";
import type { Verdict } from "../../../core/judge/verdict";
import type { ProposedFile } from "../../../core/review/hunk";
import type { ProposalSide } from "../../../core/trajectory/events";
import type { ProposalRecord, SessionState } from "../../../core/trajectory/reduce";
import type { ProposalView } from "../../../protocol/views";
import { caseTable, faultLines, shapeTable, termRows } from "./facts/grounds";
import { type ReviewSource, reviewWords, toReviewStatus } from "./convert-review";

interface ProposalSource {
  readonly sessionId: string;
  /** Events that the state was reduced from. */
  readonly asOf: number;
  readonly state: SessionState;
  /** The whole verdict on the candidate of the proposal. */
  readonly verdict: Verdict | null;
  /** The whole verdict on the version that it is compared with. */
  readonly baseline: Verdict | null;
  readonly texts: readonly ProposedFile[];
  /** What is known of the review now. */
  readonly review: ReviewSource;
  readonly uriOf: (file: string) => string;
  /** Who made a candidate, by its origin, in words. */
  readonly makerOf: (origin: string) => string;
}

/** The proposal as the review shows it. */
export const toProposalView = shown((source: ProposalSource): ProposalView => {
  const { state, review, verdict } = source;
  const { proposal } = review;
  const candidate = state.candidates.find((record) => record.id === proposal.candidate);
  const line = verdictLine(verdict, proposal);
  return {
    sessionId: source.sessionId,
    asOf: source.asOf,
    kernel: state.task?.kernel ?? "",
    candidate: proposal.candidate,
    hypothesis: retold(candidate?.hypothesis ?? ""),
    files: source.texts.map((text) => ({ ...text, uri: source.uriOf(text.file) })),
    hunks: proposal.hunks,
    verdict: line,
    needsReview: reviewWords(verdict),
    review: toReviewStatus(review, line),
    detail: [...whyLines(candidate, source), proposalDetail(source, verdict)].join("\n"),
  };
});

/** `correct on 6 cases · modelled bound 12.4 µs → 3.1 µs (A100) · bank conflict ways 32 → 1`. */
function verdictLine(verdict: Verdict | null, proposal: ProposalRecord): string {
  const sides = sidesOf(proposal);
  // What has to be looked at stands first: whoever accepts has read it.
  const reviews = reviewWords(verdict);
  if (sides.kind === "scored")
    return t`${describeScore(sides.before.score)} → ${describeScore(sides.after.score)}, by its own command`;
  if (sides.kind === "mended")
    return [...reviews, casesText(verdict), costNow(sides), t`the baseline was wrong`].join(" · ");
  const { before, after } = sides;
  const change = counterChanges(before.counters.totals, after.counters.totals)[0];
  const simulated = describeSimulated(before.bound, after.bound);
  return [
    ...reviews,
    casesText(verdict),
    ...(simulated === undefined ? [] : [`${t`simulated time`} ${simulated}`]),
    t`modelled bound ${boundsText(before, after)} (${after.bound.gpu})`,
    ...(change === undefined
      ? []
      : [`${retold(change.label)} ${groupDigits(change.before)} → ${groupDigits(change.after)}`]),
  ].join(" · ");
}

/** A gain may lie in what the bound does not show: two equal times would look like a mistake. */
function boundsText({ bound: before }: ProposalSide, { bound: after }: ProposalSide): string {
  const [then, now] = [describeNanoseconds(before.nanoseconds), describeNanoseconds(after.nanoseconds)];
  return then === now ? t`${now} as before` : `${then} → ${now}`;
}

/** What a version costs that there is nothing to compare with. */
function costNow({ after }: Sides<"mended">): string {
  return "score" in after ? describeScore(after.score) : describeBound(after.bound);
}

type Sides<Kind extends ProposalSides["kind"]> = Extract<ProposalSides, { readonly kind: Kind }>;

function casesText(verdict: Verdict | null): string {
  if (verdict === null) return t`not judged`;
  if (verdict.kind !== "correct") return describeVerdict(verdict);
  const { length } = verdict.cases;
  return length === 1 ? t`correct on 1 case` : t`correct on ${length} cases`;
}

/** What the change is for, and who proposed it. */
function whyLines(
  candidate: SessionState["candidates"][number] | undefined,
  { makerOf }: Pick<ProposalSource, "makerOf">,
): readonly string[] {
  if (candidate === undefined || candidate.hypothesis === "") return [];
  const idea = retold(candidate.hypothesis);
  const head = headOf(idea);
  return [
    `# ${inline(head)}`,
    "",
    ...(head === idea ? [] : [inline(idea), ""]),
    `${candidateHead(candidate.id)} · ${retold(makerOf(candidate.origin))}`,
    "",
  ];
}

/** What is done, without why: a heading of five lines is none. */
function headOf(idea: string): string {
  return /^[^,(]+(?=, | \()/.exec(idea)?.[0].trimEnd() ?? idea;
}

function proposalDetail(source: ProposalSource, verdict: Verdict | null): string {
  const sides = sidesOf(source.review.proposal);
  switch (sides.kind) {
    case "scored":
      return scoreDetail(sides);
    case "counted":
      return countedDetail(sides, verdict, source.baseline);
    case "mended":
      return mendedDetail(sides, verdict);
  }
}

function countedDetail(
  { before, after }: Sides<"counted">,
  verdict: Verdict | null,
  baseline: Verdict | null,
): string {
  return [
    ...(verdict === null ? [] : [`**${describeVerdict(verdict)}**`, ""]),
    t`| counter | before | after |`,
    "| --- | ---: | ---: |",
    ...counterChanges(before.counters.totals, after.counters.totals).map(
      (change) =>
        `| ${retold(change.label)} | ${groupDigits(change.before)} | ${groupDigits(change.after)} |`,
    ),
    ...termRows(before, after),
    "",
    ...shapeTable(baseline, verdict),
    ...faultLines(t`Lines at fault before`, before),
    ...faultLines(t`Lines at fault after`, after),
    ...groundsOf(verdict, after),
  ].join("\n");
}

/** What was wrong before, then what is known of the version that is right. */
function mendedDetail({ before, after }: Sides<"mended">, verdict: Verdict | null): string {
  return [
    t`The baseline was not correct: ${retold(before.summary)}.`,
    "",
    ...(verdict === null ? [] : [`**${describeVerdict(verdict)}**`, ""]),
    t`There is no gain to tell: a version that is wrong has no cost to compare with.`,
    "",
    ...("score" in after ? [] : [...faultLines(t`Lines at fault`, after), ...groundsOf(verdict, after)]),
  ].join("\n");
}

/** The cases, and what the numbers rest on. */
function groundsOf(verdict: Verdict | null, after: ProposalSide): readonly string[] {
  const evidence = verdict?.kind === "correct" ? verdict.evidence : undefined;
  return [
    ...(verdict?.kind === "correct" || verdict?.kind === "wrong" ? caseTable(verdict) : []),
    t`The bound is modelled from counts of the virtual GPU and published peaks of ${after.bound.gpu}: it is no measurement.`,
    ...(evidence === undefined
      ? []
      : [
          "",
          t`Based on source \`${evidence.sourceDigest.slice(0, 12)}\`, ${describeTarget(evidence.target)}, ${describeSizes(evidence.sizes)}.`,
        ]),
  ];
}

function scoreDetail({ before, after }: Sides<"scored">): string {
  return [
    t`| score | before | after |`,
    "| --- | ---: | ---: |",
    t`| median | ${describeScore(before.score)} | ${describeScore(after.score)} |`,
    "",
    t`The number is what the target's own command printed: nothing was counted or modelled.`,
  ].join("\n");
}
