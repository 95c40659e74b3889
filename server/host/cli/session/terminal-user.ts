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
export function terminalUser({ input, errors, ...rest }: TerminalUserOptions): User {
  const wait = rest.waitMilliseconds ?? waitMilliseconds;
  return {
    ask: async ({ kernel, text }, signal) => {
      errors.write(`\nThe model asks about ${plain(kernel)}: ${plain(text)}\n`);
      errors.write("Your answer (Enter alone: none): ");
      // Without `terminal` the tty stays as it is, and Ctrl-C ends the session as ever.
      const lines = createInterface({ input, terminal: false });
      const over = AbortSignal.any([signal, AbortSignal.timeout(wait)]);
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
    },
  };
}
