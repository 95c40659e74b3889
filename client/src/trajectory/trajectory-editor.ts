import {
  type CustomDocument,
  Disposable,
  l10n,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from "vscode";
import { pageHtml } from "./page-html";
import { TrajectoryPage, type TrajectorySources } from "./trajectory-page";

/** An event log that is shown as a trajectory. */
const editorType = "kernelwright.trajectory";
/** A trajectory in a tab of its own. */
const panelType = "kernelwright.trajectoryPanel";

/** Who comes back from a candidate's file finds the event, the search and the place where they left them. */
const keptPage = { retainContextWhenHidden: true } as const;

const sessionPattern = /\/([0-9A-HJKMNP-TV-Z]{26})\/[^/]+$/;

/** Shows trajectories: in a tab with the kernel's name, or in place of the text of an event log. */
export class TrajectoryEditor implements Disposable {
  private readonly panels = new Map<string, WebviewPanel>();
  /** Sessions of open tabs that were seen in the list: one that is missing there later was deleted. */
  private readonly listed = new Set<string>();
  private readonly registration: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly sources: TrajectorySources,
  ) {
    this.registration = Disposable.from(
      window.registerCustomEditorProvider(
        editorType,
        {
          openCustomDocument: (uri): CustomDocument => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: ({ uri }, panel) => this.fill(panel, sessionPattern.exec(uri.path)?.[1]),
        },
        { webviewOptions: keptPage },
      ),
      window.registerWebviewPanelSerializer(panelType, {
        deserializeWebviewPanel: (panel, state: unknown) => Promise.resolve(this.restore(panel, state)),
      }),
      sources.sessions.onDidChange(() => this.follow()),
    );
  }

  /** Opens the trajectory of a session, or comes back to its tab. */
  open(sessionId: string): void {
    const there = this.panels.get(sessionId);
    if (there !== undefined) return there.reveal();
    const title = this.titleOf(sessionId);
    this.keep(sessionId, window.createWebviewPanel(panelType, title, ViewColumn.Active, keptPage));
  }

  /** By the name that the user gave the session, else by its kernel. */
  private titleOf(sessionId: string): string {
    const session = this.sources.sessions.get(sessionId);
    return l10n.t("{0} trajectory", session?.name ?? session?.kernel ?? "");
  }

  /** Tabs take the present names of their sessions; that of a deleted one goes with it. */
  private follow(): void {
    for (const [sessionId, panel] of [...this.panels]) {
      if (this.sources.sessions.get(sessionId) !== undefined) {
        this.listed.add(sessionId);
        const title = this.titleOf(sessionId);
        if (panel.title !== title) panel.title = title;
      } else if (this.listed.delete(sessionId)) panel.dispose();
    }
  }

  dispose(): void {
    this.registration.dispose();
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  /** A tab that was open when the window was reloaded. */
  private restore(panel: WebviewPanel, state: unknown): void {
    const { sessionId } = (state ?? {}) as { readonly sessionId?: unknown };
    if (typeof sessionId === "string") this.keep(sessionId, panel);
    else panel.dispose();
  }

  private keep(sessionId: string, panel: WebviewPanel): void {
    this.panels.set(sessionId, panel);
    panel.onDidDispose(() => {
      this.panels.delete(sessionId);
      this.listed.delete(sessionId);
    });
    this.fill(panel, sessionId);
    this.follow();
  }

  private fill(panel: WebviewPanel, sessionId: string | undefined): void {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.extension] };
    const page = new TrajectoryPage(webview, sessionId ?? "", this.sources);
    panel.onDidDispose(() => page.dispose());
    webview.html = pageHtml(webview, this.extension, "trajectory");
  }
}
