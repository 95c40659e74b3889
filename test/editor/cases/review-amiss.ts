import { equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import { markedProcesses } from "../../harness/marked-processes";
import type { EditorCase } from "../editor-case";
import { lensArgument, noLens, reviewTranspose, settle, textBecomes } from "../editor-window";
import { decisionsOf } from "../session-logs";

const run = vscode.commands.executeCommand;

/** The language servers of this window; the extension host and what it starts share this variable. */
function serversOfWindow(): readonly number[] {
  const name = "KERNELWRIGHT_EDITOR_RESULTS";
  return markedProcesses(`${name}=${process.env[name] ?? ""}`, "dist/server.js");
}

/** Cases in which something fails while a change is accepted. */
export const amissCases: readonly EditorCase[] = [
  {
    name: "the server dies between an edit and its record: the text stays, and what is in it can be recorded",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      await whileServerDies(editor.document).finally(() => settle(editor));
    },
  },
  {
    name: "an undo before a decision is recorded opens the change again, though more is typed at once",
    trusted: true,
    run: async () => {
      const editor = await reviewTranspose();
      await undoneBeforeRecord(editor.document).finally(() => settle(editor));
      await reviewTranspose();
      equal(decisionsOf("transpose").at(-1), "undone");
      await settle(editor);
    },
  },
];

async function undoneBeforeRecord(document: vscode.TextDocument): Promise<void> {
  const before = document.getText();
  const [server] = serversOfWindow();
  ok(server !== undefined, "no language server");
  process.kill(server, "SIGSTOP");
  try {
    const accepting = run("kernelwright.acceptAll");
    await textBecomes(document, "the accepted changes", (text) => text !== before);
    await run("undo");
    equal(document.getText(), before);
    // With it the newest change of the text is no undo any more.
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(0, 0), "// typed\n");
    await vscode.workspace.applyEdit(typed);
    process.kill(server, "SIGCONT");
    await accepting;
  } finally {
    process.kill(server, "SIGCONT");
  }
}

async function whileServerDies(document: vscode.TextDocument): Promise<void> {
  const before = document.getText();
  const session = await lensArgument(document, "Accept change");
  const decided = decisionsOf("transpose");
  const [server, ...others] = serversOfWindow();
  ok(server !== undefined && others.length === 0, "not one language server");
  // While it stands still the edit is made, and the record waits for it.
  process.kill(server, "SIGSTOP");
  const accepting = run("kernelwright.acceptAll");
  await textBecomes(document, "the accepted changes", (text) => text !== before);
  process.kill(server, "SIGKILL");
  await accepting;
  const accepted = document.getText();
  equal(decisionsOf("transpose").length, decided.length);
  await eventually({
    what: "the review taken up by another server",
    read: async () => run("kernelwright.reviewProposal", session).then(serversOfWindow),
    // Between the two there is none.
    accept: (servers) => servers.length === 1 && !servers.includes(server),
  });
  await lensArgument(document, "Change 1 is already in the text");
  await run("kernelwright.acceptAll");
  await noLens(document, "Change 1");
  equal(document.getText(), accepted);
  equal([...new Set(decisionsOf("transpose").slice(decided.length))].join(), "accepted");
  await run("undo");
  await lensArgument(document, "Accept change");
}
