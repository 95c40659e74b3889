import { at, known } from "../../../base/known";
import { compareVerdicts } from "../../../judge/comparison";
import { type TimeThatCounts, timeThatCounts } from "../../../judge/time-that-counts";
import type { CorrectVerdict, Verdict } from "../../../judge/verdict";
import { describeVerdict } from "../../../words/describe";
import { describeNanoseconds } from "../../../words/quantities";
import definition from "./sweep.json";
import { type SweepPoint, sweepPoints } from "./sweep-points";
import { type Tool, type Workbench, textOf, toolDefinition } from "../tool";

interface Priced {
  readonly point: SweepPoint;
  readonly verdict: CorrectVerdict;
}

export const sweep: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const path = textOf(given, "path");
    const text = workbench.scratch.read(path);
    if (text === undefined)
      return {
        kind: "error",
        text: `${path} is not in the scratch copy. Editable: ${workbench.scratch.editable.join(", ")}.`,
      };
    const points = sweepPoints(text, textOf(given, "constants"));
    if (!points.ok) return { kind: "error", text: `Nothing was swept: ${points.problem}.` };
    const { priced, failed } = await priceAll(path, points.value, workbench);
    const failures = failed.map((line) => `- ${line}`);
    const [best] = priced;
    if (best === undefined)
      return {
        kind: "error",
        text: ["No combination is right; the scratch copy is as it was.", ...failures].join("\n"),
      };
    const time = timeThatCounts(priced.map(({ verdict }) => verdict));
    const written = workbench.scratch.write(path, best.point.text);
    if (!written.ok) return { kind: "error", text: written.problem };
    return {
      kind: "text",
      text: [
        `The scratch copy holds ${best.point.label}. By the quick check, best first:`,
        ...priced.map(({ point, verdict }) => `- ${point.label}: ${costOf(verdict, time)}`),
        ...failures,
      ].join("\n"),
    };
  },
};

/** Several at once, as far as the machine has cores; the answer does not depend on which one ends first. */
async function priceAll(
  path: string,
  points: readonly SweepPoint[],
  { context, scratch }: Workbench,
): Promise<{ readonly priced: readonly Priced[]; readonly failed: readonly string[] }> {
  const { trials, budget } = context;
  const judged: (Verdict | undefined)[] = [];
  let next = 0;
  const priceSome = async (): Promise<void> => {
    while (next < points.length && budget.beforeTrial().kind !== "limit") {
      const index = next++;
      judged[index] = await trials.price({ ...scratch.tree, [path]: at(points, index).text });
    }
  };
  await Promise.all(Array.from({ length: trials.atOnce }, priceSome));
  const outcomes = points.slice(0, next).map((point, index) => ({
    point,
    verdict: known(judged[index], "the verdict of a point that was begun"),
  }));
  const failed = outcomes
    .filter(({ verdict }) => verdict.kind !== "correct")
    .map(({ point, verdict }) => `${point.label}: ${describeVerdict(verdict).split("\n")[0] ?? ""}`);
  const left = points.length - next;
  return {
    priced: outcomes.filter(isPriced).sort(byCost),
    failed:
      left === 0
        ? failed
        : [...failed, `${left} further combinations were not tried: the minutes of the budget are used up`],
  };
}

function isPriced(outcome: { readonly point: SweepPoint; readonly verdict: Verdict }): outcome is Priced {
  return outcome.verdict.kind === "correct";
}

function byCost(a: Priced, b: Priced): number {
  const { kind } = compareVerdicts(a.verdict, b.verdict);
  return { better: -1, same: 0, worse: 1 }[kind];
}

function costOf(verdict: CorrectVerdict, time: TimeThatCounts): string {
  const { bound, launches = [], facts } = verdict;
  const [first] = launches;
  const shape = first ? `, ${first.blocks} blocks of ${first.threadsPerBlock} threads` : "";
  const registers = facts.map((each) => each.registers).join(", ");
  return `${describeNanoseconds(time.of(verdict))} (${bound.binding})${shape}, ${registers} registers`;
}
