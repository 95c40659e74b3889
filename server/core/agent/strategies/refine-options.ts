import type { JsonObject } from "../../base/json";
import type { Clock } from "../../ports/clock";
import type { FileReader } from "../../ports/files";
import type { ModelLimits, ModelProvider, OutsideTool } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import type { Numbers } from "../dialogue/dialogue";
import type { PatienceLimits } from "../dialogue/patience";
import type { Talk } from "../dialogue/talk/talk";
import type { Judge } from "../roles/bottleneck-judge";
import type { Rulebook } from "../rulebook/ranking";
import type { JudgedCandidate } from "../strategy";

export interface RefineOptions {
  readonly provider: ModelProvider;
  readonly prompts: PromptTexts;
  /** The repository, read only. */
  readonly files: FileReader;
  readonly clock: Clock;
  readonly rulebook: Rulebook;
  /** Tools of servers that the user named; none when left out. */
  readonly outside?: readonly OutsideTool[];
  /** What the model is told and may do; that of kernels when left out. */
  readonly talk?: Talk;
  /** Names a bottleneck of each correct version; nobody does when left out. */
  readonly judge?: Judge;
  readonly limits?: Partial<RefineLimits>;
  /** What a checkpoint holds, where this conversation is one of several; its own state when left out. */
  readonly wholeState?: () => JsonObject;
  /** Counts on from conversations before this one. */
  readonly numbers?: Numbers;
  /** Where this conversation begins and what is said of it; left out: at the best, with nothing else. */
  readonly opening?: Opening;
}

/** The version that a conversation starts from, and a text that stands behind the task. */
interface Opening {
  readonly start: JudgedCandidate;
  /** Whose files the scratch copy holds, where it is another one: it need not be correct. */
  readonly files?: JudgedCandidate;
  readonly text: string;
}

export interface RefineLimits extends PatienceLimits {
  /** Old tool outputs are taken out of the conversation above this. */
  readonly contextCharacters: number;
}

/** Characters of code in one token, and the most that is worth paying for again with every answer. */
const contextText = { charactersPerToken: 3, charactersAtMost: 400_000 };

/** What a model of these limits is sent and may take. */
export function limitsFor({ outputTokens, contextTokens }: ModelLimits): RefineLimits {
  const room = Math.max(contextTokens / 4, contextTokens - outputTokens);
  return {
    maxOutputTokens: outputTokens,
    contextCharacters: Math.min(contextText.charactersAtMost, room * contextText.charactersPerToken),
    hurryAfter: 12,
    endAfter: 24,
  };
}
