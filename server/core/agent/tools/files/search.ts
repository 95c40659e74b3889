import definition from "./search.json";
import { isHidden, sourceSuffixes, textAt } from "./repository-text";
import { type Tool, type Workbench, textOf, toolDefinition } from "../tool";

const hitsAtMost = 60;
const filesAtMost = 2000;
const lineLength = 240;

export const search: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const wanted = textOf(given, "text");
    if (wanted.trim() === "" || wanted.includes("\n"))
      return { kind: "error", text: "`text` must be a piece of one line." };
    const hits = await hitsOf(wanted, textOf(given, "folder"), workbench);
    if (hits.length === 0) return { kind: "text", text: `Nothing found for ${JSON.stringify(wanted)}.` };
    const more =
      hits.length > hitsAtMost ? ["(there are more; search for a longer piece or in a folder)"] : [];
    return { kind: "text", text: [...hits.slice(0, hitsAtMost), ...more].join("\n") };
  },
};

async function hitsOf(wanted: string, folder: string, workbench: Workbench): Promise<readonly string[]> {
  const below = folder.replace(/^\.?\/+|\/+$/g, "").replace(/^\.$/, "");
  const listed = await workbench.files.list(below, sourceSuffixes);
  const inScratch = Object.keys(workbench.scratch.tree).filter(
    (path) => below === "" || path.startsWith(`${below}/`),
  );
  const paths = [...new Set([...inScratch, ...listed])]
    .filter((path) => !isHidden(path))
    .slice(0, filesAtMost);
  const hits: string[] = [];
  for (const path of paths) {
    const found = await textAt(path, workbench);
    if (found.kind !== "text") continue;
    for (const [index, line] of found.text.split("\n").entries()) {
      if (line.includes(wanted)) hits.push(`${path}:${index + 1}: ${line.trim().slice(0, lineLength)}`);
    }
    if (hits.length > hitsAtMost) break;
  }
  return hits;
}
