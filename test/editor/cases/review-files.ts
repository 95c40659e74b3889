import { equal, notEqual, ok } from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { decisionEdit } from "../../../client/src/review/deciding/decision-edit";
import { computeHunks } from "../../../server/core/review/compute-hunks";
import type { ProposalView } from "../../../server/protocol/views";
import type { EditorCase } from "../editor-case";
import { inWorkspace, lensArgument, noLens, reviewTranspose, settle, textBecomes } from "../editor-window";

const run = vscode.commands.executeCommand;

/** What happens to a file while its proposal waits. */
export const fileCases: readonly EditorCase[] = [
  {
    name: "a review goes with its file to another name, and back",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const before = editor.document.getText();
      const [from, to] = [inWorkspace("transpose.cu"), inWorkspace("turned.cu")];
      await rename(from, to);
      try {
        const { document } = await vscode.window.showTextDocument(to);
        await run("kernelwright.acceptHunk", await lensArgument(document, "Accept change"));
        await textBecomes(document, "the accepted change", (text) => text !== before);
        await noLens(document, "Accept change");
        await run("undo");
        equal(document.getText(), before);
        await lensArgument(document, "Accept change");
        await run("workbench.action.files.revert");
      } finally {
        await rename(to, from);
      }
      const back = await vscode.window.showTextDocument(from);
      await lensArgument(back.document, "Accept change");
      await settle(back);
    },
  },
  {
    name: "a new file of a proposal is made and taken back like an edit, never through a link",
    trusted: true,
    run: async () => {
      const [uri, link] = [inWorkspace("made/deep/new.sh"), inWorkspace("linked")];
      const proposal = (file: string): ProposalView => {
        const texts = { file, base: "", proposed: "one\ntwo\n", isNew: true } as const;
        const hunks = computeHunks(texts).map(
          (hunk) => ({ ...hunk, decision: "open", needs: null }) as const,
        );
        return { files: [{ ...texts, uri: inWorkspace(file).toString() }], hunks } as unknown as ProposalView;
      };
      const carryOut = async (to: "proposed" | "base"): Promise<void> => {
        const view = proposal("made/deep/new.sh");
        const decided = await decisionEdit(
          view,
          view.hunks.map(({ id }) => id),
          to,
        );
        ok(decided.kind === "edit" && (await vscode.workspace.applyEdit(decided.edit)), decided.kind);
      };
      try {
        await carryOut("proposed");
        const { document } = await vscode.window.showTextDocument(uri);
        equal(document.getText(), "one\ntwo\n");
        await document.save();
        equal(readFileSync(uri.fsPath, "utf8"), "one\ntwo\n");
        await carryOut("base");
        ok(!existsSync(uri.fsPath), "the file that was taken back is there");
        symlinkSync(inWorkspace(".").fsPath, link.fsPath);
        const through = proposal("linked/new.sh");
        const refused = await decisionEdit(
          through,
          through.hunks.map(({ id }) => id),
          "proposed",
        );
        ok(refused.kind === "refused" && refused.reason.includes("linked is a link"), refused.kind);
      } finally {
        await run("workbench.action.closeActiveEditor");
        for (const path of [link, inWorkspace("made")]) rmSync(path.fsPath, { recursive: true, force: true });
      }
    },
  },
  {
    name: "a formatter that lays out all lines but those of the change leaves it open; line ends may change as well",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const { document } = editor;
      const lens = await lensArgument(document, "Accept change");
      await editor.edit((edit) => {
        edit.insert(new vscode.Position(document.lineCount, 0), "\n// laid out\n");
        edit.setEndOfLine(vscode.EndOfLine.CRLF);
      });
      equal(document.eol, vscode.EndOfLine.CRLF);
      const laidOut = document.getText();
      await run("kernelwright.acceptHunk", lens);
      await textBecomes(document, "the accepted change", (text) => text !== laidOut);
      ok(!document.getText().replaceAll("\r\n", "").includes("\n"), "a line ends as no other");
      await run("undo");
      equal(document.getText(), laidOut);
      await settle(editor);
    },
  },
  {
    name: "a file that is UTF-16 on disk is shown its change, and keeps its encoding",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const before = editor.document.getText();
      const path = editor.document.uri.fsPath;
      try {
        writeFileSync(path, Buffer.from(`\uFEFF${before}`, "utf16le"));
        await textBecomes(editor.document, "the same text", (text) => text === before);
        await lensArgument(editor.document, "Accept change");
        await run("kernelwright.acceptAll");
        await textBecomes(editor.document, "the accepted change", (text) => text !== before);
        await run("undo");
        equal(editor.document.getText(), before);
      } finally {
        writeFileSync(path, before);
      }
      await settle(editor);
    },
  },
  {
    name: "a file that may not be written: the change is in the editor, and what is on disk stays",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const before = editor.document.getText();
      chmodSync(editor.document.uri.fsPath, 0o444);
      try {
        await run("kernelwright.acceptAll");
        notEqual(editor.document.getText(), before);
        equal(Buffer.from(await vscode.workspace.fs.readFile(editor.document.uri)).toString(), before);
        await run("undo");
        equal(editor.document.getText(), before);
      } finally {
        chmodSync(editor.document.uri.fsPath, 0o644);
      }
      await settle(editor);
    },
  },
];

async function rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to);
  ok(await vscode.workspace.applyEdit(edit), "the file was not renamed");
}
