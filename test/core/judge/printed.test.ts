import { expect, test } from "vitest";
import { printedDifference } from "../../../server/core/judge/printed";

interface Case {
  readonly name: string;
  readonly before: string;
  readonly again?: string;
  readonly now: string;
  /** The line that differs, as it is printed now; undefined where none does. */
  readonly differs?: string;
}

const cases: readonly Case[] = [
  { name: "the same text", before: "sum 12.5\ndone", now: "sum 12.5\ndone" },
  { name: "a last digit", before: "sum 12.50000", now: "sum 12.50001" },
  { name: "another sum", before: "sum 12.5", now: "sum 12.9", differs: "sum 12.9" },
  { name: "a time", before: "kernel took 1.25 ms", now: "kernel took 0.31 ms" },
  { name: "text that is not steady", before: "seed 17", again: "seed 18", now: "seed 99" },
  {
    name: "another rounding error",
    before: "rows 2884  worst rel. error 2.03e-06  PASS",
    now: "rows 2884  worst rel. error 1.78e-07  PASS",
  },
  { name: "an error that is zero now", before: "max abs err 3.2e-07", now: "max abs err 0" },
  { name: "an error where there was none", before: "max abs err 0", now: "max abs err 4.8e-07" },
  {
    name: "an error that has grown to a loss of digits",
    before: "max error 2.0e-06",
    now: "max error 8.0e-04",
    differs: "max error 8.0e-04",
  },
  {
    name: "an error that is no rounding",
    before: "max error 2.0e-06",
    now: "max error 0.25",
    differs: "max error 0.25",
  },
  {
    name: "another count beside an error",
    before: "4 rows, max diff 1e-7",
    now: "5 rows, max diff 1e-7",
    differs: "5 rows, max diff 1e-7",
  },
  { name: "another number of errors", before: "errors: 0", now: "errors: 3", differs: "errors: 3" },
  { name: "places in memory", before: "buffer 0x200000001200", now: "buffer 0x20000000f400" },
  { name: "another checksum", before: "crc 0x1a2b3c4d", now: "crc 0x1a2b3c4e", differs: "crc 0x1a2b3c4e" },
  { name: "a round less", before: "converged after 57 iterations", now: "converged after 56 iterations" },
  {
    name: "many rounds less",
    before: "converged after 57 iterations",
    now: "converged after 40 iterations",
    differs: "converged after 40 iterations",
  },
  { name: "a verdict", before: "Test PASSED", now: "Test FAILED", differs: "Test FAILED" },
  {
    name: "a small result",
    before: "mean 2.0e-06",
    now: "mean 1.0e-06",
    differs: "mean 1.0e-06",
  },
];

function check({ before, again = before, now, differs }: Case): void {
  expect(printedDifference(before, again, now)?.now).toBe(differs);
}

test.each(cases)("$name", (each) => {
  check(each);
});
