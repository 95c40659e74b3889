import type { Clock } from "../../ports/clock";
import type { ModelProvider } from "../../ports/model";
import type { PromptTexts } from "../../prompts/names";
import { renderPrompt } from "../../prompts/render";
import { Conversation, type Numbers } from "../dialogue/conversation/conversation";
import { ModelTurn, type TurnOutcome } from "../dialogue/model-turn";
import type { OpenedModel } from "../strategies/entry";
import {
  type CorrectCandidate,
  type JudgedCandidate,
  type SharedContext,
  type StrategyContext,
  isCorrect,
} from "../strategy";
import { type NamedBottleneck, readJudgeAnswer } from "./judge-answer";
import { judgeTask } from "./judge-task";

/** An answer is short; the rest is room for what a model thinks before. */
const answerTokens = 16_384;
/** Answers without a bottleneck, one after the other, after which the judge is left. */
const patience = 2;

/** What is asked of a judge, and the session that it is asked in. */
export interface JudgeQuestion {
  readonly context: SharedContext;
  readonly judged: JudgedCandidate;
  /** Counts the messages and requests of the whole session. */
  readonly numbers: Numbers;
  readonly signal: AbortSignal;
}

/** Reads what was counted of a version. */
export interface Judge {
  /** A text for the model that writes the candidates; empty where the judge has nothing to say. */
  read(question: JudgeQuestion): Promise<string>;
}

export interface JudgeOptions {
  readonly provider: ModelProvider;
  readonly prompts: PromptTexts;
  readonly clock: Clock;
}

/**
 * A model of its own that names one bottleneck of a correct version. Each question is a conversation of its
 * own. It decides nothing, and a session whose judge fails goes on without it.
 */
export function bottleneckJudge(options: JudgeOptions): Judge {
  return new BottleneckJudge(options);
}

/** The judge of a session, where the user gave it a model. */
export function judgeOf({ roles, prompts }: OpenedModel, clock: Clock): { readonly judge?: Judge } {
  return roles.judge === undefined
    ? {}
    : { judge: bottleneckJudge({ provider: roles.judge, prompts, clock }) };
}

class BottleneckJudge implements Judge {
  private hasLeft = false;
  private unusable = 0;

  constructor(private readonly options: JudgeOptions) {}

  async read({ context, judged, ...session }: JudgeQuestion & { context: StrategyContext }): Promise<string> {
    if (this.hasLeft || !isCorrect(judged)) return "";
    const outcome = await this.ask(context, judged, session);
    if (outcome.kind !== "reply") return this.leave(context, reasonOf(outcome));
    const named = readJudgeAnswer(outcome.reply.text, judged.verdict);
    if (named.ok) {
      this.unusable = 0;
      return this.note(judged, named.value);
    }
    this.unusable += 1;
    if (this.unusable >= patience) return this.leave(context, named.problem);
    await this.tellFailure(context, named.problem);
    return "";
  }

  private async ask(
    context: StrategyContext,
    judged: CorrectCandidate,
    { numbers, signal }: Pick<JudgeQuestion, "numbers" | "signal">,
  ): Promise<TurnOutcome> {
    const { provider, prompts, clock } = this.options;
    const { recorder, budget } = context;
    const conversation = new Conversation([], numbers);
    const say = async (role: "system" | "user", text: string): Promise<void> => {
      const message = conversation.nextId();
      const stored = await recorder.storeText(text);
      const actor = role === "system" ? "engine" : "user";
      await recorder.append(`message.${role}`, actor, { message, text: stored, role: "judge" });
      conversation.add(message, { role, text });
    };
    await say("system", renderPrompt(prompts["judge-system"], {}));
    await say("user", judgeTask(this.options.prompts, context, judged));
    const maxOutputTokens = Math.min(answerTokens, provider.limits.outputTokens);
    const turn = new ModelTurn({ provider, clock, tools: [], maxOutputTokens, role: "judge" }, numbers);
    return turn.ask({ conversation, recorder, budget, signal });
  }

  private note({ candidate }: CorrectCandidate, named: NamedBottleneck): string {
    return renderPrompt(this.options.prompts["judge-note"], { candidate: candidate.id, ...named });
  }

  private async leave(context: StrategyContext, reason: string): Promise<string> {
    this.hasLeft = true;
    await this.tellFailure(context, reason);
    return "";
  }

  private async tellFailure({ recorder }: StrategyContext, reason: string): Promise<void> {
    const { model } = this.options.provider;
    await recorder.append("role.failed", "engine", { role: "judge", model, reason, left: this.hasLeft });
  }
}

function reasonOf(outcome: Exclude<TurnOutcome, { kind: "reply" }>): string {
  switch (outcome.kind) {
    case "failed":
      return `it could not be asked (${outcome.failure}): ${outcome.message}`;
    case "limit":
      return outcome.reason;
    case "unpriced":
      return "its price is not known, so the budget in money cannot be kept";
  }
}
