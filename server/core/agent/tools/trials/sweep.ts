import { compareVerdicts } from "../../../judge/comparison";
import type { CorrectVerdict } from "../../../judge/verdict";
import { describeNanoseconds, describeVerdict } from "../../../words/describe";
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
    const written = workbench.scratch.write(path, best.point.text);
    if (!written.ok) return { kind: "error", text: written.problem };
    return {
      kind: "text",
      text: [
        `The scratch copy holds ${best.point.label}. By the quick check, best first:`,
        ...priced.map(({ point, verdict }) => `- ${point.label}: ${costOf(verdict)}`),
        ...failures,
      ].join("\n"),
    };
  },
};

async function priceAll(
  path: string,
  points: readonly SweepPoint[],
  { context, scratch }: Workbench,
): Promise<{ readonly priced: readonly Priced[]; readonly failed: readonly string[] }> {
  const priced: Priced[] = [];
  const failed: string[] = [];
  for (const [index, point] of points.entries()) {
    if (context.budget.beforeTrial().kind === "limit") {
      failed.push(
        `${points.length - index} further combinations were not tried: the minutes of the budget are used up`,
      );
      break;
    }
    const verdict = await context.trials.price({ ...scratch.tree, [path]: point.text });
    if (verdict.kind === "correct") priced.push({ point, verdict });
    else failed.push(`${point.label}: ${describeVerdict(verdict).split("\n")[0] ?? ""}`);
  }
  return { priced: [...priced].sort(byCost), failed };
}

function byCost(a: Priced, b: Priced): number {
  const { kind } = compareVerdicts(a.verdict, b.verdict);
  return { better: -1, same: 0, worse: 1 }[kind];
}

function costOf({ bound, launches = [], facts }: CorrectVerdict): string {
  const [first] = launches;
  const shape = first ? `, ${first.blocks} blocks of ${first.threadsPerBlock} threads` : "";
  const registers = facts.map((each) => each.registers).join(", ");
  return `${describeNanoseconds(bound.nanoseconds)} (${bound.binding})${shape}, ${registers} registers`;
}
