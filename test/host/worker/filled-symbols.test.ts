import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verdictOfCheck } from "../../../server/core/agent/verdict-of";
import { defaultTarget } from "../../../server/core/timing/target";
import { describeVerdict } from "../../../server/core/words/describe";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { projectRoot } from "../../architecture/project";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile();

test("the variables of the page's entry are filled before each call, and another one than it says is wrong", async () => {
  const page = readFileSync(join(projectRoot, "docs/kernel-spec.md"), "utf8");
  const [, text = "", kernel = ""] =
    /```json\n((?:(?!```)[\s\S])*"symbol": (?:(?!```)[\s\S])*)```\n\n```cuda\n([\s\S]*?)```/.exec(page) ?? [];
  const read = parseKernelSpec(text);
  if (!read.ok) throw new Error("the example cannot be read");
  const told = async (source: string): Promise<string> => {
    const tree = { "blend.cu": source };
    const task = { spec: read.value, specFolder: "", target: defaultTarget, baseline: tree };
    const { checked } = await evaluate(under.evaluator, { spec: read.value, baseline: tree });
    if (checked === undefined) throw new Error("the example was not checked");
    const context = { task, tree, tier: "quick" as const, identity: { sha256: (each: string) => each } };
    return describeVerdict(verdictOfCheck(checked, context));
  };
  expect([await told(kernel), await told(kernel.replace("weights[3]", "weights[2]"))]).toEqual([
    expect.stringMatching(/^correct on 2 cases/),
    expect.stringMatching(/^wrong on shape count=5000/),
  ]);
});
