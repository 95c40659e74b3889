import { plural } from "../../../words/quantities";
import { textAt } from "./repository-text";
import { type Tool, textOf, toolDefinition, type Workbench } from "../tool";
import definition from "./write-file.json";

export const writeFile: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const { scratch } = workbench;
    const [path, text] = [textOf(given, "path"), textOf(given, "text")];
    const before = scratch.read(path);
    if (text.trim() === "")
      return { kind: "error", text: "`text` is empty: give the whole new text of the file." };
    const inTheWay = before === undefined ? await foundAt(path, workbench) : undefined;
    if (inTheWay !== undefined) return { kind: "error", text: inTheWay };
    const windows = before?.includes("\r\n") === true;
    const written = scratch.write(path, windows ? text.replace(/\r?\n/g, "\r\n") : text);
    if (!written.ok) return { kind: "error", text: written.problem };
    const lines = text.replace(/\n$/, "").split("\n").length;
    const done = before === undefined ? "made" : "written";
    return { kind: "text", text: `${path}: ${done}, ${plural(lines, "line")}.` };
  },
};

/** What stands in the way of a new file: one of the repository that the task has no part of. */
async function foundAt(path: string, workbench: Workbench): Promise<string | undefined> {
  const refused = workbench.scratch.refuses(path);
  if (refused !== undefined) return refused;
  const found = await textAt(path, workbench);
  if (found.kind === "refused") return found.reason;
  if (found.kind === "missing") return undefined;
  return `${path} may not be edited. Editable: ${workbench.scratch.editable.join(", ")}.`;
}
