import { type CancellationToken, type Disposable, l10n, window } from "vscode";
import type { AskUserParams } from "../../../server/protocol/editor-model";
import type { ServerConnection } from "../server/connection";

/** Puts what a model asks to the user, as a notification with an input behind it. */
export function serveQuestions(connection: ServerConnection): Disposable {
  return connection.onRequest("kernelwright/askUser", async (asked, token) => ({
    answer: (await Promise.race([answerTo(asked, token), withdrawn(token)])) ?? null,
  }));
}

async function answerTo(
  { kernel, question }: AskUserParams,
  token: CancellationToken,
): Promise<string | undefined> {
  const answer = l10n.t("Answer");
  const chosen = await window.showInformationMessage(
    l10n.t("The model that optimizes {0} asks: {1}", kernel, question),
    answer,
    l10n.t("Let It Decide"),
  );
  if (chosen !== answer || token.isCancellationRequested) return undefined;
  return window.showInputBox(
    { title: l10n.t("Answer about {0}", kernel), prompt: question, ignoreFocusOut: true },
    token,
  );
}

function withdrawn(token: CancellationToken): Promise<undefined> {
  return new Promise((resolve) => token.onCancellationRequested(() => resolve(undefined)));
}
