import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { User } from "../../../core/ports/user";
import { plain } from "../terminal";

/** A question waits this long at most. */
const waitMilliseconds = 10 * 60_000;

interface TerminalUserOptions {
  readonly input: Readable;
  readonly errors: Writable;
  /** Ten minutes when left out. */
  readonly waitMilliseconds?: number;
}

/** The user at a terminal: a line is the answer, an empty one none. */
export function terminalUser(options: TerminalUserOptions): User {
  return {
    ask: ({ kernel, text }, signal) => {
      options.errors.write(`\nThe model asks about ${plain(kernel)}: ${plain(text)}\n`);
      return answerTo("Your answer (Enter alone: none): ", options, signal);
    },
  };
}

/** Asks at a terminal what a model costs; undefined where the user says nothing. */
export function terminalPrice(
  options: TerminalUserOptions,
  signal: AbortSignal,
): (model: string) => Promise<string | undefined> {
  return (model) => {
    options.errors.write(`\nThe price of the model ${plain(model)} is not known.\n`);
    const question =
      'INPUT,OUTPUT in US dollars for a million tokens, as 2.5,15, or "free" (Enter alone: stop; KERNELWRIGHT_MODEL_PRICE says it for good): ';
    return answerTo(question, options, signal);
  };
}

async function answerTo(
  question: string,
  { input, errors, ...rest }: TerminalUserOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  errors.write(question);
  // Without `terminal` the tty stays as it is, and Ctrl-C ends the session as ever.
  const lines = createInterface({ input, terminal: false });
  const over = AbortSignal.any([signal, AbortSignal.timeout(rest.waitMilliseconds ?? waitMilliseconds)]);
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once("line", (line) => resolve(line.trim() === "" ? undefined : line));
      lines.once("close", () => resolve(undefined));
      over.addEventListener("abort", () => resolve(undefined), { once: true });
      if (over.aborted) resolve(undefined);
    });
  } finally {
    lines.close();
    input.pause();
  }
}
