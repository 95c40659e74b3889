import { expect, test } from "vitest";
import type { RuleAnswer } from "../../../server/core/agent/rulebook/rule";
import { Scratch } from "../../../server/core/agent/scratch";
import type { StrategyContext } from "../../../server/core/agent/strategy";
import type { ToolAnswer, ToolArguments } from "../../../server/core/agent/tools/tool";
import { applyRule } from "../../../server/core/agent/tools/trials/apply-rule";
import { memoryFiles } from "../../harness/memory-files";

const source = "first\nsecond\nthird\n";

/** A rewrite of one line, for which the loads of that line speak. */
function rewrite(line: number, gain: number, words: string): RuleAnswer {
  const lines = source.split("\n");
  return {
    kind: "proposal",
    tree: { "k.cu": lines.map((text, at) => (at === line - 1 ? words : text)).join("\n") },
    hypothesis: `Write ${words}.`,
    evidence: {
      file: "k.cu",
      line,
      counter: "globalLoadSectors",
      value: 8,
      ideal: 1,
      sentence: `line ${line} loads 8 sectors`,
    },
    gain,
  };
}

function rule(id: string, answers: readonly RuleAnswer[]): object {
  return {
    id,
    title: id,
    cause: { id: "scalar-access", words: "" },
    dialects: ["triton"],
    answer: () => answers,
  };
}

const held: RuleAnswer = { kind: "not", because: "launch", sentence: "the block is square", line: 2 };
const unfit: RuleAnswer = { kind: "not", because: "no-pattern", sentence: "no loop adds", line: 1 };
const uncounted: RuleAnswer = { kind: "not", because: "no-evidence", sentence: "no barrier waits", line: 1 };
const rules = [
  rule("widen", [rewrite(1, 0.2, "wide"), rewrite(3, 0.5, "wider")]),
  rule("stage", [rewrite(2, 0.3, "staged")]),
  rule("split", [held]),
  rule("join", [unfit]),
  rule("drop", [uncounted]),
];
const widest = "widen number 1 (k.cu:3): Write wider. Evidence: line 3 loads 8 sectors (may save up to 50%)";
const widen = "widen number 2 (k.cu:1): Write wide. Evidence: line 1 loads 8 sectors (may save up to 20%)";

const cases: readonly {
  readonly name: string;
  readonly given: ToolArguments;
  readonly answer: ToolAnswer;
  /** What the scratch copy holds then, where it changes. */
  readonly after?: string;
}[] = [
  {
    name: "the list numbers the rewrites of a rule that has several, and names the lines",
    given: {},
    answer: {
      kind: "text",
      text: [
        "Rewrites of baseline:",
        `- ${widest}`,
        "- stage (k.cu:2): Write staged. Evidence: line 2 loads 8 sectors (may save up to 30%)",
        `- ${widen}`,
        "- split holds back: the block is square",
        "2 other rules of the rulebook found nothing to do here.",
      ].join("\n"),
    },
  },
  {
    name: "a rule with one rewrite",
    given: { rule: "stage" },
    answer: { kind: "text", text: "The scratch copy holds baseline with this rewrite: Write staged." },
    after: "first\nstaged\nthird\n",
  },
  {
    name: "the first of several, and which others there are",
    given: { rule: "widen" },
    answer: {
      kind: "text",
      text: `The scratch copy holds baseline with this rewrite: Write wider.\nNot in it, by \`number\`:\n- ${widen}`,
    },
    after: "first\nsecond\nwider\n",
  },
  {
    name: "the second of several",
    given: { rule: "widen", number: 2 },
    answer: {
      kind: "text",
      text: `The scratch copy holds baseline with this rewrite: Write wide.\nNot in it, by \`number\`:\n- ${widest}`,
    },
    after: "wide\nsecond\nthird\n",
  },
  ...[3, 0, -1].map((number) => ({
    name: `no rewrite ${number}`,
    given: { rule: "widen", number },
    answer: {
      kind: "error" as const,
      text: `widen has no rewrite ${number} for baseline. It has:\n- ${widest}\n- ${widen}`,
    },
  })),
  {
    name: "a number without its rule",
    given: { number: 2 },
    answer: { kind: "error", text: "`number` counts the rewrites of one rule: name it as `rule`, too." },
  },
  {
    name: "a rule that holds back",
    given: { rule: "split" },
    answer: {
      kind: "error",
      text: "split has no rewrite for baseline (the block is square). These have: widen, stage.",
    },
  },
];

test.each(cases)("$name", async ({ given, answer, after = source }) => {
  const tree = { "k.cu": source };
  const baseline = {
    candidate: { id: "baseline", tree },
    verdict: { kind: "correct", evidence: { sizes: {} } },
  };
  const scratch = new Scratch(tree, { editable: ["k.cu"], creatable: [] });
  const context = {
    baseline,
    best: baseline,
    candidates: [],
    judged: () => Promise.resolve(baseline),
    file: "k.cu",
    spec: { kernel: "k", dialect: "triton", run: { kind: "entry", entry: { call: "k.py::run" } } },
  };
  const said = await applyRule.run(given, {
    context: context as unknown as StrategyContext,
    files: memoryFiles({}),
    scratch,
    rulebook: { rules: rules as never, parse: () => undefined },
    recall: () => Promise.resolve(undefined),
  });
  expect(said).toEqual(answer);
  expect(scratch.read("k.cu")).toBe(after);
});
