import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import type { RuleProposal } from "../../../../server/core/agent/rulebook/rule";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import { ruleParse } from "./grammars";
import { checked, onMeasured } from "./measured-task";
import { evaluatorOfFile } from "../../../host/worker/evaluation-under-test";
import { readSpec } from "./real-evaluation";
import { onEachShape, rewriteTier } from "./rewrite-tier";

const { evaluator } = evaluatorOfFile();

const folder = join(__dirname, "../../../cases/rulebook-styles");
const files = readdirSync(folder).sort();

interface StyleHead {
  readonly kernel: string;
  /** Rules that fire on the kernel with what was counted on it. */
  readonly rules: readonly string[];
  readonly spec: object;
}

function readStyle(file: string): { readonly head: StyleHead; readonly task: EvaluationTask } {
  const [first = "", ...lines] = readFileSync(join(folder, file), "utf8").split("\n");
  const head = JSON.parse(first.replace("//@case ", "")) as StyleHead;
  const spec = { version: 1, objective: "modelled-bound", kernel: `${file}::${head.kernel}`, ...head.spec };
  return {
    head,
    task: {
      spec: readSpec(JSON.stringify(spec)),
      specFolder: "",
      target: { kind: "vgpu", architecture: "sm_80" },
      baseline: { [file]: lines.join("\n") },
    },
  };
}

/** Measures the kernel, asks every rule, and checks each rewrite. */
async function fired(found: EvaluationTask): Promise<Readonly<Record<string, boolean>>> {
  const task = onEachShape(found);
  const { baseline: tree, spec } = found;
  return onMeasured(evaluator, task, async ({ measured, check, signal }) => {
    const { counters, facts, bound, cases } = measured;
    expect(cases.filter((each) => !each.passed)).toEqual([]);
    if (counters === undefined || bound === undefined) throw new Error("counters were asked for");
    const { file, kernel, dialect, shapes } = spec;
    const sizes = shapes[0]?.sizes ?? {};
    const parse = await ruleParse();
    const input = { tree, file, kernel, dialect, spec, counters, facts, bound, sizes, parse };
    const results: Record<string, boolean> = {};
    for (const rule of rules.filter(({ dialects }) => dialects.includes(dialect)))
      for (const proposal of rule.answer(input).filter(isProposal)) {
        const outcome = await check({ tree: proposal.tree, tier: rewriteTier, counters: false, signal });
        results[rule.id] = checked(outcome).cases.every((each) => each.passed);
      }
    return results;
  });
}

function isProposal(answer: { readonly kind: string }): answer is RuleProposal {
  return answer.kind === "proposal";
}

test.each(files)("%s: the rules fire whatever the spelling, and each rewrite is correct", async (file) => {
  const { head, task } = readStyle(file);
  expect(await fired(task)).toEqual(Object.fromEntries(head.rules.map((rule) => [rule, true])));
});
