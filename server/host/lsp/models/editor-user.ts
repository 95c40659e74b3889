import { CancellationTokenSource, type Connection } from "vscode-languageserver";
import type { User } from "../../../core/ports/user";
import type { AskUserParams } from "../../../protocol/editor-model";

/** A question waits this long at most. */
const waitMilliseconds = 10 * 60_000;

/** The user of the editor, asked by our client; nobody where another client is connected. */
export function editorUser(connection: Pick<Connection, "sendRequest">, isOwnClient: () => boolean): User {
  return {
    ask: async ({ kernel, text }, signal) => {
      if (!isOwnClient()) return undefined;
      const source = new CancellationTokenSource();
      const over = AbortSignal.any([signal, AbortSignal.timeout(waitMilliseconds)]);
      const cancel = (): void => source.cancel();
      over.addEventListener("abort", cancel, { once: true });
      const params: AskUserParams = { kernel, question: text };
      try {
        const asked = connection.sendRequest<{ readonly answer: string | null }>(
          "kernelwright/askUser",
          params,
          source.token,
        );
        return (await asked).answer ?? undefined;
      } catch {
        // The editor went away, or the question was withdrawn: nobody answers.
        return undefined;
      } finally {
        over.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}
