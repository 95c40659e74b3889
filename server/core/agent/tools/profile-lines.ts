import { counterTable } from "../dialogue/counter-table";
import { isCorrect } from "../strategy";
import definition from "./profile-lines.json";
import { type Tool, numberOf, textOf, toolDefinition } from "./tool";

export const profileLines: Tool = {
  definition: toolDefinition(definition),
  async run(given, { context }) {
    const id = textOf(given, "candidate") || context.best.candidate.id;
    const judged = await context.judged(id);
    if (!judged) return { kind: "error", text: `There is no candidate ${id}.` };
    if (!isCorrect(judged)) return { kind: "error", text: `${id} has no counters: it is not correct.` };
    const lines = {
      first: numberOf(given, "first_line") ?? 1,
      last: numberOf(given, "last_line") ?? Number.MAX_SAFE_INTEGER,
    };
    return { kind: "text", text: counterTable(judged.verdict, judged.candidate.tree, lines) };
  },
};
