import { deepEqual, match } from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import { racingLines, writeRacingKernel } from "../../harness/racing-kernel";
import type { EditorCase } from "../editor-case";
import { inWorkspace, lensArgument, show } from "../editor-window";

/** What runs have found: lints of the text stand beside it. */
function ofRuns(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "virtual GPU");
}

export const findingCases: readonly EditorCase[] = [
  {
    name: "a race stands on the line that loads, with the line that stores beside it",
    trusted: true,
    run: async () => {
      writeRacingKernel(inWorkspace("").fsPath);
      const { document } = await show("racing.cu");
      await vscode.commands.executeCommand("kernelwright.check", await lensArgument(document, "Check"));
      const found = await eventually({
        what: "the diagnostic",
        read: () => Promise.resolve(ofRuns(document.uri)),
        accept: (all) => all.length > 0,
      });
      deepEqual(
        found.map(({ source, code, severity, range, relatedInformation = [] }) => ({
          source,
          code,
          severity,
          line: range.start.line + 1,
          related: relatedInformation.map(({ location, message }) => [
            location.uri.toString() === document.uri.toString(),
            location.range.start.line + 1,
            message,
          ]),
        })),
        [
          {
            source: "virtual GPU",
            code: "shared-race",
            severity: vscode.DiagnosticSeverity.Error,
            line: racingLines.load,
            related: [[true, racingLines.store, "the other write, by thread (31,0,0) of block (0,0,0)"]],
          },
        ],
      );
      match(
        found[0]?.message ?? "",
        /^race in shared memory: thread \(32,0,0\) of block \(0,0,0\) reads 4 bytes/,
      );
    },
  },
];
