import definition from "./recall.json";
import { type Tool, numberOf, textOf, toolDefinition } from "./tool";

const charactersAtOnce = 12_000;

export const recall: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const call = textOf(given, "call");
    const text = await workbench.recall(call);
    if (text === undefined) return { kind: "error", text: `There is no output of a call ${call}.` };
    const offset = Math.max(0, numberOf(given, "offset") ?? 0);
    const end = Math.min(text.length, offset + charactersAtOnce);
    const rest =
      end < text.length
        ? `\n(characters ${offset} to ${end} of ${text.length}; go on with offset ${end})`
        : "";
    return { kind: "text", text: text.slice(offset, end) + rest };
  },
};
