import { ok } from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../harness/eventually";

/** How long a whole run of the agent over a sample may take, in milliseconds. */
export const RUN_LIMIT_MS = 200_000;

/** Our extension as VS Code has it. */
export function ourExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension("kernelwright.kernelwright");
  ok(extension, "VS Code does not have the extension kernelwright.kernelwright");
  return extension;
}

/** Address of a file of the workspace. */
export function inWorkspace(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  ok(folder, "no folder is open");
  return vscode.Uri.file(join(folder.uri.fsPath, path));
}

/** Opens a file of the workspace in the editor. */
export async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(inWorkspace(path), { preview: false });
}

/** Lenses over a document, without the marks of icons. */
export async function lensesOf(
  document: vscode.TextDocument,
): Promise<readonly { readonly title: string; readonly line: number; readonly argument: unknown }[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    document.uri,
    1_000,
  );
  return lenses.flatMap(({ command, range }) => {
    const title = (command?.title ?? "")
      .replace(/\$\([\w-]+(?:~spin)?\)/g, "")
      .replaceAll("\u00a0", " ")
      .trim();
    return title === ""
      ? []
      : [{ title, line: range.start.line, argument: argumentOf(command?.command ?? "") }];
  });
}

/** Lenses hold their arguments in the names of their commands: client/src/lasting-commands.ts. */
function argumentOf(command: string): unknown {
  const values = command.slice(command.indexOf(" "));
  const [first] = values.startsWith(" ") ? (JSON.parse(values) as readonly unknown[]) : [];
  return first;
}

/** Waits for a lens whose title begins so, and gives its argument. */
export async function lensArgument(
  document: vscode.TextDocument,
  title: string,
  limit?: number,
): Promise<unknown> {
  const lenses = await eventually({
    what: `the lens ${title}`,
    read: () => lensesOf(document),
    accept: (all) => all.some((lens) => lens.title.startsWith(title)),
    limit,
  });
  return lenses.find((lens) => lens.title.startsWith(title))?.argument;
}

/** Waits until no lens begins so. */
export async function noLens(document: vscode.TextDocument, title: string): Promise<void> {
  await eventually({
    what: `no lens ${title}`,
    read: () => lensesOf(document),
    accept: (all) => !all.some((lens) => lens.title.startsWith(title)),
  });
}

/** Waits until the document reads as wanted. */
export async function textBecomes(
  document: vscode.TextDocument,
  what: string,
  accept: (text: string) => boolean,
): Promise<void> {
  await eventually({ what, read: () => Promise.resolve(document.getText()), accept });
}

let session: unknown;

/**
 * Shows a proposal for samples/transpose.cu with all of its changes open. The first call optimizes the
 * kernel; later ones take the same session up again, since every case takes back what it decided.
 */
export async function reviewTranspose(): Promise<vscode.TextEditor> {
  const editor = await show("transpose.cu");
  if (session === undefined) {
    await vscode.commands.executeCommand(
      "kernelwright.optimize",
      await lensArgument(editor.document, "Optimize"),
    );
    session = await lensArgument(editor.document, "Accept change", RUN_LIMIT_MS);
  } else {
    await vscode.commands.executeCommand("kernelwright.reviewProposal", session);
    await lensArgument(editor.document, "Accept change");
  }
  return editor;
}

/** Puts the file back as it is on disk and ends its review. */
export async function settle(editor: vscode.TextEditor): Promise<void> {
  await vscode.window.showTextDocument(editor.document);
  await vscode.commands.executeCommand("kernelwright.endReview");
  await vscode.commands.executeCommand("workbench.action.files.revert");
}
