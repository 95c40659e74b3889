import { nobody, type User } from "../../../ports/user";
import type { SessionEvent } from "../../../trajectory/events";
import type { Budget } from "../../budget";

/** Questions of one session that are put to the user. */
const mostQuestions = 5;
/** The longest question, in characters. */
export const longestQuestion = 600;

const questionTool = "ask_user";

export interface QuestionParts {
  /** Nobody when left out. */
  readonly user?: User | undefined;
  readonly kernel: string;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** What the models of a session ask its user. The time that the answer takes is not the session's. */
export class Questions {
  private asked = 0;

  constructor(private readonly parts: QuestionParts) {}

  /** `spent`: there were too many. `nobody`: no answer comes. */
  async ask(
    text: string,
  ): Promise<
    | { readonly kind: "answer"; readonly text: string }
    | { readonly kind: "nobody" }
    | { readonly kind: "spent" }
  > {
    if (this.asked >= mostQuestions) return { kind: "spent" };
    this.asked += 1;
    const { user = nobody, kernel, budget, signal } = this.parts;
    const question = { kernel, text: text.slice(0, longestQuestion) };
    const answer = await budget.resting(() => user.ask(question, signal));
    const said = answer?.trim() ?? "";
    return said === "" ? { kind: "nobody" } : { kind: "answer", text: said };
  }

  /** Counts what the log of the session has. */
  restore(events: readonly SessionEvent[]): void {
    this.asked = events.filter(
      (event) => event.type === "tool.called" && event.data.name === questionTool,
    ).length;
  }
}
