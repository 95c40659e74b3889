import definition from "./edit.json";
import { type Tool, type ToolAnswer, textOf, toolDefinition } from "../tool";

export const edit: Tool = {
  definition: toolDefinition(definition),
  run: (given, { scratch }) => {
    const path = textOf(given, "path");
    const before = scratch.read(path);
    if (before === undefined)
      return answer("error", `${path} is not in the scratch copy. Editable: ${scratch.editable.join(", ")}.`);
    const windows = before.includes("\r\n");
    const [oldText, newText] = [textOf(given, "old_text"), textOf(given, "new_text")].map((text) =>
      windows ? text.replace(/\r?\n/g, "\r\n") : text,
    ) as [string, string];
    if (oldText === "")
      return answer(
        "error",
        "`old_text` is empty: give the text to replace, exactly as it stands in the file.",
      );
    if (oldText === newText)
      return answer("error", "`old_text` and `new_text` are the same: nothing would change.");
    const places = placesOf(before, oldText);
    const [place] = places;
    if (place === undefined) return answer("error", noMatch(path, before, oldText));
    if (places.length > 1)
      return answer(
        "error",
        `\`old_text\` stands ${places.length} times in ${path} (lines ${places.map((at) => lineAt(before, at)).join(", ")}). Take in neighbouring lines until it is unique.`,
      );
    const written = scratch.write(
      path,
      before.slice(0, place) + newText + before.slice(place + oldText.length),
    );
    if (!written.ok) return answer("error", written.problem);
    const first = lineAt(before, place);
    return answer(
      "text",
      `${path}: replaced at line ${first} (${countLines(oldText)} out, ${newText === "" ? 0 : countLines(newText)} in).`,
    );
  },
};

function answer(kind: "text" | "error", text: string): Promise<ToolAnswer> {
  return Promise.resolve({ kind, text });
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

function lineAt(text: string, index: number): number {
  return countLines(text.slice(0, index));
}

function countLines(text: string): number {
  return text.split("\n").length;
}

/**
 * Says why a text was not found: line numbers copied along, white space that differs, or else the line that
 * is nearest.
 */
function noMatch(path: string, text: string, wanted: string): string {
  const unnumbered = wanted
    .split("\n")
    .map((line) => line.replace(/^\d+\t/, ""))
    .join("\n");
  if (unnumbered !== wanted && text.includes(unnumbered))
    return "`old_text` holds the line numbers of read_file; leave the numbers and the tabs after them out.";
  const lines = text.split(/\r?\n/);
  const wantedLines = wanted.split(/\r?\n/);
  const blurred = wantedLines.map(blur);
  const loose = lines.findIndex((_, start) =>
    blurred.every((line, index) => blur(lines[start + index] ?? "") === line),
  );
  if (loose >= 0)
    return `\`old_text\` differs from ${path} in white space only. The lines as they stand:\n${numbered(lines, loose, wantedLines.length)}`;
  const anchor = blurred.find((line) => line.length > 3 && lines.some((each) => blur(each) === line));
  if (anchor === undefined)
    return `\`old_text\` is not in ${path}, nor is any line of it. Read the file again: the scratch copy may have changed.`;
  const near = Math.max(0, lines.findIndex((each) => blur(each) === anchor) - blurred.indexOf(anchor));
  return `\`old_text\` is not in ${path}. The nearest lines as they stand:\n${numbered(lines, near, wantedLines.length)}`;
}

function blur(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function numbered(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + Math.min(count, 40))
    .map((line, index) => `${start + index + 1}\t${line}`)
    .join("\n");
}
