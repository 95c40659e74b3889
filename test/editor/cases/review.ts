import { equal, notEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import type { EditorCase } from "../editor-case";
import {
  lensArgument,
  lensesOf,
  noLens,
  reviewTranspose,
  RUN_LIMIT_MS,
  settle,
  show,
  textBecomes,
} from "../editor-window";

const run = vscode.commands.executeCommand;

/** Line above which a change would be put, as its lens shows it. */
async function changedLine(document: vscode.TextDocument): Promise<number> {
  const lens = (await lensesOf(document)).find(({ title }) => title.startsWith("Accept change"));
  ok(lens, "no change is open");
  return lens.line;
}

async function insert(
  document: vscode.TextDocument,
  line: number,
  character: number,
  text: string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(line, character), text);
  await vscode.workspace.applyEdit(edit);
}

/** Gives an answer to the list that a command shows, as soon as it is there, until the command has ended. */
async function answered(command: Thenable<unknown>, answer: string): Promise<void> {
  let ended = false;
  const end = Promise.resolve(command).finally(() => {
    ended = true;
  });
  await eventually({
    what: "the end of the question",
    read: async () => run(answer).then(() => ended),
    accept: (isOver) => isOver,
  });
  await end;
}

export const reviewCases: readonly EditorCase[] = [
  {
    name: "a proposal changes nothing; accepting is one undo step, undoing reopens it, redoing accepts it again",
    trusted: true,
    run: async () => {
      const before = (await show("transpose.cu")).document.getText();
      const editor = await reviewTranspose();
      const { document } = editor;
      equal(document.getText(), before);
      equal(readFileSync(document.uri.fsPath, "utf8"), before);
      await run("kernelwright.acceptAll");
      const after = document.getText();
      notEqual(after, before);
      ok(document.isDirty, "accepting does not save");
      equal(readFileSync(document.uri.fsPath, "utf8"), before);
      await noLens(document, "Accept change");
      await run("undo");
      equal(document.getText(), before);
      await lensArgument(document, "Accept change");
      await run("redo");
      equal(document.getText(), after);
      await noLens(document, "Accept change");
      await run("undo");
      await settle(editor);
    },
  },
  {
    name: "what the user typed elsewhere stays when a change is accepted",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const { document } = editor;
      await insert(document, 0, 0, "// typed above\n");
      await insert(document, document.lineCount - 1, 0, "// typed below\n");
      const typed = document.getText();
      const argument = await lensArgument(document, "Accept change");
      const line = await changedLine(document);
      await run("kernelwright.acceptHunk", argument);
      await textBecomes(document, "the accepted change", (text) => text !== typed);
      const lines = document.getText().split("\n");
      equal(lines[0], "// typed above");
      ok(lines.includes("// typed below"));
      equal(lines.slice(0, line).join("\n"), typed.split("\n").slice(0, line).join("\n"));
      await run("undo");
      equal(document.getText(), typed);
      await settle(editor);
    },
  },
  {
    name: "a change whose own lines the user edited is a conflict: nothing is changed until the proposal's lines are taken",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const { document } = editor;
      const line = await changedLine(document);
      await insert(document, line, document.lineAt(line).text.length, " // mine");
      const typed = document.getText();
      await run("kernelwright.acceptHunk", await lensArgument(document, "Change 1 conflicts with your edit"));
      equal(document.getText(), typed);
      await run("kernelwright.acceptAll");
      equal(document.getText(), typed);
      const argument = await lensArgument(document, "Change 1 conflicts with your edit");
      const first = "workbench.action.acceptSelectedQuickOpenItem";
      await answered(run("kernelwright.resolveConflict", argument), first);
      await noLens(document, "Change 1");
      equal(document.getText().includes("// mine"), false);
      await run("undo");
      await run("undo");
      equal(document.getText(), typed);
      await lensArgument(document, "Change 1 conflicts with your edit");
      await settle(editor);
    },
  },
  {
    name: "a proposal of several changes is shown before it is known which of them need each other",
    trusted: true,
    run: async () => {
      const { document } = await show("matmul.cu");
      await run("kernelwright.optimize", await lensArgument(document, "Optimize"));
      await lensArgument(document, "Accept change 1", RUN_LIMIT_MS);
      await lensArgument(document, "Accept all 3");
    },
  },
  {
    name: "a change that is pressed before it is known what it needs is asked about, and all of them can be taken",
    trusted: true,
    run: async () => {
      const { document } = await show("matmul.cu");
      const before = document.getText();
      // The dots say that a question follows.
      const argument = await lensArgument(document, "Accept change 1…");
      await answered(run("kernelwright.acceptHunk", argument), "workbench.action.closeQuickOpen");
      equal(document.getText(), before);
      const first = "workbench.action.acceptSelectedQuickOpenItem";
      await answered(run("kernelwright.acceptHunk", argument), first);
      await noLens(document, "Accept change");
      await run("undo");
      equal(document.getText(), before);
      await lensArgument(document, "Accept change 1");
    },
  },
  {
    name: "changes that need each other are accepted, undone and redone as one",
    trusted: true,
    run: async () => {
      const editor = await show("matmul.cu");
      const { document } = editor;
      const before = document.getText();
      const argument = await lensArgument(document, "Accept change 1 (needs changes 2, 3)", RUN_LIMIT_MS);
      await run("kernelwright.acceptAll");
      const proposed = document.getText();
      notEqual(proposed, before);
      await run("undo");
      equal(document.getText(), before);
      await lensArgument(document, "Accept change 2 (needs changes 1, 3)");
      await run("kernelwright.acceptHunk", argument);
      await textBecomes(document, "all three changes", (text) => text === proposed);
      await noLens(document, "Accept change");
      await run("undo");
      equal(document.getText(), before);
      await lensArgument(document, "Accept change 1 (needs changes 2, 3)");
      await run("redo");
      equal(document.getText(), proposed);
      await noLens(document, "Accept change");
      await run("undo");
      await lensArgument(document, "Accept change 3 (needs changes 1, 2)");
    },
  },
  {
    name: "accepting changes of which one conflicts changes nothing, as one or all together",
    trusted: true,
    run: async () => {
      const editor = await show("matmul.cu");
      const { document } = editor;
      // What was redone and undone before is recorded one after the other, and may still be under way.
      const lenses = await eventually({
        what: "the third change is open",
        read: () => lensesOf(document),
        accept: (all) => all.some(({ title }) => title.startsWith("Accept change 3")),
      });
      const last = lenses.findLast(({ title }) => title.startsWith("Accept change 3"));
      ok(last, "the third change is not open");
      await insert(document, last.line, document.lineAt(last.line).text.length, " // mine");
      const typed = document.getText();
      await lensArgument(document, "Change 3 conflicts with your edit");
      await run("kernelwright.acceptHunk", await lensArgument(document, "Accept change 1"));
      equal(document.getText(), typed);
      await run("kernelwright.acceptAll");
      equal(document.getText(), typed);
      await lensArgument(document, "Accept change 1");
      await settle(editor);
    },
  },
  {
    name: "both sides of a proposal open as a diff, and changes are reached by keys",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const line = await changedLine(editor.document);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await run("kernelwright.nextHunk");
      equal(editor.selection.active.line, line);
      await run("kernelwright.showDiff");
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      ok(input instanceof vscode.TabInputTextDiff, "no diff editor is in front");
      const [original, modified] = await Promise.all(
        [input.original, input.modified].map(async (uri) =>
          (await vscode.workspace.openTextDocument(uri)).getText(),
        ),
      );
      equal(original, editor.document.getText());
      notEqual(modified, original);
      const right = await vscode.workspace.openTextDocument(input.modified);
      await run("kernelwright.acceptHunk", await lensArgument(right, "Accept change 1"));
      await textBecomes(editor.document, "what the right side showed", (text) => text === modified);
      await noLens(right, "Accept change");
      await vscode.window.showTextDocument(editor.document);
      await run("undo");
      await lensArgument(right, "Accept change 1");
      await run("kernelwright.showDiff");
      await run("workbench.action.closeActiveEditor");
      await settle(editor);
    },
  },
  {
    name: "rejecting changes nothing and closes the change; it can be taken back",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      const before = editor.document.getText();
      await run("kernelwright.rejectAll");
      await noLens(editor.document, "Accept change");
      equal(editor.document.getText(), before);
      await run("kernelwright.undoReject");
      await lensArgument(editor.document, "Accept change");
      await settle(editor);
    },
  },
];
