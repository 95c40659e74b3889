import { fail, type Outcome, succeed } from "../base/outcome";

/** One record of a CSV text. */
export interface CsvRecord {
  /** The line of the text on which it begins, one-based. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The record began with a quote, as those of NVIDIA's tools do. */
  readonly quoted: boolean;
}

export interface CsvProblem {
  readonly line: number;
  readonly text: string;
}

/** A field: quoted, with doubled quotes inside; or plain, up to a comma or the end of the line. */
const field = /"([^"]*(?:""[^"]*)*)"|([^,\r\n]*)/y;
const separator = /,|\r?\n|\r|$/y;

/**
 * The records of a comma-separated text, empty lines left out. Lines that begin with `==` are messages of
 * the tool between the records and come as one cell. ncu quotes every cell and doubles no quote of the source
 * text in it (`float("-inf")`): a line that is no record by the rules, but begins and ends with a quote, is
 * cut between quotes with a comma alone. The problem names the line where a quote never ends or text stands
 * behind one.
 */
export function readCsv(text: string): Outcome<readonly CsvRecord[], CsvProblem> {
  const records: CsvRecord[] = [];
  let place = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;
  while (place < text.length) {
    const strict = text.startsWith("==", place)
      ? succeed(messageAt(text, place))
      : recordAt(text, place, line);
    const record = strict.ok ? strict : (looseRecordAt(text, place) ?? strict);
    if (!record.ok) return record;
    const { cells, quoted, end } = record.value;
    if (cells.length > 1 || cells[0] !== "") records.push({ line, cells, quoted });
    line += linesIn(text.slice(place, end));
    place = end;
  }
  return succeed(records);
}

interface Found {
  readonly cells: readonly string[];
  readonly quoted: boolean;
  /** Where the next record begins. */
  readonly end: number;
}

function messageAt(text: string, from: number): Found {
  const stop = text.indexOf("\n", from);
  const end = stop < 0 ? text.length : stop + 1;
  return { cells: [text.slice(from, end).trimEnd()], quoted: false, end };
}

/** A line whose cells are all quoted, with quotes inside that are not doubled. */
const looseLine = /"(.*)"(?:\r?\n|\r|$)/y;

function looseRecordAt(text: string, from: number): Outcome<Found, CsvProblem> | undefined {
  looseLine.lastIndex = from;
  const [whole = "", inside] = looseLine.exec(text) ?? [];
  const cells = inside?.split('","') ?? [];
  // A single cell says nothing of where cells end.
  return cells.length > 1 ? succeed({ cells, quoted: true, end: from + whole.length }) : undefined;
}

function recordAt(text: string, from: number, line: number): Outcome<Found, CsvProblem> {
  const cells: string[] = [];
  let place = from;
  for (;;) {
    field.lastIndex = place;
    const [whole = "", inside, bare = ""] = field.exec(text) ?? [];
    if (inside === undefined && bare.startsWith('"'))
      return fail({
        line: line + linesIn(text.slice(from, place)),
        text: "a quote begins here and never ends; the file may be cut off",
      });
    cells.push(inside?.replaceAll('""', '"') ?? bare);
    place += whole.length;
    separator.lastIndex = place;
    const mark = separator.exec(text)?.[0];
    if (mark === undefined)
      return fail({
        line: line + linesIn(text.slice(from, place)),
        text: "expected a comma or the end of the line behind a closing quote",
      });
    place += mark.length;
    if (mark !== ",") return succeed({ cells, quoted: text.startsWith('"', from), end: place });
  }
}

function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
