import definition from "./finish.json";
import { type Tool, textOf, toolDefinition } from "./tool";

export const finish: Tool = {
  definition: toolDefinition(definition),
  run: (given) =>
    Promise.resolve({ kind: "finish", reason: textOf(given, "reason").trim() || "the model gave no reason" }),
};
