import { invariant } from "../../base/assert";
import { known } from "../../base/known";
import { describeSizes } from "../../words/describe";
import { describeNanoseconds } from "../../words/quantities";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { modelConstants } from "../../timing/gpu-model";
import { costText } from "./cost-text";
import { counterTable } from "./counter-table";
import { freedomText } from "./talk/freedom-text";
import { gpuText, rooflineText } from "./talk/hardware-text";
import { memoryText } from "../memory/memory-text";
import {
  type CorrectCandidate,
  type FailedCandidate,
  type KernelVersion,
  type StrategyContext,
  isCorrect,
} from "../strategy";
import { linesAtFault } from "../mending/lines-at-fault";
import { budgetText, feedbackText, verdictText } from "./verdict-text";

const wholeSourceLines = 500;

/**
 * The first message of the user: everything that the model may know about the task. `start`: the version that
 * it works on; its costs, lines and source are shown.
 */
export function taskText(
  context: StrategyContext,
  prompts: PromptTexts,
  start: KernelVersion = context.baseline,
): string {
  return isCorrect(start) ? optimizeText(context, prompts, start) : mendText(context, prompts, start);
}

function optimizeText(context: StrategyContext, prompts: PromptTexts, start: CorrectCandidate): string {
  const { spec } = context;
  const { verdict } = start;
  const first = known(context.firstCorrect, "the first correct version, as one is correct");
  const isFirst = start.candidate.id === first.candidate.id;
  const before = isFirst ? {} : { before: { id: first.candidate.id, verdict: first.verdict } };
  const isBaseline = start.candidate.id === "baseline";
  return renderPrompt(prompts["refine-task"], {
    ...commonFields(context, prompts, start),
    roofline: rooflineText(context, first),
    start: isBaseline ? "The baseline" : `You start from ${start.candidate.id}`,
    costs: costText({ spec, first: first.verdict, verdict, ...before }),
    sizes: describeSizes(verdict.evidence.sizes),
    counters: counterTable(verdict, start.candidate.tree),
  }).trimEnd();
}

/** The task of a kernel that is not correct: what failed, where, and what is judged right. */
function mendText(context: StrategyContext, prompts: PromptTexts, start: FailedCandidate): string {
  const fields = commonFields(context, prompts, start);
  const verdict = [fields.verdict, linesAtFault(start)].filter((text) => text !== "").join("\n\n");
  return renderPrompt(prompts["mend-task"], { ...fields, verdict }).trimEnd();
}

type CommonField =
  | "kernel"
  | "dialect"
  | "file"
  | "target"
  | "editable"
  | "budget"
  | "spec"
  | "gpu"
  | "model"
  | "verdict"
  | "source"
  | "past";

/** What the model is told of every kernel, correct or not. */
function commonFields(
  context: StrategyContext,
  prompts: PromptTexts,
  { candidate, verdict }: KernelVersion,
): Record<CommonField, string> {
  const { spec, file, target } = context;
  const source = known(candidate.tree[file], "the kernel's file in a candidate");
  const short = source.split("\n").length <= wholeSourceLines;
  const gap = describeNanoseconds(modelConstants.launchGapNanoseconds);
  return {
    ...{ kernel: spec.kernel, dialect: spec.dialect, file, target },
    editable: reachText(context),
    budget: budgetText(context.budget),
    spec: [fenced(visibleSpec(context)), freedomText(spec)].filter((text) => text !== "").join("\n\n"),
    gpu: gpuText(target),
    model: renderPrompt(prompts["cost-model"], { gap }),
    verdict: verdictText(verdict),
    source: short
      ? `The file:\n\n${fenced(source, spec.dialect === "cuda" ? "cuda" : "python")}`
      : "The file is long: read the part around the kernel with `read_file`.",
    past: memoryText(context),
  };
}

function reachText({ editable, creatable }: Pick<StrategyContext, "editable" | "creatable">): string {
  const files = editable.join(", ");
  if (creatable.length === 0) return files;
  return `${files}. New files may be made (\`write_file\`) where they match: ${creatable.join(", ")}`;
}

/** The answer to a submitted candidate; `before` was the best one when it was submitted. */
export function verdictNote(context: StrategyContext, before: KernelVersion): string {
  const { feedback, budget, spec, firstCorrect } = context;
  invariant(feedback, "a submitted candidate gets feedback before the next proposal is asked for");
  return `${feedbackText(feedback, { spec, firstCorrect, before })}\nBudget left: ${budgetText(budget)}.`;
}

/** One line for each part: short, and as exact as the spec itself. */
export function visibleSpec({ spec }: Pick<StrategyContext, "spec">): string {
  const { run, inputs, outputs, shapes, reference, tolerance, objective } = spec;
  const parts = {
    run,
    inputs,
    outputs,
    shapes: shapes.map((shape) => shape.sizes),
    reference,
    tolerance,
    objective,
  };
  return Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join("\n");
}
