import { invariant } from "../../../base/assert";
import type { PromptTexts } from "../../../prompts/names";
import { renderPrompt } from "../../../prompts/render";
import type { CommandContext } from "../../strategy";
import { pastText } from "../../memory/past";
import { triedTable } from "../tried-table";
import { budgetText, verdictText } from "../verdict-text";

/** The first message of the user about a target with a command. */
export function commandTaskText(context: CommandContext, prompts: PromptTexts): string {
  const { task, baseline, best, editable, creatable } = context;
  const { build, check, measure, better, runs } = task.command;
  const words = (line: readonly string[] | undefined): string => (line ? line.join(" ") : "none");
  return renderPrompt(prompts["command-task"], {
    name: task.name,
    better,
    build: words(build),
    check: words(check),
    measure: words(measure),
    runs: String(runs),
    editable: editable.map((path) => `- ${path}`).join("\n"),
    creatable: creatable.join(", "),
    budget: budgetText(context.budget),
    baseline: verdictText(baseline.verdict),
    best: best === baseline ? "" : `The best so far is ${best.candidate.id}: ${verdictText(best.verdict)}`,
    tried: triedTable(context),
    past: pastText(context.past),
  }).trimEnd();
}

/** The answer to a submitted candidate. */
export function commandVerdictNote({ feedback, budget }: CommandContext): string {
  invariant(feedback, "a submitted candidate gets feedback before the next proposal is asked for");
  return `${feedbackOf(feedback)}\nBudget left: ${budgetText(budget)}.`;
}

function feedbackOf(feedback: NonNullable<CommandContext["feedback"]>): string {
  switch (feedback.kind) {
    case "rejected":
      return `Not a candidate: ${feedback.reason}. Nothing was run.`;
    case "duplicate":
      return `These are the files of ${feedback.of.candidate.id}, which was judged before (${feedback.of.reason}); nothing was run again.`;
    case "judged": {
      const { candidate, accepted, reason, verdict } = feedback.judged;
      const head = `${candidate.id}: ${accepted ? "accepted, the best so far" : "dropped"}.`;
      return verdict.kind === "scored" ? `${head} ${reason}.` : `${head} ${verdictText(verdict)}`;
    }
  }
}
