import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import { expect, test } from "vitest";
import type { Finding } from "../../../server/core/judge/verdict";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { buildOf, checkOf, DiagnosticBoard, programOf } from "../../../server/host/lsp/diagnostics";
import { assumptionOf } from "../../../server/host/lsp/handlers/check-diagnostics";
import { findingDiagnostic } from "../../../server/host/lsp/views/convert";

function fault(message: string): Diagnostic {
  return { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, message };
}

function textOf({ message }: Diagnostic): string {
  return typeof message === "string" ? message : message.value;
}

test("findings of one kernel stay when another kernel of the file is checked, and all go when the file changes", () => {
  const shown = new Map<string, readonly string[]>();
  const board = new DiagnosticBoard((uri, diagnostics) => shown.set(uri, diagnostics.map(textOf)));
  board.putAll(
    checkOf("a.cu", "first"),
    new Map([
      ["a.cu", [fault("race")]],
      ["a.h", [fault("bounds")]],
    ]),
  );
  board.putAll(checkOf("a.cu", "second"), new Map([["a.cu", [fault("barrier")]]]));
  board.putAll(checkOf("b.cu", "third"), new Map([["a.h", [fault("mask")]]]));
  expect(Object.fromEntries(shown)).toEqual({ "a.cu": ["race", "barrier"], "a.h": ["bounds", "mask"] });
  board.putAll(checkOf("a.cu", "first"), new Map());
  expect(Object.fromEntries(shown)).toEqual({ "a.cu": ["barrier"], "a.h": ["mask"] });
  board.dropRuns("a.cu");
  expect(Object.fromEntries(shown)).toEqual({ "a.cu": [], "a.h": ["mask"] });
});

/** A finding from one place to another, `LINE:CHARACTER`. */
function at(from: string, to: string, message: string): Diagnostic {
  const [start, end] = [from, to].map((place) => {
    const [line = 0, character = 0] = place.split(":").map(Number);
    return { line, character };
  });
  return {
    range: { start: start ?? { line: 0, character: 0 }, end: end ?? { line: 0, character: 0 } },
    message,
  };
}

test.each([
  ["a line above", [["1:0", "1:0", "\n"]], "3:4-3:9"],
  ["a line at its start", [["2:4", "2:4", "\n"]], "3:0-3:5"],
  ["a word before it in its line", [["2:0", "2:2", "float"]], "2:7-2:12"],
  ["a line above goes", [["0:3", "1:3", ""]], "1:4-1:9"],
  ["two lines become one before it", [["1:2", "2:1", "x"]], "1:6-1:11"],
  ["a letter in it", [["2:6", "2:6", "x"]], "2:4-2:10"],
  ["all of it", [["2:2", "2:12", "y"]], "2:3-2:3"],
  ["behind it in its line", [["2:9", "2:9", "z"]], "2:4-2:10"],
  ["a line below", [["3:0", "3:0", "\n"]], "2:4-2:9"],
  [
    "two edits, one after the other",
    [
      ["0:0", "0:0", "\n"],
      ["0:0", "1:0", ""],
    ],
    "2:4-2:9",
  ],
] as const)("what was found stays with its text: %s", (_, edits, expected) => {
  const shown: string[] = [];
  const board = new DiagnosticBoard((__, diagnostics) => {
    const places = diagnostics.map(({ range: { start, end } }) => [start, end]);
    shown.splice(
      0,
      shown.length,
      ...places.map((ends) => ends.map(({ line, character }) => `${line}:${character}`).join("-")),
    );
  });
  board.put("a.cu", "lint", [at("2:4", "2:9", "mask")]);
  board.follow(
    "a.cu",
    edits.map(([from, to, text]) => ({ range: at(from, to, "").range, text })),
  );
  board.put("a.cu", checkOf("a.cu", "k"), []);
  expect(shown).toEqual([expected]);
});

test("what a compile of a file and the build of its program say of one line is said once, as an error", () => {
  const shown: string[] = [];
  const board = new DiagnosticBoard((_, diagnostics) => {
    shown.splice(0, shown.length, ...diagnostics.map((each) => `${each.severity ?? 1} ${textOf(each)}`));
  });
  const warning = { ...fault('here: "lost" is undefined'), severity: DiagnosticSeverity.Warning };
  board.put("a.cu", "compiler a.cu", [warning, fault("race")]);
  board.putAll(buildOf("a.cu"), new Map([["a.cu", [fault('"lost" is undefined'), fault("race")]]]));
  expect(shown).toEqual(["1 race", '1 "lost" is undefined']);
});

test("what each way to run a program shows stays beside what the others show", () => {
  const shown: string[] = [];
  const board = new DiagnosticBoard((_, diagnostics) => {
    shown.splice(0, shown.length, ...diagnostics.map(textOf));
  });
  board.putAll(programOf("a.cu", "sanitize"), new Map([["a.cu", [fault("race")]]]));
  board.putAll(programOf("a.cu", "profile"), new Map([["a.cu", [fault("skipped")]]]));
  board.putAll(programOf("a.cu", "run"), new Map());
  expect(shown).toEqual(["race", "skipped"]);
  board.putAll(programOf("a.cu", "sanitize"), new Map());
  expect(shown).toEqual(["skipped"]);
  board.dropRuns("a.cu");
  expect(shown).toEqual([]);
});

const finding = {
  kind: "out-of-bounds",
  file: "a.cu",
  line: 7,
  message: "thread (32,0,0) reads past the end",
};
const parsedSpec: KernelSpec = {
  file: "a.cu",
  kernel: "k",
  dialect: "cuda",
  run: { kind: "launch", launch: { arguments: [] } },
  inputs: {},
  outputs: {},
  shapes: [],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};
const launched = (launch: object): Parameters<typeof assumptionOf>[0]["spec"] => ({
  ...parsedSpec,
  run: { kind: "launch", launch: { arguments: [], ...launch } },
});

test.each([
  ["a spec of the user", false, {}, undefined],
  ["a spec of the user that fixes the launch", false, { grid: ["n"], block: [256] }, undefined],
  ["shapes alone assumed", true, {}, "assumed shapes"],
  [
    "no launch in the file",
    true,
    { grid: ["ceil_div(n, 256)"], block: [256] },
    "an assumed launch of grid ceil_div(n, 256), block 256",
  ],
  [
    "a launch of two dimensions",
    true,
    { grid: ["a", "b"], block: [32, 8] },
    "an assumed launch of grid a × b, block 32 × 8",
  ],
] as const)("what a check took for granted: %s", (_, inferred, launch, expected) => {
  const assumption = assumptionOf({ inferred, spec: launched(launch) });
  expect(assumption).toBe(expected);
  const { severity, message } = findingDiagnostic(finding as Finding, (file) => file, assumption);
  expect([severity, message]).toEqual(
    expected === undefined
      ? [DiagnosticSeverity.Error, finding.message]
      : [
          DiagnosticSeverity.Warning,
          `with ${expected}: ${finding.message}; set up the kernel to say how it is launched`,
        ],
  );
});
