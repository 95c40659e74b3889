import { type Disposable, l10n, type Uri, ViewColumn, type WebviewPanel, window } from "vscode";
import type { KernelParams, PerformanceParams } from "../../../server/protocol/requests";
import type { AskedPerformance, FromPerformancePage, ToPerformancePage } from "../../webview/common/messages";
import type { ServerConnection } from "../server/connection";
import { pageHtml } from "../trajectory/page-html";

const panelType = "kernelwright.performance";

/** Tabs with pictures of what a kernel does to a GPU, one for each kernel. */
export class PerformancePages implements Disposable {
  private readonly panels = new Map<string, WebviewPanel>();
  private readonly registration: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly connection: ServerConnection,
  ) {
    this.registration = window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: (panel, state: unknown) => Promise.resolve(this.restore(panel, state)),
    });
  }

  /** Opens the page of a kernel beside its source, or comes back to it. */
  open(kernel: KernelParams): void {
    const there = this.panels.get(keyOf(kernel));
    if (there !== undefined) return there.reveal();
    const title = l10n.t("{0} performance", kernel.kernel);
    this.fill(window.createWebviewPanel(panelType, title, ViewColumn.Active), kernel);
  }

  dispose(): void {
    this.registration.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  /** A tab that was open when the window was reloaded. */
  private restore(panel: WebviewPanel, state: unknown): void {
    const { uri, kernel } = (state ?? {}) as { readonly uri?: unknown; readonly kernel?: unknown };
    if (typeof uri === "string" && typeof kernel === "string") this.fill(panel, { uri, kernel });
    else panel.dispose();
  }

  private fill(panel: WebviewPanel, kernel: KernelParams): void {
    const { webview } = panel;
    this.panels.set(keyOf(kernel), panel);
    webview.options = { enableScripts: true, localResourceRoots: [this.extension] };
    const listener = webview.onDidReceiveMessage(async ({ asked }: FromPerformancePage) => {
      const answer = await this.answer(kernel, asked);
      await webview.postMessage(answer);
    });
    panel.onDidDispose(() => {
      listener.dispose();
      this.panels.delete(keyOf(kernel));
    });
    webview.html = pageHtml(webview, this.extension, "performance");
  }

  /** What goes wrong is said on the page. */
  private async answer(kernel: KernelParams, asked: AskedPerformance): Promise<ToPerformancePage> {
    const params: PerformanceParams = { ...kernel, shape: asked.shape, again: asked.again === true };
    try {
      const view = await this.connection.request(
        "kernelwright/performance",
        asked.gpu === undefined ? params : { ...params, gpu: asked.gpu },
      );
      return { kind: "view", view, page: kernel };
    } catch (thrown) {
      return { kind: "failed", sentence: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }
}

function keyOf({ uri, kernel }: KernelParams): string {
  return `${kernel} in ${uri}`;
}
