import { fail, type Outcome, succeed } from "../base/outcome";
import { type CsvProblem, type CsvRecord, readCsv } from "./csv";
import { isKnownMetric } from "./metric-map";
import { type Advice, type MeasuredLaunch, type MeasuredLine, NcuSums } from "./ncu-sums";
import { beginTable, type Table } from "./ncu-tables";

export interface NcuReport {
  readonly launches: readonly MeasuredLaunch[];
  readonly lines: readonly MeasuredLine[];
  readonly advice: readonly Advice[];
  /** Lines of ncu between its tables, and what was not understood. */
  readonly messages: readonly string[];
  /** Metrics without a row in ncu-metrics.json. */
  readonly unknownMetrics: readonly string[];
}

/**
 * Reads what `ncu --csv` printed: the pages raw, details and source (`sass` and `cuda,sass`), also one after
 * the other. Tables are found by their headers. The problem names the line and what was expected there.
 */
export function readNcuReport(text: string): Outcome<NcuReport, CsvProblem> {
  const read = readCsv(text);
  if (!read.ok) return read;
  const sums = new NcuSums();
  let table: Table | undefined;
  let tables = 0;
  for (const record of read.value) {
    const begun = beginTable(record, sums);
    if (begun !== undefined) {
      table = begun;
      tables += 1;
      continue;
    }
    if (isNoise(record, table)) {
      if (record.cells[0]?.startsWith("==") === true) sums.messages.push(record.cells[0]);
      continue;
    }
    const problem = table?.take(record);
    if (problem !== undefined) return fail({ line: record.line, text: problem });
  }
  if (tables === 0) return fail({ line: 1, text: expected });
  return succeed(reportOf(sums));
}

const expected =
  'expected a table of `ncu --csv --page raw`, `details` or `source`: no header with "Kernel Name" or "Address","Source" was found';

/** Messages of the tool and output of the program, which stand between the rows of a quoted table. */
function isNoise(record: CsvRecord, table: Table | undefined): boolean {
  const [first = ""] = record.cells;
  return table === undefined || first.startsWith("==") || (table.quoted && !record.quoted);
}

function reportOf(sums: NcuSums): NcuReport {
  return {
    launches: [...sums.launches.values()].map(({ head, sum }) => ({ ...head, ...sum.figures })),
    lines: [...sums.lines.values()].map(({ head, sum }) => ({ ...head, ...sum.figures })),
    advice: sums.advice,
    messages: sums.messages,
    unknownMetrics: [...sums.names].filter((name) => !isKnownMetric(name)).toSorted(),
  };
}
