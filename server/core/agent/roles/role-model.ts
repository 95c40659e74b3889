import type { Outcome } from "../../base/outcome";
import type { Clock } from "../../ports/clock";
import type { ModelProvider } from "../../ports/model";
import type { Role } from "../../trajectory/talk/role";
import { Conversation, type Numbers } from "../dialogue/conversation/conversation";
import { ModelTurn, type TurnOutcome } from "../dialogue/model-turn";
import type { SharedContext } from "../strategy";

/** An answer is short; the rest is room for what a model thinks before. */
const answerTokens = 16_384;
/** Answers that cannot be used, one after the other, after which a role is left. */
const patience = 2;

/** A question to a role, with what reads its answer. */
interface RoleQuestion<Answer> {
  readonly system: string;
  readonly task: string;
  /** The problem is a sentence for the user. */
  readonly read: (text: string) => Outcome<Answer, string>;
}

/** The session that a role is asked in. */
export interface RoleSession {
  readonly context: SharedContext;
  /** Counts the messages and requests of the whole session. */
  readonly numbers: Numbers;
  readonly signal: AbortSignal;
}

/**
 * The model of one role. Each question is a conversation of its own, in the log before it is sent. A role
 * decides nothing, and a session whose role fails goes on without it.
 */
export class RoleModel {
  private hasLeft = false;
  private unusable = 0;

  constructor(
    private readonly options: {
      readonly role: Role;
      readonly provider: ModelProvider;
      readonly clock: Clock;
    },
  ) {}

  /** What the role answers; undefined where it has left, or gave nothing to go by. */
  async ask<Answer>(question: RoleQuestion<Answer>, session: RoleSession): Promise<Answer | undefined> {
    if (this.hasLeft) return undefined;
    const outcome = await this.turn(question, session);
    const read = outcome.kind === "reply" ? question.read(outcome.reply.text) : undefined;
    if (read?.ok === true) {
      this.unusable = 0;
      return read.value;
    }
    this.unusable += 1;
    this.hasLeft = read === undefined || this.unusable >= patience;
    const reason = read === undefined ? reasonOf(outcome) : read.problem;
    const { role, provider } = this.options;
    const failure = { role, model: provider.model, reason, left: this.hasLeft };
    await session.context.recorder.append("role.failed", "engine", failure);
    return undefined;
  }

  private async turn<Answer>(
    { system, task }: RoleQuestion<Answer>,
    { context, numbers, signal }: RoleSession,
  ): Promise<TurnOutcome> {
    const { role, provider, clock } = this.options;
    const { recorder, budget, baton } = context;
    const conversation = new Conversation([], numbers);
    for (const [speaker, actor, text] of [
      ["system", "engine", system],
      ["user", "user", task],
    ] as const) {
      const message = conversation.nextId();
      await recorder.append(`message.${speaker}`, actor, {
        message,
        text: await recorder.storeText(text),
        role,
      });
      conversation.add(message, { role: speaker, text });
    }
    const maxOutputTokens = Math.min(answerTokens, provider.limits.outputTokens);
    const turn = new ModelTurn({ provider, clock, tools: [], maxOutputTokens, role }, numbers);
    return turn.ask({ conversation, recorder, budget, baton, signal });
  }
}

function reasonOf(outcome: TurnOutcome): string {
  switch (outcome.kind) {
    case "reply":
      return "its answer could not be used";
    case "failed":
      return `it could not be asked (${outcome.failure}): ${outcome.message}`;
    case "limit":
      return outcome.reason;
    case "unpriced":
      return "its price is not known, so the budget in money cannot be kept";
  }
}
