import { wholeTriedTable } from "../dialogue/tried-table";
import { findPast, wholePastText } from "../memory/past";
import { rewriteOf } from "../memory/rewrite";
import type { SourceTree } from "../../judge/candidate";
import definition from "./recall.json";
import { type Tool, type Workbench, numberOf, textOf, toolDefinition } from "./tool";

const charactersAtOnce = 12_000;
const changesAtMost = 8_000;

export const recall: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const call = textOf(given, "call");
    const text =
      (await workbench.recall(call)) ?? tableOf(call, workbench) ?? (await filesNamed(call, workbench));
    if (text === undefined)
      return {
        kind: "error",
        text: `There is no output of a call ${call}, and no candidate of that name.`,
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

/** The files of a candidate, of this session or an earlier one; undefined when there is none of that name. */
async function filesNamed(name: string, { context }: Workbench): Promise<string | undefined> {
  const own = await context.judged(name);
  if (own !== undefined) return filesText(context, name, { reason: own.reason, tree: own.candidate.tree });
  const found = findPast(context.past, name);
  if (found === undefined) return undefined;
  const tree = await context.past.filesOf(found.sessionId, found.candidate.tree);
  return filesText(context, name, { reason: found.candidate.reason, tree });
}

/** What the judge said, what was changed, and the files that may change or were made. */
function filesText(
  { editable, baseline }: Workbench["context"],
  name: string,
  { reason, tree }: { readonly reason: string; readonly tree: SourceTree },
): string {
  const began = baseline.candidate.tree;
  const shown = Object.keys(tree).filter((path) => editable.includes(path) || began[path] === undefined);
  const files = Object.fromEntries(shown.map((path) => [path, tree[path] ?? ""]));
  const changed = rewriteOf(began, files, changesAtMost);
  return [
    `${name}: ${reason}`,
    ...(changed === "" ? [] : [`What it changes in the baseline:\n${changed}`]),
    ...shown.map((path) => `${path}:\n${tree[path]}`),
  ].join("\n\n");
}
