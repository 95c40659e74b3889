import { expect, test } from "vitest";
import { type Column, fittedTable } from "../../../server/host/cli/fitted-table";

interface Row {
  readonly name: string;
  readonly count: string;
  readonly remark: string;
}

const columns: readonly Column<Row>[] = [
  { head: "name", cell: ({ name }) => name },
  { head: "count", cell: ({ count }) => count },
  { head: "nothing", cell: () => "" },
  { head: "", cell: ({ remark }) => remark, below: true },
];
const rows: readonly Row[] = [
  { name: "first", count: "1234567890", remark: "it takes 32 KiB of shared memory" },
  { name: "second", count: "", remark: "" },
];

const cases: readonly (readonly [number, readonly string[]])[] = [
  [40, ["name    count", "first   1234567890", "        it takes 32 KiB of shared memory", "second"]],
  [
    20,
    [
      "name    count",
      "first   1234567890",
      "        it takes",
      "        32 KiB of",
      "        shared",
      "        memory",
      "second",
    ],
  ],
  [
    12,
    [
      "name",
      "first",
      "        count",
      "        1234567890;",
      "        it",
      "        takes",
      "        32 KiB",
      "        of",
      "        shared",
      "        memory",
      "second",
    ],
  ],
];

test.each(cases)("a table %d characters wide", (width, expected) => {
  expect(fittedTable(columns, rows, width)).toEqual(expected);
});
