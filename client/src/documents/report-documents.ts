import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  type TextDocumentContentProvider,
  Uri,
  workspace,
} from "vscode";
import { reportFormat } from "../../../server/protocol/requests";
import type { ServerConnection } from "../server/connection";

const scheme = "kernelwright-report";

/**
 * Read-only Markdown pages: a session's report, the doctor's findings, the grounds of a verdict. Shown by the
 * editor's own preview.
 */
export class ReportDocuments implements TextDocumentContentProvider, Disposable {
  private readonly pages = new Map<string, string>();
  /** Pages that come with the extension, by the path under which others link to them. */
  private readonly shipped = new Map<string, Uri>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly subscriptions: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(private readonly connection: ServerConnection) {
    this.subscriptions = Disposable.from(
      this.changed,
      workspace.registerTextDocumentContentProvider(scheme, this),
    );
  }

  /**
   * A page that was put here, else the report of the session that the address names (an editor restored after
   * a reload).
   */
  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const page = this.pages.get(uri.toString());
    if (page !== undefined) return page;
    const file = this.shipped.get(uri.path);
    if (file !== undefined) return new TextDecoder().decode(await workspace.fs.readFile(file));
    const sessionId = new URLSearchParams(uri.query).get("session");
    if (sessionId === null) return l10n.t("This page is no longer kept. Run its command again.");
    return (await this.connection.request("kernelwright/export", { sessionId, format: reportFormat })).text;
  }

  /** Shows a page that is made on the spot. */
  async showPage(name: string, markdown: string): Promise<void> {
    await this.show(Uri.from({ scheme, path: `/${name}.md` }), markdown);
  }

  /** Shows the report of a session under a name for people. */
  async showSession(sessionId: string, name: string): Promise<void> {
    const { text } = await this.connection.request("kernelwright/export", {
      sessionId,
      format: reportFormat,
    });
    await this.show(
      Uri.from({
        scheme,
        path: `/${name}.md`,
        query: new URLSearchParams({ session: sessionId }).toString(),
      }),
      text,
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** The preview follows no link to a file of the disk: pages of the extension open as pages beside this. */
  private withOwnLinks(markdown: string): string {
    const toFile = /\]\((file:[^)\s]+\/([^/)\s]+\.md))\)/g;
    return markdown.replaceAll(toFile, (_link, file: string, name: string) => {
      this.shipped.set(`/${name}`, Uri.parse(file));
      return `](${name})`;
    });
  }

  private async show(uri: Uri, markdown: string): Promise<void> {
    this.pages.set(uri.toString(), this.withOwnLinks(markdown));
    this.changed.fire(uri);
    // Locked, so that the page stays what it is when the user goes to another Markdown file.
    await commands.executeCommand("markdown.showPreview", uri, undefined, { locked: true });
  }
}
