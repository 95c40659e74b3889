import {
  type CancellationToken,
  type Disposable,
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  l10n,
  lm,
} from "vscode";
import type {
  EditorModelAnswer,
  EditorModelCall,
  EditorModelQuestion,
  FoundEditorModel,
} from "../../../server/protocol/editor-model";
import type { ServerConnection } from "../server/connection";
import { type Turn, turnsOf } from "./turns";

/** Models of the editor, in the order that it gives them. */
export async function editorModels(): Promise<readonly LanguageModelChat[]> {
  return lm.selectChatModels({});
}

/** How a setting names a model of the editor. */
export function nameOf({ vendor, id }: LanguageModelChat): string {
  return `${vendor}/${id}`;
}

/**
 * Answers the server when it asks a model of the editor. The editor itself asks its user whether we may use
 * its models.
 */
export function serveEditorModels(connection: ServerConnection): Disposable {
  const served = [
    connection.onRequest("kernelwright/findEditorModel", ({ model }) => find(model)),
    connection.onRequest("kernelwright/askEditorModel", ask),
  ];
  return { dispose: () => served.forEach((each) => void each.dispose()) };
}

async function find(model: string): Promise<FoundEditorModel> {
  const all = await editorModels();
  const chosen = choose(all, model);
  return {
    found: chosen === undefined ? null : { model: nameOf(chosen), inputTokens: chosen.maxInputTokens },
    offered: all.map(nameOf),
  };
}

/** By vendor and id, by id alone, or by family. */
function choose(all: readonly LanguageModelChat[], model: string): LanguageModelChat | undefined {
  return (
    all.find((each) => nameOf(each) === model) ??
    all.find(({ id }) => id === model) ??
    all.find(({ family }) => family === model)
  );
}

async function ask(question: EditorModelQuestion, token: CancellationToken): Promise<EditorModelAnswer> {
  try {
    const model = choose(await editorModels(), question.model);
    if (model === undefined)
      return {
        ...{ kind: "failed", cause: "no-model" },
        message: l10n.t('The editor has no model "{0}" any more.', question.model),
      };
    const tools = question.tools.map(({ name, description, parameters }) => ({
      ...{ name, description },
      inputSchema: parameters,
    }));
    const justification = l10n.t("Kernelwright proposes faster versions of a kernel with it.");
    const messages = turnsOf(question.messages).map(messageOf);
    const response = await model.sendRequest(messages, { justification, tools }, token);
    return await read(response.stream);
  } catch (thrown) {
    return failureOf(thrown);
  }
}

async function read(stream: AsyncIterable<unknown>): Promise<EditorModelAnswer> {
  let text = "";
  const toolCalls: EditorModelCall[] = [];
  for await (const part of stream) {
    if (part instanceof LanguageModelTextPart) text += part.value;
    if (part instanceof LanguageModelToolCallPart)
      toolCalls.push({
        ...{ callId: part.callId, name: part.name },
        rawArguments: JSON.stringify(part.input),
      });
  }
  return { kind: "answer", text, toolCalls };
}

function messageOf(turn: Turn): LanguageModelChatMessage {
  if ("results" in turn)
    return LanguageModelChatMessage.User(
      turn.results.map(
        ({ callId, text }) => new LanguageModelToolResultPart(callId, [new LanguageModelTextPart(text)]),
      ),
    );
  if (turn.from === "user") return LanguageModelChatMessage.User(turn.text);
  return LanguageModelChatMessage.Assistant([
    ...(turn.text === "" ? [] : [new LanguageModelTextPart(turn.text)]),
    ...turn.calls.map(({ callId, name, input }) => new LanguageModelToolCallPart(callId, name, input)),
  ]);
}

function failureOf(thrown: unknown): EditorModelAnswer {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof LanguageModelError ? thrown.code : "";
  const causes: Readonly<Record<string, "no-consent" | "blocked" | "no-model">> = {
    [LanguageModelError.NoPermissions.name]: "no-consent",
    [LanguageModelError.Blocked.name]: "blocked",
    [LanguageModelError.NotFound.name]: "no-model",
  };
  return { kind: "failed", cause: causes[code] ?? "other", message };
}
