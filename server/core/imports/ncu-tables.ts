import { at } from "../base/known";
import type { CsvRecord } from "./csv";
import type { LaunchSum, LineSum, NcuSums } from "./ncu-sums";

/** A table that has begun: takes its rows and says what is wrong with one. */
export interface Table {
  readonly quoted: boolean;
  take(record: CsvRecord): string | undefined;
}

/** Columns of the raw page that name a launch; all others are metrics. */
const launchColumns: ReadonlySet<string> = new Set([
  "ID",
  "Process ID",
  "Process Name",
  "Host Name",
  "Kernel Name",
  "Context",
  "Stream",
  "Block Size",
  "Grid Size",
  "Device",
  "CC",
]);

/** Columns of the source page that are no figures. */
const sourceColumns: ReadonlySet<string> = new Set([
  "Line No",
  "Address",
  "Source",
  "Address Space",
  "Access Operation",
  "Access Size",
]);

const titles: Readonly<Record<string, "file" | "kernel">> = {
  "File Path": "file",
  "Function Name": "kernel",
  "Kernel Name": "kernel",
};

/** The table whose header a record is, or the title lines above one; undefined for any other record. */
export function beginTable(record: CsvRecord, sums: NcuSums): Table | undefined {
  const { cells, quoted } = record;
  const title = cells.length === 2 ? titles[cells[0] ?? ""] : undefined;
  if (title !== undefined) {
    sums[title] = cells[1] ?? "";
    return { quoted, take: () => undefined };
  }
  const has = (name: string): boolean => cells.includes(name);
  const rows = rowsOf(has, cells);
  if (rows === undefined) return undefined;
  return {
    quoted,
    take: (row) => {
      const own = withWholeSource(row.cells, cells);
      return own.length === cells.length
        ? rows(new Row(cells, own), sums)
        : `expected ${cells.length} cells, as in the header on line ${record.line}, and found ${own.length}`;
    },
  };
}

/** Text of a source line with `","` in it was cut there: ncu doubles no quotes. */
function withWholeSource(cells: readonly string[], header: readonly string[]): readonly string[] {
  const source = header.indexOf("Source");
  const more = cells.length - header.length;
  if (source < 0 || more <= 0) return cells;
  const behind = source + 1 + more;
  return [...cells.slice(0, source), cells.slice(source, behind).join('","'), ...cells.slice(behind)];
}

type TakeRow = (row: Row, sums: NcuSums) => string | undefined;

function rowsOf(has: (name: string) => boolean, cells: readonly string[]): TakeRow | undefined {
  if (has("Kernel Name") && has("Metric Name") && has("Metric Value")) return takeDetail;
  if (has("Kernel Name") && has("ID")) return rawTable();
  if (cells[0] === "Line No" && has("Address")) return lineTable();
  if (cells[0] === "Address" && cells[1] === "Source") return takeInstruction;
  return undefined;
}

/** A row by the names of its columns; of two columns with one name the first. */
class Row {
  readonly #header: readonly string[];
  readonly #cells: readonly string[];

  constructor(header: readonly string[], cells: readonly string[]) {
    this.#header = header;
    this.#cells = cells;
  }

  cell(name: string): string {
    return this.#cells[this.#header.indexOf(name)] ?? "";
  }

  /** Names and texts of the columns that hold figures. */
  figures(besides: ReadonlySet<string>): readonly (readonly [string, string])[] {
    return this.#header.flatMap((name, at) =>
      besides.has(name) || name === "" ? [] : [[name, this.#cells[at] ?? ""] as const],
    );
  }
}

function takeDetail(row: Row, sums: NcuSums): string | undefined {
  const launch = sums.launch(headOf(row));
  const rule = row.cell("Rule Name");
  if (rule !== "") {
    const speedup = numberOf(row.cell("Estimated Speedup"));
    sums.advice.push({
      kernel: row.cell("Kernel Name"),
      rule,
      text: row.cell("Rule Description"),
      ...(speedup === undefined ? {} : { speedup }),
    });
  }
  const name = row.cell("Metric Name");
  const text = row.cell("Metric Value");
  const value = numberOf(text);
  if (name === "") return undefined;
  sums.names.add(name);
  if (value !== undefined) launch.sum.add({ name, value, unit: row.cell("Metric Unit") }, false);
  return undefined;
}

/** Rows of the raw page: the first one, whose ID is empty, holds the units. */
function rawTable(): TakeRow {
  let units = new Map<string, string>();
  return (row, sums) => {
    if (row.cell("ID") === "") {
      units = new Map(row.figures(launchColumns));
      return undefined;
    }
    if (!/^\d+$/.test(row.cell("ID")))
      return `expected the number of a launch as ID, and found "${row.cell("ID")}"`;
    const launch = sums.launch(headOf(row));
    for (const [name, text] of row.figures(launchColumns)) {
      sums.names.add(name);
      const value = numberOf(text);
      if (value !== undefined) launch.sum.add({ name, value, unit: units.get(name) ?? "" }, false);
    }
    return undefined;
  };
}

/**
 * Rows of `--print-source cuda,sass`: a row with a line number holds the sums of the line; the rows of its
 * machine code below it are read for their accesses alone, or everything would count twice. ncu lists an
 * instruction again where the line's text is shown again.
 */
function lineTable(): TakeRow {
  let line: LineSum | undefined;
  const read = new Set<string>();
  return (row, sums) => {
    const number = row.cell("Line No");
    if (number === "") {
      const address = row.cell("Address");
      if (line !== undefined && !read.has(address))
        takeFigures(row, sums, { to: line, access: accessOf(row) });
      read.add(address);
      return undefined;
    }
    if (!/^\d{1,9}$/.test(number)) return `expected a line number in the first column, and found "${number}"`;
    line = sums.line(Number(number));
    takeFigures(row, sums, { to: line });
    return undefined;
  };
}

/** A machine instruction without its line: adds to the kernel as a whole. */
function takeInstruction(row: Row, sums: NcuSums): string | undefined {
  const launch = sums.launch({ id: "", kernel: sums.kernel, grid: "", block: "", device: "" });
  takeFigures(row, sums, { to: launch });
  takeFigures(row, sums, { to: launch, access: accessOf(row) });
  return undefined;
}

interface Taker {
  readonly to: LineSum | LaunchSum;
  /** Takes what is told of instructions with this access alone; empty for other instructions. */
  readonly access?: string;
}

function takeFigures(row: Row, sums: NcuSums, { to, access }: Taker): void {
  for (const [name, text] of row.figures(sourceColumns)) {
    sums.names.add(name);
    const value = numberOf(text);
    if (value !== undefined)
      to.sum.add({ name, value, unit: "", ...(access === undefined ? {} : { access }) }, true);
  }
}

function accessOf(row: Row): string {
  return `${row.cell("Address Space").replace(/\(.*\)$/, "")} ${row.cell("Access Operation")}`.trim();
}

function headOf(row: Row): LaunchSum["head"] {
  const capability = /^(\d+)\.(\d+)$/.exec(row.cell("CC"));
  const architecture = capability === null ? "" : `sm_${at(capability, 1)}${at(capability, 2)}`;
  return {
    id: row.cell("ID"),
    kernel: row.cell("Kernel Name"),
    grid: row.cell("Grid Size"),
    block: row.cell("Block Size"),
    device: row.cell("device__attribute_display_name") || architecture,
  };
}

/** `1,215,000.50` as a number; undefined for `n/a`, texts and empty cells, which are missing and not 0. */
function numberOf(text: string): number | undefined {
  return /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?$/i.test(text)
    ? Number(text.replaceAll(",", ""))
    : undefined;
}
