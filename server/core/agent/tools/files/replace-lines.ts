import { type Tool, type ToolAnswer, numberOf, textOf, toolDefinition } from "../tool";
import definition from "./replace-lines.json";

const shownAround = 2;

export const replaceLines: Tool = {
  definition: toolDefinition(definition),
  run: (given, { scratch }) => {
    const path = textOf(given, "path");
    const before = scratch.read(path);
    if (before === undefined)
      return answer("error", `${path} is not in the scratch copy. Editable: ${scratch.editable.join(", ")}.`);
    const [first, last] = [numberOf(given, "first_line") ?? 1, numberOf(given, "last_line") ?? 0];
    const ending = before.includes("\r\n") ? "\r\n" : "\n";
    const lines = before.split(/\r?\n/);
    const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    if (first < 1 || last < first - 1 || last > count || first > count + 1)
      return answer(
        "error",
        `${path} has ${count} lines; first_line ${first} and last_line ${last} are no range of it.`,
      );
    const text = textOf(given, "new_text").replace(/\r?\n$/, "");
    const put = textOf(given, "new_text") === "" ? [] : text.split(/\r?\n/);
    const after = [...lines.slice(0, first - 1), ...put, ...lines.slice(last)];
    const written = scratch.write(path, after.join(ending));
    if (!written.ok) return answer("error", written.problem);
    const shift = put.length - (last - first + 1);
    return answer(
      "text",
      `${path}: lines ${first} to ${last} replaced by ${put.length}${shift === 0 ? "" : `; lines behind move by ${shift}`}. It reads now:\n${numbered(after.slice(0, count + shift), first - 1 - shownAround, first - 1 + put.length + shownAround)}`,
    );
  },
};

function answer(kind: "text" | "error", text: string): Promise<ToolAnswer> {
  return Promise.resolve({ kind, text });
}

/** The edge of an edit is where it goes wrong: its first and last lines with their neighbours. */
function numbered(lines: readonly string[], from: number, to: number): string {
  const start = Math.max(0, from);
  const shown = lines.slice(start, to).map((line, index) => `${start + index + 1}\t${line}`);
  const edge = 2 * shownAround;
  return shown.length <= 2 * edge
    ? shown.join("\n")
    : [...shown.slice(0, edge), "…", ...shown.slice(-edge)].join("\n");
}
