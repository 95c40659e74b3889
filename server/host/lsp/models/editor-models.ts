import { CancellationTokenSource, type Connection } from "vscode-languageserver";
import type {
  EditorModelAnswer,
  EditorModelQuestion,
  FindEditorModel,
  FoundEditorModel,
} from "../../../protocol/editor-model";

/** The editor's models, as the services ask for them. */
export interface EditorModels {
  find(model: string): Promise<FoundEditorModel>;
  ask(question: EditorModelQuestion, signal: AbortSignal): Promise<EditorModelAnswer>;
}

/** Hands questions to the client; an editor with another client than ours has no models for us. */
export function createEditorModels(
  connection: Pick<Connection, "sendRequest">,
  isOwnClient: () => boolean,
): EditorModels {
  return {
    find: (model) => {
      if (!isOwnClient()) return Promise.resolve({ found: null, offered: [] });
      const asked: FindEditorModel = { model };
      return connection.sendRequest("kernelwright/findEditorModel", asked);
    },
    ask: async (question, signal) => {
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return await connection.sendRequest("kernelwright/askEditorModel", question, source.token);
      } finally {
        signal.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}
