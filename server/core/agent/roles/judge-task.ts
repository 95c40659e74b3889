import { known } from "../../base/known";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { modelConstants } from "../../timing/gpu-model";
import { describeSizes } from "../../words/describe";
import { describeNanoseconds } from "../../words/quantities";
import { costText } from "../dialogue/cost-text";
import { counterTable } from "../dialogue/counter-table";
import { triedTable } from "../dialogue/tried-table";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { bottleneckNames } from "./judge-answer";

/** Characters of the kernel's file that a judge is shown. */
const longestSource = 40_000;

/** What a judge is shown of a version: what was counted, what it costs, its file and what was tried. */
export function judgeTask(
  prompts: PromptTexts,
  context: StrategyContext,
  { candidate, verdict }: CorrectCandidate,
): string {
  const { spec, file, target, firstCorrect } = context;
  const first = known(firstCorrect, "the first correct version, as this one is correct").verdict;
  const source = known(candidate.tree[file], "the kernel's file in a candidate");
  const gap = describeNanoseconds(modelConstants.launchGapNanoseconds);
  const names = bottleneckNames(verdict).map((name) => `- ${name}`);
  return renderPrompt(prompts["judge-task"], {
    ...{ kernel: spec.kernel, file, target, candidate: candidate.id },
    model: renderPrompt(prompts["cost-model"], { gap }),
    costs: costText({ spec, first, verdict }),
    sizes: describeSizes(verdict.evidence.sizes),
    counters: counterTable(verdict, candidate.tree),
    names: names.join("\n"),
    tried: triedTable(context),
    source: fenced(source.slice(0, longestSource), spec.dialect === "cuda" ? "cuda" : "python"),
  });
}
