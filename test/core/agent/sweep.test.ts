import { expect, test } from "vitest";
import { refineStrategy } from "../../../server/core/agent/strategies/refine";
import { sweepPoints } from "../../../server/core/agent/tools/trials/sweep-points";
import { promptTexts } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { noRules, runScripted } from "../../harness/agent-session";
import { memoryFiles } from "../../harness/memory-files";
import { kernelFile, ScriptedEvaluator } from "../../harness/scripted-evaluator";
import { ScriptedModel } from "../../harness/scripted-model";
import { TestClock } from "../../harness/test-clock";

const prompts = promptTexts(await readPromptFiles("server/core/prompts"));

interface SweepCase {
  readonly name: string;
  readonly text: string;
  readonly constants: string;
  /** The text of each point, or the problem. */
  readonly points: readonly string[] | string;
}

const cases: readonly SweepCase[] = [
  {
    name: "a macro",
    text: "#define TILE 16\nint a[TILE];",
    constants: "TILE = 32, 64",
    points: ["#define TILE 32\nint a[TILE];", "#define TILE 64\nint a[TILE];"],
  },
  {
    name: "a constant and a comparison with it",
    text: "constexpr int N = 4;\nif (N == 4) x();",
    constants: "N=8",
    points: ["constexpr int N = 8;\nif (N == 4) x();"],
  },
  {
    name: "keyword arguments and annotated parameters of Python",
    text: "def k(BLOCK: tl.constexpr = 64): pass\nk[g](x, BLOCK=64, num_warps=4)",
    constants: "BLOCK = 128; num_warps = 2, 8",
    points: [
      "def k(BLOCK: tl.constexpr = 128): pass\nk[g](x, BLOCK=128, num_warps=2)",
      "def k(BLOCK: tl.constexpr = 128): pass\nk[g](x, BLOCK=128, num_warps=8)",
    ],
  },
  {
    name: "a name that ends like another one",
    text: "int TILE = 4, MY_TILE = 5; p.TILE = 6;",
    constants: "TILE = 8",
    points: ["int TILE = 8, MY_TILE = 5; p.TILE = 6;"],
  },
  {
    name: "an expression is no number",
    text: "int n = 4 * m;",
    constants: "n = 8",
    points:
      "no definition of n with one number was found in the file: write one like `#define NAME 4`, `constexpr int NAME = 4;` or `NAME = 4`",
  },
  {
    name: "too many",
    text: "#define A 1\n#define B 1\n",
    constants: "A = 1,2,3,4,5,6; B = 1,2,3,4,5,6",
    points: "36 combinations are more than 32: sweep fewer constants or values at a time",
  },
  {
    name: "no list",
    text: "",
    constants: "A: 4",
    points: '"A: 4" is no list of values: write it like TILE = 32, 64, 128',
  },
  {
    name: "nothing",
    text: "",
    constants: " ; ",
    points: "no constant is named: write them like TILE = 32, 64, 128",
  },
];

test.each(cases)("sweep: $name", ({ text, constants, points }) => {
  const read = sweepPoints(text, constants);
  expect(read.ok ? read.value.map((point) => point.text) : read.problem).toEqual(points);
});

test("combinations are priced as many at once as the machine has cores, and told in the same order", async () => {
  const labels = async (atOnce: number): Promise<readonly [string, number]> => {
    let [running, most] = [0, 0];
    const evaluator = new ScriptedEvaluator();
    evaluator.onCall = async (call) => {
      if (!call.startsWith("check")) return;
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 5 + evaluator.calls.length; turn += 1) await Promise.resolve();
      running -= 1;
    };
    const constants = "bound = 900, 800, 700, 600, 500";
    const model = new ScriptedModel([
      { calls: [{ name: "sweep", arguments: { path: kernelFile, constants } }] },
      { calls: [{ name: "finish", arguments: { reason: "done" } }] },
    ]);
    const parts = { provider: model, prompts, files: memoryFiles({}), clock: new TestClock() };
    const strategy = refineStrategy({ ...parts, rulebook: noRules });
    await runScripted(strategy, { baseline: "#define bound 1000\n", evaluator, atOnce });
    return [model.requests.at(-1)?.messages.at(-1)?.text ?? "", most];
  };
  const [one, some] = [await labels(1), await labels(3)];
  expect([one[1], some[1]]).toEqual([1, 3]);
  expect(some[0]).toBe(one[0]);
  expect(some[0]).toContain("The scratch copy holds bound=500.");
});
