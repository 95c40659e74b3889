import type { Diagnostic } from "vscode-languageserver";
import { expect, test } from "vitest";
import { checkOf, DiagnosticBoard } from "../../../server/host/lsp/diagnostics";

function fault(message: string): Diagnostic {
  return { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, message };
}

test("findings of one kernel stay when another kernel of the file is checked, and all go when the file changes", () => {
  const shown = new Map<string, readonly string[]>();
  const board = new DiagnosticBoard((uri, diagnostics) =>
    shown.set(
      uri,
      diagnostics.map(({ message }) => (typeof message === "string" ? message : message.value)),
    ),
  );
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
  board.dropChecks("a.cu");
  expect(Object.fromEntries(shown)).toEqual({ "a.cu": [], "a.h": ["mask"] });
});
