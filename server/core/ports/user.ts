interface UserQuestion {
  readonly kernel: string;
  /** As the model wrote it. */
  readonly text: string;
}

/** The user whom a session is for, where they can be reached while it runs. */
export interface User {
  /** Undefined where nobody is there, or nobody answers in time. Never throws. */
  ask(question: UserQuestion, signal: AbortSignal): Promise<string | undefined>;
}

/** Nobody sits there. */
export const nobody: User = { ask: () => Promise.resolve(undefined) };
