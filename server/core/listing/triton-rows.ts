import type { CodeRow, Place } from "./row";

/** The operations of a module of MLIR, as Triton prints it with locations. */
export function tritonRows(ir: string): readonly CodeRow[] {
  const lines = ir.split("\n");
  const locations = new Locations(lines);
  const rows: { text: string; places: readonly Place[] }[] = [];
  const open: { places: readonly Place[] }[] = [];
  for (const line of lines) {
    if (line.trim() === "" || aliasOfLocation.test(line)) continue;
    const at = lastLocation(line);
    const text = (at === undefined ? line : line.slice(0, at)).trimEnd();
    const row = { text, places: at === undefined ? [] : locations.placesOf(line.slice(at)) };
    // The location of an operation with a region stands behind the region's end.
    const begun = text.trimStart().startsWith("}") ? open.pop() : undefined;
    if (begun) begun.places = row.places;
    if (text.endsWith("{")) open.push(row);
    rows.push(row);
  }
  return rows;
}

const aliasOfLocation = /^#loc\d*\s*=/;

/** Where the location at the end of a line begins; undefined where it has none. */
function lastLocation(line: string): number | undefined {
  const at = line.lastIndexOf(" loc(");
  return at >= 0 && line.trimEnd().endsWith(")") ? at : undefined;
}

/** Aliases may refer to each other, and in hostile text to themselves. */
const deepest = 40;

class Locations {
  private readonly aliases: ReadonlyMap<string, string>;

  constructor(lines: readonly string[]) {
    const found = lines.map((line) => /^(#loc\d*)\s*=\s*(.*)$/.exec(line)).filter((match) => match !== null);
    this.aliases = new Map(found.map(([, name = "", text = ""]) => [name, text]));
  }

  /** Innermost first: `callsite(INNER at CALLER)` is written in this order. */
  placesOf(text: string, depth = 0): readonly Place[] {
    if (depth > deepest) return [];
    const parts = text.matchAll(/"([^"]*)":(\d+):\d+|(#loc\d*)/g);
    return [...parts].flatMap(([, file, line, alias]) => {
      if (alias === undefined) return [{ file: file ?? "", line: Number(line) }];
      return this.placesOf(this.aliases.get(alias) ?? "", depth + 1);
    });
  }
}
