import definition from "./restore.json";
import { type Tool, textOf, toolDefinition } from "./tool";

const namesAtMost = 40;

/** The newest where there are many. */
function namesText(names: readonly string[]): string {
  if (names.length <= namesAtMost) return names.join(", ");
  return `${names[0]}, … ${names.slice(1 - namesAtMost).join(", ")}`;
}

export const restore: Tool = {
  definition: toolDefinition(definition),
  async run(given, { context, scratch }) {
    const id = textOf(given, "candidate");
    const judged = await context.judged(id);
    if (!judged) {
      const names = ["baseline", ...context.candidates.map((each) => each.id)];
      return { kind: "error", text: `There is no candidate ${id}. There are: ${namesText(names)}.` };
    }
    scratch.reset(judged.candidate.tree, id);
    return { kind: "text", text: `The scratch copy holds the files of ${id}.` };
  },
};
