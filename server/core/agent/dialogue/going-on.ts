import type { PromptTexts } from "../../prompts/names";
import { renderPrompt } from "../../prompts/render";
import type { SharedContext } from "../strategy";
import type { Dialogue, Note } from "./dialogue";
import type { Talk } from "./talk/talk";
import { triedTable } from "./tried-table";
import { budgetText } from "./verdict-text";

/** The share of a conversation that a new one may have at most, to be worth what is forgotten. */
const worthBeginningAnew = 0.7;

/** A conversation that goes on. */
export interface Going {
  readonly dialogue: Dialogue;
  readonly context: SharedContext;
  readonly talk: Talk;
  readonly prompts: PromptTexts;
  /** The candidate that the scratch copy was made from. */
  readonly scratchParent: string;
}

/**
 * Takes old outputs and edits out until at most `target` characters are left. Where the old messages are too
 * much even so, a new conversation begins.
 */
export async function makeRoom(going: Going, target: number): Promise<void> {
  const { dialogue, context } = going;
  await dialogue.shrink(context.recorder, target);
  if (dialogue.conversation.oldCharacters > target) await beginAnew(going);
}

/** After the endpoint found the conversation too long; false where it cannot be made shorter. */
export async function shorten(going: Going): Promise<boolean> {
  const { dialogue, context } = going;
  const half = dialogue.conversation.characters / 2;
  return (await dialogue.shrink(context.recorder, half)) || beginAnew(going);
}

/** Begins a new conversation; false where that would be hardly shorter. */
async function beginAnew({ dialogue, talk, context, prompts, scratchParent }: Going): Promise<boolean> {
  const goesOn = renderPrompt(prompts["refine-anew"], {
    best: context.best.candidate.id,
    scratch: scratchParent,
    tried: triedTable(context),
  });
  const first = `${talk.task(context, prompts, context.best)}\n\n${goesOn}`;
  const { characters, ids } = dialogue.conversation;
  const isWorthIt = ids.length > 2 && first.length <= characters * worthBeginningAnew;
  if (isWorthIt) await dialogue.open(context.recorder, first);
  return isWorthIt;
}

/** What a model must know when its session goes on after an interruption. */
export function resumedNote(context: SharedContext, scratchParent: string): Note {
  const fields = {
    candidates: triedTable(context),
    best: context.best.candidate.id,
    scratch: `your edits on ${scratchParent}`,
    budget: budgetText(context.budget),
  };
  return { prompt: "refine-resumed", fields, reason: "the session goes on after an interruption" };
}
