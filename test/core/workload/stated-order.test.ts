import { expect, test } from "vitest";
import { saidAscending } from "../../../server/core/workload/comments/stated-order";

/** A comment, and which of `time` and `keys` it says ascend. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ["const float* time;    // year fractions, strictly increasing, time[0] == 0", ["time"]],
  ["const float* __restrict__ time,  /* sorted */", ["time"]],
  ["__global__ void look(const int* keys) // keys in ascending order", ["keys"]],
  ["// keys are sorted, time is not", ["keys"]],
  ["// key values are sorted", ["keys"]],
  ["// the key of sorted rows", []],
  ["# keys: monotonically increasing offsets", ["keys"]],
  [" * time   non-decreasing", ["time"]],
  ["const int* keys, // unsorted", []],
  ["const int* keys, // need not be sorted", []],
  ["const float* time; // descending", []],
  ["const float* time; // strictly decreasing", []],
  ["// the keys of all rows. Sorted rows come first", []],
  ["float time = 0; // increasing", []],
  ["const float* times, // sorted", []],
];

test.each(cases)("%s", (line, ascending) => {
  expect([...saidAscending(`int n;\n${line}\nint m;`, ["time", "keys"])]).toEqual(ascending);
});
