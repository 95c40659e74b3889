import { plural } from "../../../words/quantities";
import { type Tool, textOf, toolDefinition } from "../tool";
import definition from "./write-file.json";

export const writeFile: Tool = {
  definition: toolDefinition(definition),
  run: (given, { scratch }) => {
    const [path, text] = [textOf(given, "path"), textOf(given, "text")];
    const before = scratch.read(path);
    if (text.trim() === "")
      return Promise.resolve({
        kind: "error",
        text: "`text` is empty: give the whole new text of the file.",
      });
    const windows = before?.includes("\r\n") === true;
    const written = scratch.write(path, windows ? text.replace(/\r?\n/g, "\r\n") : text);
    if (!written.ok) return Promise.resolve({ kind: "error", text: written.problem });
    const lines = text.replace(/\n$/, "").split("\n").length;
    return Promise.resolve({ kind: "text", text: `${path}: written, ${plural(lines, "line")}.` });
  },
};
