import type { CodeRow, Place } from "./row";

/** Notes of notes at most: what says more is no compiler's. */
const deepest = 40;

/** LLVM's form: `!dbg !7` behind an instruction, `!7 = !DILocation(line: 4, …, scope: !3)` at the end. */
export function llvmRows(text: string): readonly CodeRow[] {
  const lines = text.split("\n");
  const notes = new Notes(lines);
  return lines
    .filter((line) => line.trim() !== "" && !/^![\w.]+ = /.test(line))
    .map((line) => {
      const place = /^\s.*, !dbg (!\d+)/.exec(line)?.[1];
      return {
        text: line.replace(/,? !dbg !\d+/, ""),
        places: place === undefined ? [] : notes.placesOf(place),
      };
    });
}

class Notes {
  private readonly texts = new Map<string, string>();

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const defined = /^(!\d+) = (?:distinct )?(.*)$/.exec(line);
      if (defined !== null) this.texts.set(defined[1] ?? "", defined[2] ?? "");
    }
  }

  /** The line of a location, and behind it the calls that it was inlined into. */
  placesOf(name: string, depth = 0): readonly Place[] {
    const note = this.texts.get(name);
    if (note?.startsWith("!DILocation(") !== true || depth > deepest) return [];
    const [line = "0", scope = ""] = [named(note, "line"), named(note, "scope")];
    const outer = named(note, "inlinedAt");
    return [
      { file: this.fileOf(scope), line: Number(line) },
      ...(outer === undefined ? [] : this.placesOf(outer, depth + 1)),
    ];
  }

  /** The file of a scope, through the scopes around it. */
  private fileOf(name: string, depth = 0): string {
    const note = this.texts.get(name);
    if (note === undefined || depth > deepest) return "";
    const found = /^!DIFile\(filename: "([^"]*)"(?:, directory: "([^"]*)")?/.exec(note);
    if (found !== null) {
      const [, file = "", folder = ""] = found;
      return folder === "" || file.startsWith("/") ? file : `${folder}/${file}`;
    }
    return this.fileOf(named(note, "file") ?? named(note, "scope") ?? "", depth + 1);
  }
}

/** A number or another note's name among the fields of a note. */
function named(note: string, field: string): string | undefined {
  return new RegExp(`\\b${field}: (!?\\d+)`).exec(note)?.[1];
}
