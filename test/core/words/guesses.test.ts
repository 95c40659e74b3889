import { expect, test } from "vitest";
import type { Finding, Verdict } from "../../../server/core/judge/verdict";
import { guessesBehind } from "../../../server/core/words/describe";
import type { KernelSpec } from "../../../server/core/workload/spec";

type Origins = NonNullable<KernelSpec["origins"]>;

const beyond =
  'out of bounds: thread (3,0,0) of block (1,0,0) reads 4 bytes at 0x10, 4 bytes behind the end of "rows" (24 bytes)';
const unfilled = "2 of 68 elements of wide were never written, the first is element 66";

function faulted(kind: string, message: string): Verdict {
  const finding: Finding = { kind, file: "k.cu", line: 5, message };
  return { kind: "did-not-run", reason: message, findings: [finding] };
}

function wrong(kind: string, message: string): Verdict {
  const finding: Finding = { kind, file: "k.cu", line: 0, message };
  const failed = {
    shape: { sizes: { n: 8 } },
    passed: false,
    tolerance: { absolute: 0, relative: 0 },
    findings: [finding],
  };
  return { kind: "wrong", tier: "full", cases: [failed], facts: [] };
}

function fitted(path: string, name: string): readonly string[] {
  return [
    `${path}: it was fitted to how far a few launches touched ${name}, and this one touched more or less. Write how many elements ${name} has.`,
  ];
}

function alsoWith(n: number, passed: boolean, verdict: Verdict): Verdict {
  if (verdict.kind !== "wrong") return verdict;
  const first = { shape: { sizes: { n } }, passed, tolerance: { absolute: 0, relative: 0 }, findings: [] };
  return { ...verdict, cases: [first, ...verdict.cases] };
}

const race = "race in global memory: thread (2,0,0) writes 4 bytes that thread (3,0,0) read";

const cases: readonly (readonly [string, Verdict, Origins, readonly string[]])[] = [
  [
    "sizes that were made up, at which alone something is found",
    alsoWith(64, true, wrong("global-race", race)),
    { "launch.grid": "probed" },
    [
      "shapes: I assumed n=8: is that right? With n=64 nothing is found. If such sizes are allowed, write them as a shape: it is a fault of the kernel then.",
    ],
  ],
  [
    "the usual sizes, at which something is found too",
    alsoWith(64, false, wrong("global-race", race)),
    { "launch.grid": "probed" },
    [],
  ],
  ["sizes of the user's", alsoWith(64, true, wrong("global-race", race)), {}, []],
  [
    "a probed buffer that a launch goes beyond",
    faulted("out-of-bounds", beyond),
    { "inputs.rows.shape": "probed" },
    fitted("inputs.rows.shape", "rows"),
  ],
  [
    "a probed output that is not filled",
    wrong("never-written", unfilled),
    { "outputs.wide.shape": "probed" },
    fitted("outputs.wide.shape", "wide"),
  ],
  [
    "an output that host code makes and no launch fills",
    wrong("never-written", unfilled),
    { "outputs.wide.shape": "inferred" },
    [
      "outputs.wide: the host code makes it this large, and its launches leave a part of it as it was. If that is meant, have the entry return what they fill.",
    ],
  ],
  [
    "an output that host code makes and a launch leaves",
    faulted("out-of-bounds", beyond.replace("rows", "wide")),
    { "outputs.wide.shape": "inferred" },
    [],
  ],
  ["a buffer of which the user says how long it is", faulted("out-of-bounds", beyond), {}, []],
  [
    "a buffer that is left at its start too",
    faulted("out-of-bounds", beyond),
    { "inputs.rows.shape": "inferred" },
    [],
  ],
  [
    "another buffer than the probed one",
    faulted("out-of-bounds", beyond),
    { "inputs.columns.shape": "probed" },
    [],
  ],
  [
    "a block that was found, of which shared memory was not written",
    wrong("uninitialized-read", "uninitialised read: thread (1,0,0) reads 4 bytes at shared memory+0x4"),
    { "launch.block": "probed" },
    ["launch.block: it was found by launching the kernel, which may be made for more threads."],
  ],
  [
    "an assertion about values that were made up",
    faulted("trap", "assertion failed: x[i] > 0"),
    { "inputs.x.shape": "probed" },
    ["inputs: their values were made up, and the kernel asserts others. State them under distribution."],
  ],
  ["an assertion about the user's own values", faulted("trap", "assertion failed: x[i] > 0"), {}, []],
  ["a race", faulted("global-race", 'race on "rows" (24 bytes)'), { "inputs.rows.shape": "probed" }, []],
];

test.each(cases)("what a failure rests on: %s", (_title, verdict, origins, expected) => {
  expect(guessesBehind(verdict, { origins }, [])).toEqual(expected);
});
