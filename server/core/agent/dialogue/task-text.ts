import { invariant } from "../../base/assert";
import { known } from "../../base/known";
import { describeSizes } from "../../words/describe";
import type { CompiledFacts } from "../../judge/verdict";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { counterTable } from "./counter-table";
import type { Note } from "./dialogue";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { budgetText, candidateLine, feedbackText, verdictText } from "./verdict-text";

const wholeSourceLines = 500;

/** The first message of the user: everything that the model may know about the task. */
export function taskText(context: StrategyContext, prompts: PromptTexts): string {
  const { spec, file, baseline } = context;
  const { verdict } = baseline;
  const source = known(baseline.candidate.tree[file], "the kernel's file in the baseline");
  const short = source.split("\n").length <= wholeSourceLines;
  return renderPrompt(prompts["refine-task"], {
    kernel: spec.kernel,
    dialect: spec.dialect,
    file,
    target: verdict.evidence.target,
    editable: context.editable.join(", "),
    budget: budgetText(context.budget),
    spec: fenced(visibleSpec(context)),
    baseline: verdictText(verdict),
    facts: verdict.facts.map(factsText).join("; ") || "nothing",
    sizes: describeSizes(verdict.evidence.sizes),
    counters: counterTable(verdict.counters, baseline.candidate.tree),
    source: short
      ? `The file:\n\n${fenced(source, spec.dialect === "cuda" ? "cuda" : "python")}`
      : "The file is long: read the part around the kernel with `read_file`.",
  });
}

/** The answer to a submitted candidate; `before` was the best one when it was submitted. */
export function verdictNote({ feedback, budget }: StrategyContext, before: CorrectCandidate): string {
  invariant(feedback, "a submitted candidate gets feedback before the next proposal is asked for");
  return `${feedbackText(feedback, before)}\nBudget left: ${budgetText(budget)}.`;
}

/** What a model must know when its session goes on after an interruption. */
export function resumedNote(context: StrategyContext, scratchParent: string): Note {
  const fields = {
    candidates: context.candidates.map(candidateLine).join("\n") || "- none",
    best: context.best.candidate.id,
    scratch: `your edits on ${scratchParent}`,
    budget: budgetText(context.budget),
  };
  return { prompt: "refine-resumed", fields, reason: "the session goes on after an interruption" };
}

/** One line for each part: short, and as exact as the spec itself. */
function visibleSpec({ spec }: StrategyContext): string {
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

function factsText(facts: CompiledFacts): string {
  const spills = facts.spillStoreBytes + facts.spillLoadBytes;
  const threads = facts.threadsPerBlock === undefined ? "" : `, ${facts.threadsPerBlock} threads a block`;
  return `${facts.kernel} on ${facts.architecture}: ${facts.registers} registers, ${spills === 0 ? "no spills" : `${spills} bytes spilled`}, ${facts.sharedBytes} bytes of shared memory${threads}`;
}
