import { commands, type Disposable, l10n, type Uri, ViewColumn, type Webview, window } from "vscode";
import type { TimelineView } from "../../../server/protocol/timeline-views";
import type { SessionView } from "../../../server/protocol/views";
import type { FromComparisonPage, ToComparisonPage } from "../../webview/common/messages";
import type { ServerConnection } from "../server/connection";
import { pageHtml } from "./page-html";

/** Tabs that put two sessions side by side. */
export class Comparisons implements Disposable {
  private readonly open = new Set<Disposable>();

  constructor(
    private readonly extension: Uri,
    private readonly connection: ServerConnection,
  ) {}

  /** Opens a tab with the two sessions. */
  show(first: string, second: string): void {
    const panel = window.createWebviewPanel(
      "kernelwright.comparison",
      l10n.t("Comparison"),
      ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [this.extension] },
    );
    const { webview } = panel;
    this.open.add(panel);
    const listener = webview.onDidReceiveMessage((message: FromComparisonPage) => {
      if (message.kind === "ready") return this.fill(webview, [first, second]);
      return commands.executeCommand("kernelwright.openTrajectory", {
        sessionId: message.sessionId,
      });
    });
    panel.onDidDispose(() => {
      listener.dispose();
      this.open.delete(panel);
    });
    webview.html = pageHtml(webview, this.extension, "comparison");
  }

  dispose(): void {
    for (const panel of [...this.open]) panel.dispose();
  }

  private async fill(webview: Webview, ids: readonly string[]): Promise<void> {
    await webview.postMessage(await this.read(ids));
  }

  /** What goes wrong is said on the page. */
  private async read(ids: readonly string[]): Promise<ToComparisonPage> {
    try {
      return {
        kind: "sessions",
        sessions: await Promise.all(ids.map((id) => this.whole(id))),
      };
    } catch (thrown) {
      return {
        kind: "failed",
        sentence: thrown instanceof Error ? thrown.message : String(thrown),
      };
    }
  }

  private async whole(sessionId: string): Promise<{
    readonly session: SessionView;
    readonly steps: TimelineView["steps"];
  }> {
    const steps: TimelineView["steps"][number][] = [];
    for (;;) {
      const after = steps.at(-1)?.seq ?? 0;
      const view = await this.connection.request("kernelwright/timeline", {
        sessionId,
        after,
      });
      steps.push(...view.steps);
      // Only the first events of a log come without their session.
      if (!view.more && view.session !== null) return { session: view.session, steps };
    }
  }
}
