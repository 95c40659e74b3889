import { renderPrompt } from "../../../prompts/render";
import type { PromptTexts } from "../../../prompts/names";
import { timeThatCounts } from "../../../judge/time-that-counts";
import { describeNanoseconds } from "../../../words/quantities";
import { triedTable } from "../../dialogue/tried-table";
import { type CorrectCandidate, type KernelVersion, type StrategyContext, isCorrect } from "../../strategy";

interface RoundFacts {
  readonly number: number;
  readonly parent: KernelVersion;
  /** Id of the candidate whose files the scratch copy holds. */
  readonly scratch: string;
  /** A version of another kind; left out where there is none. */
  readonly partner: CorrectCandidate | undefined;
  /** Ids of the fastest versions of each kind, which the table of what was tried always has. */
  readonly elites: readonly string[];
  /** Little budget is left. */
  readonly isDigging: boolean;
}

/** What stands behind the task at the beginning of a round. */
export function roundText(prompts: PromptTexts, context: StrategyContext, facts: RoundFacts): string {
  const { number, parent, scratch, partner, elites, isDigging } = facts;
  const { best } = context;
  const time = timeThatCounts([best.verdict, partner?.verdict]);
  return renderPrompt(prompts["search-round"], {
    round: String(number),
    parent: scratch,
    best: best.candidate.id,
    number: isCorrect(best) ? describeNanoseconds(time.of(best.verdict)) : "nothing is correct yet",
    tried: triedTable(context, elites),
    partner: partner
      ? `Another kind of version is ${partner.candidate.id} (${describeNanoseconds(time.of(partner.verdict))}, ${partner.verdict.bound.binding}): ${partner.candidate.hypothesis} Ask whether its idea and those of ${parent.candidate.id} can be joined.`
      : "There is no version of another kind yet.",
    mode: isDigging
      ? "Little budget is left: make small, safe steps on what is best."
      : "There is budget for a step that may fail: prefer an idea that was not tried to one more detail.",
  });
}
