import { wholeTriedTable } from "../dialogue/tried-table";
import { findPast, wholePastText } from "../memory/past";
import definition from "./recall.json";
import { type Tool, type Workbench, numberOf, textOf, toolDefinition } from "./tool";

const charactersAtOnce = 12_000;

export const recall: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const call = textOf(given, "call");
    const text =
      (await workbench.recall(call)) ?? tableOf(call, workbench) ?? (await pastFiles(call, workbench));
    if (text === undefined)
      return {
        kind: "error",
        text: `There is no output of a call ${call}, and no earlier candidate of that name.`,
      };
    const offset = Math.max(0, numberOf(given, "offset") ?? 0);
    const end = Math.min(text.length, offset + charactersAtOnce);
    const rest =
      end < text.length
        ? `\n(characters ${offset} to ${end} of ${text.length}; go on with offset ${end})`
        : "";
    return { kind: "text", text: text.slice(offset, end) + rest };
  },
};

/** All that was tried, in this session or an earlier one; undefined for a name of something else. */
function tableOf(name: string, { context }: Workbench): string | undefined {
  return name === "tried" ? wholeTriedTable(context) : wholePastText(context.past, name);
}

/** The editable files of a candidate of an earlier session; undefined when there is none of that name. */
async function pastFiles(name: string, { context }: Workbench): Promise<string | undefined> {
  const found = findPast(context.past, name);
  if (found === undefined) return undefined;
  const tree = await context.past.filesOf(found.sessionId, found.candidate.tree);
  const shown = context.editable.filter((path) => tree[path] !== undefined);
  return [`${name}: ${found.candidate.reason}`, ...shown.map((path) => `${path}:\n${tree[path]}`)].join(
    "\n\n",
  );
}
