import { equal } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../../harness/eventually";
import type { EditorCase } from "../editor-case";
import { lensArgument, show } from "../editor-window";
import { endOf, sessionsFolder } from "../session-logs";

async function keepSessionsIn(folder: string): Promise<void> {
  await vscode.workspace
    .getConfiguration("kernelwright")
    .update("sessionsFolder", folder, vscode.ConfigurationTarget.Global);
}

/** Letters of a session's name. */
const ulidLength = 26;

/** Begins a run of the kernel of `matmul.cu`, cancels it and waits for the end of its log. */
async function cancelRun(document: vscode.TextDocument): Promise<void> {
  await vscode.commands.executeCommand("kernelwright.optimize", await lensArgument(document, "Optimize"));
  await vscode.commands.executeCommand("kernelwright.cancel");
  await eventually({
    what: "the end of the session",
    read: () => Promise.resolve(endOf("matmul")),
    accept: (status) => status !== undefined,
  });
}

export const runCases: readonly EditorCase[] = [
  {
    name: "a run that is cancelled ends, is kept as cancelled, and leaves the file alone",
    trusted: true,
    run: async () => {
      const { document } = await show("matmul.cu");
      const before = readFileSync(document.uri.fsPath, "utf8");
      await cancelRun(document);
      equal(endOf("matmul"), "cancelled");
      equal(readFileSync(document.uri.fsPath, "utf8"), before);
      equal(document.isDirty, false);
    },
  },
  {
    name: "a session is taken in from its log, and its trajectory opens",
    trusted: true,
    run: async () => {
      const { document } = await show("matmul.cu");
      if (endOf("matmul") === undefined) await cancelRun(document);
      const sessions = (): readonly string[] =>
        readdirSync(sessionsFolder()).filter((name) => name.length === ulidLength);
      const before = sessions();
      const log = vscode.Uri.file(join(sessionsFolder(), before[0] ?? "", "events-000001.jsonl"));
      await vscode.commands.executeCommand("kernelwright.importSession", log);
      equal(sessions().length, before.length + 1);
      await eventually({
        what: "the tab of the trajectory",
        read: () => Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.label),
        accept: (label) => label === "matmul trajectory",
      });
    },
  },
  {
    name: "settings that change while the server starts reach it",
    trusted: true,
    run: async () => {
      const { document } = await show("matmul.cu");
      const before = sessionsFolder();
      let isStarting = true;
      const restarting = Promise.resolve(
        vscode.commands.executeCommand("kernelwright.restartServer"),
      ).finally(() => {
        isStarting = false;
      });
      for (let index = 0; isStarting; index += 1) await keepSessionsIn(join(before, `moved-${index}`));
      await restarting;
      await cancelRun(document);
      equal(endOf("matmul"), "cancelled");
      await keepSessionsIn(before);
    },
  },
];
