import * as vscode from "vscode";

/** What VS Code offers to the extensions only that it comes with, as far as a chat needs it. */
interface ModelRegistry {
  registerChatModelProvider(id: string, provider: object, what: object): vscode.Disposable;
}

/**
 * A chat without an assistant of a vendor: the participant that is asked where none is named, and a model
 * that says nothing, without which the editor asks no participant at all.
 */
export function serveChat(): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant("probe.chat", (_request, _context, stream) =>
    stream.markdown("probe: nobody in particular was asked"),
  );
  const models = vscode.lm as unknown as ModelRegistry;
  const silent = { provideLanguageModelResponse: () => Promise.resolve(), provideTokenCount: () => 1 };
  const what = {
    ...{ vendor: "probe", name: "Silent", family: "silent", version: "1" },
    ...{ maxInputTokens: 1000, maxOutputTokens: 1000, isDefault: true, isUserSelectable: true },
  };
  return vscode.Disposable.from(participant, models.registerChatModelProvider("silent", silent, what));
}
