import type { PromptName, PromptTexts } from "../../../prompts/names";
import type { CommandContext, JudgedCandidate, SharedContext, StrategyContext } from "../../strategy";
import { commandTools } from "../../tools/command-tools";
import { tools } from "../../tools/index";
import type { Tool } from "../../tools/tool";
import { commandTaskText, commandVerdictNote } from "./command-text";
import { taskText, verdictNote } from "../task-text";

/**
 * What a model is told of a target and may do with it. Each talk takes the context of its own kind of target;
 * the strategy is made for that kind.
 */
export interface Talk {
  readonly system: PromptName;
  readonly tools: readonly Tool[];
  /** The first message. `start`: the version that it works on; the baseline when left out. */
  task(context: SharedContext, prompts: PromptTexts, start?: JudgedCandidate): string;
  /** The answer to a submitted candidate; `before` was the best one when it was submitted. */
  verdict(context: SharedContext, before: JudgedCandidate): string;
}

export const kernelTalk: Talk = {
  system: "refine-system",
  tools,
  task: (context: StrategyContext, ...rest: Rest<typeof taskText>) => taskText(context, ...rest),
  verdict: (context: StrategyContext, ...rest: Rest<typeof verdictNote>) => verdictNote(context, ...rest),
};

export const commandTalk: Talk = {
  system: "command-system",
  tools: commandTools,
  task: (context: CommandContext, prompts) => commandTaskText(context, prompts),
  verdict: (context: CommandContext) => commandVerdictNote(context),
};

type Rest<Talker extends (first: never, ...rest: never[]) => string> =
  Parameters<Talker> extends [unknown, ...infer Others] ? Others : never;
