import definition from "./read-file.json";
import { isHidden, sourceSuffixes, textAt } from "./repository-text";
import { type Tool, numberOf, textOf, toolDefinition } from "../tool";

const linesAtOnce = 400;

export const readFile: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const path = textOf(given, "path");
    const found = await textAt(path, workbench);
    if (found.kind === "refused") return { kind: "error", text: found.reason };
    if (found.kind === "missing") {
      const known = (await workbench.files.list("", sourceSuffixes)).filter((each) => !isHidden(each));
      const name = path.slice(path.lastIndexOf("/") + 1);
      const similar = known
        .filter((each) => each.endsWith(name))
        .concat(known)
        .slice(0, 10);
      return {
        kind: "error",
        text: `There is no file ${path}. Files there are: ${[...new Set(similar)].join(", ")}.`,
      };
    }
    const lines = found.text.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    const first = Math.max(1, numberOf(given, "first_line") ?? 1);
    const last = Math.min(
      lines.length,
      numberOf(given, "last_line") ?? lines.length,
      first + linesAtOnce - 1,
    );
    if (first > lines.length)
      return {
        kind: "error",
        text: `${path} has ${lines.length} lines; first_line ${first} is beyond its end.`,
      };
    const shown = lines.slice(first - 1, last).map((line, index) => `${first + index}\t${line}`);
    const rest = last < lines.length ? [`(lines ${first} to ${last} of ${lines.length})`] : [];
    return { kind: "text", text: [...shown, ...rest].join("\n") };
  },
};
