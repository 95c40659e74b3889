import {
  type CancellationToken,
  CancellationTokenSource,
  type Disposable,
  l10n,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import type { PerformanceView } from "../../../server/protocol/performance-views";
import type { CandidateName, KernelParams } from "../../../server/protocol/requests";
import type { AskedPerformance, FromPerformancePage, ToPerformancePage } from "../../webview/common/messages";
import { candidateName } from "../../webview/common/candidates";
import type { ServerConnection } from "../server/connection";
import { pageHtml } from "../trajectory/page-html";

const panelType = "kernelwright.performance";

/** What a page is about: a kernel as it is on disk, or a candidate of a session. */
type Subject = KernelParams | CandidateName;

/** Tabs with pictures of what a kernel does to a GPU, one for each kernel or candidate. */
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

  /** Opens the page of a kernel or a candidate, or comes back to it. */
  open(subject: Subject): void {
    const there = this.panels.get(keyOf(subject));
    if (there !== undefined) return there.reveal();
    const name = "kernel" in subject ? subject.kernel : candidateName(subject.candidate);
    const title = l10n.t("{0} performance", name);
    // A page that is hidden while the kernel runs would begin anew.
    const options = { retainContextWhenHidden: true };
    this.fill(window.createWebviewPanel(panelType, title, ViewColumn.Active, options), subject);
  }

  dispose(): void {
    this.registration.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  /** A tab that was open when the window was reloaded. */
  private restore(panel: WebviewPanel, state: unknown): void {
    const subject = subjectOf(state);
    if (subject === undefined) panel.dispose();
    else this.fill(panel, subject);
  }

  private fill(panel: WebviewPanel, subject: Subject): void {
    const { webview } = panel;
    this.panels.set(keyOf(subject), panel);
    webview.options = { enableScripts: true, localResourceRoots: [this.extension] };
    let running = new CancellationTokenSource();
    const listener = webview.onDidReceiveMessage(async ({ asked }: FromPerformancePage) => {
      // What was asked before is not waited for any more.
      running.cancel();
      running = new CancellationTokenSource();
      const { token } = running;
      const answer = await this.answer(subject, asked, token);
      if (!token.isCancellationRequested) await webview.postMessage(answer);
    });
    panel.onDidDispose(() => {
      running.cancel();
      listener.dispose();
      this.panels.delete(keyOf(subject));
    });
    webview.html = pageHtml(webview, this.extension, "performance");
  }

  /** What goes wrong is said on the page. */
  private async answer(
    subject: Subject,
    asked: AskedPerformance,
    token: CancellationToken,
  ): Promise<ToPerformancePage> {
    try {
      const view = await this.view(subject, asked, token);
      return { kind: "view", view, page: { ...subject }, isRecorded: "candidate" in subject };
    } catch (thrown) {
      return { kind: "failed", sentence: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  private view(
    subject: Subject,
    { shape, gpu, again = false }: AskedPerformance,
    token: CancellationToken,
  ): Promise<PerformanceView> {
    const other = gpu === undefined ? {} : { gpu };
    return "kernel" in subject
      ? this.connection.request("kernelwright/performance", { ...subject, shape, again, ...other }, token)
      : this.connection.request("kernelwright/candidatePerformance", { ...subject, ...other }, token);
  }
}

function keyOf(subject: Subject): string {
  return JSON.stringify(subject);
}

/** What a page kept of itself. */
function subjectOf(state: unknown): Subject | undefined {
  const { uri, kernel, sessionId, candidate } = (state ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof uri === "string" && typeof kernel === "string") return { uri, kernel };
  return typeof sessionId === "string" && typeof candidate === "string"
    ? { sessionId, candidate }
    : undefined;
}
