import { renderPrompt } from "../../../prompts/render";
import type { PromptTexts } from "../../../prompts/names";
import { timeThatCounts } from "../../../judge/time-that-counts";
import { describeNanoseconds } from "../../../words/quantities";
import { rewriteOf } from "../../memory/rewrite";
import { triedTable } from "../../dialogue/tried-table";
import { type CorrectCandidate, type KernelVersion, type StrategyContext, isCorrect } from "../../strategy";

const changesAtMost = 4_000;

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
      ? partnerText(context, { parent, partner, took: describeNanoseconds(time.of(partner.verdict)) })
      : "There is no version of another kind yet.",
    mode: isDigging
      ? "Little budget is left: make small, safe steps on what is best."
      : "There is budget for a step that may fail: prefer an idea that was not tried to one more detail.",
  });
}

interface Joined {
  readonly parent: KernelVersion;
  readonly partner: CorrectCandidate;
  /** The partner's time. */
  readonly took: string;
}

/** A version whose ideas could be joined with the parent's, with what it changes. */
function partnerText({ baseline }: StrategyContext, { parent, partner, took }: Joined): string {
  const { id, hypothesis, tree } = partner.candidate;
  const changes = rewriteOf(baseline.candidate.tree, tree, changesAtMost);
  return [
    `Another kind of version is ${id} (${took}, ${partner.verdict.bound.binding}): ${hypothesis} Ask whether its idea and those of ${parent.candidate.id} can be joined. What it changes in the baseline (\`recall\` with call "${id}" gives its files, and leaves the scratch copy):`,
    `\`\`\`diff\n${changes}\n\`\`\``,
  ].join("\n\n");
}
