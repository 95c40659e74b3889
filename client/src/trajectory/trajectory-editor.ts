import {
  type CustomDocument,
  type Disposable,
  l10n,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import { pageHtml } from "./page-html";
import { TrajectoryPage, type TrajectorySources } from "./trajectory-page";

/** Of the custom editor and of the panels alike. */
const viewType = "kernelwright.trajectory";

const sessionPattern = /\/([0-9A-HJKMNP-TV-Z]{26})\/[^/]+$/;

/** Shows trajectories: in a tab with the kernel's name, or in place of the text of an event log. */
export class TrajectoryEditor implements Disposable {
  private readonly panels = new Map<string, WebviewPanel>();
  private readonly registration: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly sources: TrajectorySources,
  ) {
    this.registration = window.registerCustomEditorProvider(viewType, {
      openCustomDocument: (uri): CustomDocument => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: ({ uri }, panel) => this.fill(panel, sessionPattern.exec(uri.path)?.[1]),
    });
  }

  /** Opens the trajectory of a session, or comes back to its tab. */
  open(sessionId: string, name: string): void {
    const there = this.panels.get(sessionId);
    if (there !== undefined) return there.reveal();
    const panel = window.createWebviewPanel(viewType, l10n.t("{0} trajectory", name), ViewColumn.Active);
    this.panels.set(sessionId, panel);
    panel.onDidDispose(() => this.panels.delete(sessionId));
    this.fill(panel, sessionId);
  }

  dispose(): void {
    this.registration.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  private fill(panel: WebviewPanel, sessionId: string | undefined): void {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.extension] };
    const page = new TrajectoryPage(webview, sessionId ?? "", this.sources);
    panel.onDidDispose(() => page.dispose());
    webview.html = pageHtml(webview, this.extension, "trajectory");
  }
}
