import definition from "./submit-candidate.json";
import { type Tool, textOf, toolDefinition } from "./tool";

export const submitCandidate: Tool = {
  definition: toolDefinition(definition),
  run: (given) => {
    const hypothesis = textOf(given, "hypothesis").trim().replace(/\s+/g, " ");
    if (hypothesis === "")
      return Promise.resolve({
        kind: "error",
        text: "`hypothesis` is empty: say in one sentence what was changed and which counter should fall.",
      });
    return Promise.resolve({ kind: "submit", hypothesis });
  },
};
