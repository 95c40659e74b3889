import { expect, test } from "vitest";
import { findSymbols } from "../../../server/core/language/ptx/symbols";
import { readCase } from "../../harness/cases";

test("entries and functions of a PTX text", () => {
  expect(findSymbols(readCase("language/entries.ptx"))).toEqual([
    {
      name: "helper",
      detail: ".func",
      kind: "function",
      range: { start: { line: 4, character: 0 }, end: { line: 9, character: 1 } },
      nameRange: { start: { line: 4, character: 28 }, end: { line: 4, character: 34 } },
    },
    {
      name: "_Z5scalePfi",
      detail: ".entry",
      kind: "kernel",
      range: { start: { line: 11, character: 0 }, end: { line: 18, character: 1 } },
      nameRange: { start: { line: 11, character: 16 }, end: { line: 11, character: 27 } },
    },
  ]);
});
