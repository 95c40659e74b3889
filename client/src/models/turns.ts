import type { EditorModelCall, EditorModelMessage } from "../../../server/protocol/editor-model";

/**
 * One message in the editor's form: it has no words of a system, and answers to calls stand in one message.
 */
export type Turn =
  | { readonly from: "user"; readonly text: string }
  | { readonly from: "user"; readonly results: readonly { readonly callId: string; readonly text: string }[] }
  | { readonly from: "model"; readonly text: string; readonly calls: readonly Call[] };

interface Call extends Pick<EditorModelCall, "callId" | "name"> {
  readonly input: object;
}

/** A conversation in the editor's form. */
export function turnsOf(messages: readonly EditorModelMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const before = turns.at(-1);
    switch (message.role) {
      case "system":
      case "user":
        turns.push({ from: "user", text: message.text });
        break;
      case "assistant":
        turns.push({ from: "model", text: message.text, calls: message.toolCalls.map(callOf) });
        break;
      case "tool": {
        const result = { callId: message.callId, text: message.text };
        if (before && "results" in before)
          turns[turns.length - 1] = { from: "user", results: [...before.results, result] };
        else turns.push({ from: "user", results: [result] });
      }
    }
  }
  return turns;
}

/** Arguments that are no JSON object cannot be sent: none stand in their place. */
function callOf({ callId, name, rawArguments }: EditorModelCall): Call {
  try {
    const input: unknown = JSON.parse(rawArguments);
    return { callId, name, input: typeof input === "object" && input !== null ? input : {} };
  } catch {
    return { callId, name, input: {} };
  }
}
