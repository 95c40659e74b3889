import * as z from "zod/mini";
import { isJsonObject } from "../../../base/json";
import type { ModelMessage, ModelToolCall } from "../../../ports/model";
import { parseJson } from "../../tools/arguments";

type Answer = Extract<ModelMessage, { role: "assistant" }>;

/** A text of an argument that is longer is taken out. */
const keptCharacters = 160;

const shape = z.array(z.object({ call: z.string(), arguments: z.string() }));

/** Under this id `recall` gives what the model wrote in a call. */
export function givenId(call: string): string {
  return `${call}.given`;
}

/**
 * The note that stands for what the model wrote in the calls of an answer, in the form that the log keeps.
 */
export function shortCallsNote({ toolCalls }: Answer): string {
  return JSON.stringify(toolCalls.map((call) => ({ call: call.callId, arguments: shortArguments(call) })));
}

/** The answer with the arguments of the note in place of its own. */
export function withShortCalls(answer: Answer, note: string): Answer {
  const parsed = parseJson(note);
  const short = shape.parse(parsed.ok ? parsed.value : undefined);
  return {
    ...answer,
    toolCalls: answer.toolCalls.map((call) => ({
      ...call,
      rawArguments: short.find((each) => each.call === call.callId)?.arguments ?? call.rawArguments,
    })),
  };
}

/** The same object with a reference in the place of each long text; still valid JSON. */
function shortArguments({ callId, rawArguments }: ModelToolCall): string {
  const parsed = parseJson(rawArguments);
  const given = parsed.ok && isJsonObject(parsed.value) ? parsed.value : { arguments: rawArguments };
  const short = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === "string" && value.length > keptCharacters ? reference(callId, value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(short));
}

function reference(call: string, text: string): string {
  return `(taken out: ${text.length} characters that you wrote; recall with call "${givenId(call)}" gives them back)`;
}
