import { commands, Disposable, type TextDocument, window, workspace } from "vscode";
import { holdsCuda, isPlainCpp } from "../../server/protocol/cpp-files";

/**
 * True for a file in which kernels may stand: CUDA by its name, C++ when it holds a kernel, Python when it
 * names Triton's decorator.
 */
export function isKernelFile(document: TextDocument): boolean {
  const { path, scheme } = document.uri;
  if (scheme !== "file") return false;
  if (/\.cuh?$/.test(path)) return true;
  if (isPlainCpp(path)) return holdsCuda(document.getText());
  return document.languageId === "python" && /@(?:triton\.)?jit\b/.test(document.getText());
}

/**
 * Calls `start` once, as soon as a kernel file is open, so that a window with ordinary Python only does not
 * pay for our server; and keeps the context key `kernelwright.kernelFile` for the menus.
 */
export function watchKernelFiles(start: () => void): Disposable {
  let started = false;
  const look = (document: TextDocument): void => {
    if (started || !isKernelFile(document)) return;
    started = true;
    start();
  };
  const mark = (): void => {
    const document = window.activeTextEditor?.document;
    void commands.executeCommand(
      "setContext",
      "kernelwright.kernelFile",
      document !== undefined && isKernelFile(document),
    );
  };
  workspace.textDocuments.forEach(look);
  mark();
  return Disposable.from(
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeTextDocument(({ document }) =>
      document === window.activeTextEditor?.document ? (look(document), mark()) : undefined,
    ),
    window.onDidChangeActiveTextEditor(mark),
  );
}
