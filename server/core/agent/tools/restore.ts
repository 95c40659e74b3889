import definition from "./restore.json";
import { type Tool, textOf, toolDefinition } from "./tool";

export const restore: Tool = {
  definition: toolDefinition(definition),
  run: (given, { context, scratch }) => {
    const id = textOf(given, "candidate");
    const known = [context.baseline, ...context.candidates];
    const judged = known.find((each) => each.candidate.id === id);
    if (!judged)
      return Promise.resolve({
        kind: "error",
        text: `There is no candidate ${id}. There are: ${known.map((each) => each.candidate.id).join(", ")}.`,
      });
    scratch.reset(judged.candidate.tree, id);
    return Promise.resolve({ kind: "text", text: `The scratch copy holds the files of ${id}.` });
  },
};
