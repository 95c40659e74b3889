import { FileSystemError, Uri, ViewColumn, window, workspace } from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";

/** The kernel, what it is called with and what it is compared with. */
const files = ["transpose.cu", "transpose.cu.kernel.json", "references.py"] as const;
const kernel = "transpose";

/**
 * The kernel on which a newcomer tries everything. It comes with the extension; the user works on a copy in
 * the extension's own storage, so that no workspace gets a file that nobody asked for.
 */
export class SampleKernel {
  private readonly source: Uri;
  private readonly place: Uri;

  constructor(extension: Uri, storage: Uri) {
    this.source = Uri.joinPath(extension, "samples");
    this.place = Uri.joinPath(storage, "sample");
  }

  /** Shows the user's copy, beside what is on the screen or where it stands already. */
  async open(): Promise<KernelParams> {
    for (const file of files) await this.copy(file);
    const uri = Uri.joinPath(this.place, files[0]);
    const shown = window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
    const viewColumn = shown?.viewColumn ?? ViewColumn.Beside;
    await window.showTextDocument(await workspace.openTextDocument(uri), { viewColumn, preview: false });
    return { uri: uri.toString(), kernel };
  }

  /** What the user has made of an earlier copy stays. */
  private async copy(file: string): Promise<void> {
    try {
      await workspace.fs.copy(Uri.joinPath(this.source, file), Uri.joinPath(this.place, file), {
        overwrite: false,
      });
    } catch (error) {
      if (!(error instanceof FileSystemError && error.code === "FileExists")) throw error;
    }
  }
}
