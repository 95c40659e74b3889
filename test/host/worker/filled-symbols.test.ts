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

interface Example {
  /** That stands in its text alone. */
  readonly word: string;
  readonly file: string;
  /** What makes its kernel wrong. */
  readonly change: readonly [string, string];
  readonly shape: string;
}

test.each<readonly [what: string, example: Example]>([
  [
    "the variables of an entry",
    { word: "symbol", file: "blend.cu", change: ["weights[3]", "weights[2]"], shape: "count=5000" },
  ],
  [
    "an array of structures",
    { word: "stride", file: "mix.cu", change: ["all[track].rec", "all[0].rec"], shape: "tracks=12" },
  ],
])(
  "%s are filled before each call, and another one than the page says is wrong",
  async (_, { word, file, change, shape }) => {
    const page = readFileSync(join(projectRoot, "docs/kernel-spec.md"), "utf8");
    const example = new RegExp(
      String.raw`\`\`\`json\n((?:(?!\`\`\`)[\s\S])*"${word}": (?:(?!\`\`\`)[\s\S])*)\`\`\`\n\n\`\`\`cuda\n([\s\S]*?)\`\`\``,
    );
    const [, text = "", kernel = ""] = example.exec(page) ?? [];
    const read = parseKernelSpec(text);
    if (!read.ok) throw new Error("the example cannot be read");
    const told = async (source: string): Promise<string> => {
      const tree = { [file]: source };
      const task = { spec: read.value, specFolder: "", target: defaultTarget, baseline: tree };
      const { checked } = await evaluate(under.evaluator, { spec: read.value, baseline: tree });
      if (checked === undefined) throw new Error("the example was not checked");
      const context = { task, tree, tier: "quick" as const, identity: { sha256: (each: string) => each } };
      return describeVerdict(verdictOfCheck(checked, context));
    };
    expect([await told(kernel), await told(kernel.replace(...change))]).toEqual([
      expect.stringMatching(/^correct on 2 cases/),
      expect.stringContaining(`wrong on shape ${shape}`),
    ]);
  },
);
