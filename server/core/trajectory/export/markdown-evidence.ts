import { candidateName } from "../../words/names/names";
import { describeScore } from "../../words/score";
import { afterSession } from "../proposal/after-session";
import { type ProposalSides, sidesOf } from "../proposal/sides";
import type { KernelCounters } from "../../timing/counters";
import { counterChanges, describeFailure, describeSizes } from "../../words/describe";
import { describeBound, termNames } from "../../words/names/bound-words";
import { remarksOf } from "../../words/names/refusal";
import { groundLines, proofLines } from "../../words/proofs";
import { describeNanoseconds } from "../../words/quantities";
import { kernelFaults } from "../../words/line-faults";
import type { CheckedCase, ModelledBound, Verdict } from "../../judge/verdict";
import type { SessionState } from "../state";
import { code, inline, table } from "./markdown-text";

type Clean = (text: string) => string;

const shownFaults = 8;

/** What was tried, what is left to gain, and what somebody can do now. */
export function nextSection(state: SessionState, clean: Clean): string {
  const after = afterSession(state);
  if (after === undefined) return "";
  const texts = [after.tried, after.headroom]
    .filter((text) => text !== "")
    .map((text) => inline(clean(text)));
  const moves = after.moves.map(({ text }) => `- ${inline(clean(text))}`);
  return ["## What next", texts.join(" "), ...(moves.length > 0 ? [moves.join("\n")] : [])].join("\n\n");
}

/** Of more candidates than this those that became the best stand by themselves, before all. */
const manyCandidates = 40;

/** Every candidate with how far it came and why; the way to the best one first where there are many. */
export function candidatesSection(state: SessionState, clean: Clean): string {
  if (state.candidates.length === 0) return "## Candidates\n\nNone was proposed.";
  const rows = state.candidates.map((candidate) => [
    inline(clean(candidateName(candidate.id))),
    candidate.parent === undefined ? "" : inline(clean(candidateName(candidate.parent))),
    candidate.stage,
    candidate.state,
    inline(clean(candidate.reason)),
    inline(clean(candidate.hypothesis)),
    inline(clean(candidate.origin)),
  ]);
  const all = table(["Candidate", "Parent", "Reached", "State", "Why", "Hypothesis", "From"], rows);
  return ["## Candidates", wayToBest(state, clean), all].filter((part) => part !== "").join("\n\n");
}

function wayToBest({ candidates }: SessionState, clean: Clean): string {
  const steps = candidates.filter(({ accepted }) => accepted);
  if (candidates.length <= manyCandidates || steps.length === 0) return "";
  const rows = steps.map(({ id, reason, hypothesis }) => [
    inline(clean(candidateName(id))),
    inline(clean(reason)),
    inline(clean(hypothesis)),
  ]);
  return `### The way to the best\n\n${table(["Candidate", "What it gained", "Hypothesis"], rows)}\n\n### All of them`;
}

/** What held each rule of the rulebook back, the most telling reason first. */
export function rulesSection(state: SessionState, clean: Clean): string {
  if (state.heldRules.length === 0) return "";
  const rows = state.heldRules.map(({ rule, because, sentence, line }) => [
    code(clean(rule)),
    inline(clean(because)),
    String(line),
    inline(clean(sentence)),
  ]);
  return `## What holds each rule back\n\n${table(["Rule", "Because", "Line", "What stands there"], rows)}`;
}

/** Lines at fault before and after, and what changed in the sums. */
export function countersSection(state: SessionState, clean: Clean): string {
  const { proposal } = state;
  if (!proposal) return "";
  const sides = sidesOf(proposal);
  switch (sides.kind) {
    case "counted":
      return countedSection(sides, clean);
    case "scored":
      return scoresSection(sides);
    case "mended":
      return mendedSection(sides, clean);
  }
}

type Sides<Kind extends ProposalSides["kind"]> = Extract<ProposalSides, { readonly kind: Kind }>;

function countedSection({ before, after }: Sides<"counted">, clean: Clean): string {
  const changes = counterChanges(before.counters.totals, after.counters.totals).map((change) => [
    inline(change.label),
    String(change.before),
    String(change.after),
  ]);
  const parts = [
    "## Counters before and after",
    `Counted by: ${before.counters.origin}.`,
    changes.length === 0 ? "No sum changed." : table(["Sum over the kernel", "Before", "After"], changes),
    "### Lines at fault before",
    faultsTable(before.counters, clean),
    "### Lines at fault after",
    faultsTable(after.counters, clean),
    "### Modelled bound",
    boundsTable(before.bound, after.bound),
  ];
  return parts.join("\n\n");
}

/** What was wrong before, and what the correct version costs: there is no gain to tell. */
function mendedSection({ before, after }: Sides<"mended">, clean: Clean): string {
  const parts = [
    "## What was wrong and what it costs now",
    `The baseline was not correct: ${inline(clean(before.summary))}. So there is nothing to compare costs with.`,
  ];
  if ("score" in after) return [...parts, `Score: ${inline(describeScore(after.score))}.`].join("\n\n");
  return [
    ...parts,
    `Counted by: ${after.counters.origin}. Not measured: ${inline(describeBound(after.bound))}.`,
    "### Lines at fault",
    faultsTable(after.counters, clean),
  ].join("\n\n");
}

/** What the target's own command gave before and after. */
function scoresSection({ before, after }: Sides<"scored">): string {
  return [
    "## Score before and after",
    "The number is what the target's own command printed: nothing was counted or modelled.",
    table(
      ["", "Score"],
      [
        ["before", inline(describeScore(before.score))],
        ["after", inline(describeScore(after.score))],
      ],
    ),
  ].join("\n\n");
}

function faultsTable(counters: KernelCounters, clean: Clean): string {
  const faults = kernelFaults(counters);
  if (faults.length === 0) return "None: every access is as its ideal.";
  const rows = faults
    .slice(0, shownFaults)
    .map((fault) => [
      code(clean(`${fault.line.file}:${fault.line.line}`)),
      String(fault.value),
      String(fault.ideal),
      inline(fault.text),
    ]);
  const rest = faults.length > shownFaults ? `\n\n… and ${faults.length - shownFaults} more.` : "";
  return `${table(["Line", "Counted", "Ideal", "What"], rows)}${rest}`;
}

function boundsTable(before: ModelledBound, after: ModelledBound): string {
  const terms = [...termNames(before, after)].sort();
  const time = (nanoseconds: number | undefined): string =>
    typeof nanoseconds === "number" ? inline(describeNanoseconds(nanoseconds)) : "";
  const simulated = [before.simulatedNanoseconds, after.simulatedNanoseconds];
  const rows = [
    ...(simulated.includes(undefined)
      ? []
      : [[`**simulated time** (${inline(after.gpu)})`, ...simulated.map(time)]]),
    [`**modelled bound** (${inline(after.gpu)})`, time(before.nanoseconds), time(after.nanoseconds)],
    ...terms.map((term) => [
      `${inline(term)}${term === after.binding ? " (binds after)" : ""}${term === before.binding ? " (bound before)" : ""}`,
      time(before.terms[term]),
      time(after.terms[term]),
    ]),
  ];
  return table(["Modelled, not measured", "Before", "After"], rows);
}

/** Shapes, tolerances and what failed, of the best candidate and of the others that were wrong. */
export function judgedSection(verdict: Verdict | undefined, clean: Clean): string {
  if (verdict?.kind !== "correct" && verdict?.kind !== "wrong") return "";
  const rows = verdict.cases.map((checked) => caseRow(checked, clean));
  const method = `Each shape ran in the ${verdict.tier} check with inputs from a secret seed, against a reference in 64-bit floating point that runs in another process; outputs were poisoned beforehand and guard bands lay around every buffer. The page \`how-a-number-is-made.md\`, which comes with Kernelwright, says what a number rests on.`;
  const unseen = remarksOf(verdict.cases)
    .map((remark) => ` ${inline(clean(remark))}.`)
    .join("");
  const grounds = verdict.kind === "correct" ? groundLines(verdict) : proofLines(verdict.proofs ?? []);
  const shown = grounds.map((line) => `- ${inline(clean(line))}`);
  const proofs = shown.length === 0 ? "" : `\n\n${shown.join("\n")}`;
  return `## How it was judged\n\n${method}${unseen}\n\n${table(["Shape", "Tolerance", "Result"], rows)}${proofs}`;
}

function caseRow(checked: CheckedCase, clean: Clean): readonly string[] {
  const { absolute, relative } = checked.tolerance;
  const shape = `${describeSizes(checked.shape.sizes)}${checked.shape.heldOut === true ? " (held out)" : ""}`;
  return [
    inline(shape),
    inline(`absolute ${absolute}, relative ${relative}`),
    checked.passed ? "passed" : inline(clean(describeFailure(checked) ?? "failed")),
  ];
}
