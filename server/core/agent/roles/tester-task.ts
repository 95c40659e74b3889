import { known } from "../../base/known";
import { specialVariants } from "../../judge/further-variants";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { type ChallengedCase, describeChallengedCase } from "../../trajectory/talk/challenged";
import { mostFloat, mostGrowth } from "../../workload/cases/made-up-case";
import { visibleSpec } from "../dialogue/task-text";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { mostCases } from "./tester-answer";

/** What holds of cases where the spec has the contents of launches. */
const ofLaunches =
  "Its shapes are launches that a program made: a case has the sizes and values of one of them, and draws at least one input of real numbers anew; the others hold what the program handed over.";

/** Characters of a file that a tester is shown. */
const longestSource = 40_000;
/** Earlier cases that a tester is told of. */
const toldBefore = 24;

/** What a tester is shown of a version: the spec, the original, the rewrite, and what it tried before. */
export function testerTask(
  prompts: PromptTexts,
  context: StrategyContext,
  about: {
    readonly candidate: CorrectCandidate["candidate"];
    readonly earlier: readonly ChallengedCase[];
  },
): string {
  const { spec, file, baseline } = context;
  const { id, tree, hypothesis } = about.candidate;
  const language = spec.dialect === "cuda" ? "cuda" : "python";
  const source = (files: typeof tree): string =>
    fenced(known(files[file], "the kernel's file").slice(0, longestSource), language);
  const special = specialVariants(spec);
  const earlier = about.earlier.slice(-toldBefore).map((each) => `- ${describeChallengedCase(each)}`);
  return renderPrompt(prompts["tester-task"], {
    ...{ kernel: spec.kernel, file, candidate: id, hypothesis },
    spec: fenced(visibleSpec(context)),
    special: special.length === 0 ? "none" : special.join(", "),
    growth: String(mostGrowth),
    most: String(mostFloat),
    cases: String(mostCases),
    launches: spec.shapes.some(({ recorded }) => recorded) ? ` ${ofLaunches}` : "",
    before: source(baseline.candidate.tree),
    after: source(tree),
    earlier: earlier.length === 0 ? "None yet." : earlier.join("\n"),
  });
}
