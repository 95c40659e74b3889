import {
  Disposable,
  l10n,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  window,
  workspace,
} from "vscode";
import { escapeMarkdown } from "../markdown";
import type { ServerConnection } from "../server/connection";
import type { SessionStore } from "../sessions/session-store";
import { sessionLook, sessionWord } from "../sessions/session-words";
import type { SessionView } from "../../../server/protocol/views";
import { concernsSettings, settingsHere } from "../settings";

/** The one item of the status bar: what kernels are judged on, and what is going on. */
export class StatusItem implements Disposable {
  private readonly item: StatusBarItem;
  private readonly subscriptions: Disposable;
  /** GPUs by the target that stands for them; undefined until a server has answered. */
  private gpus: ReadonlyMap<string, string> | undefined;
  private wasStarted = false;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: SessionStore,
  ) {
    this.item = window.createStatusBarItem("kernelwright.status", StatusBarAlignment.Right, 100);
    this.item.name = "Kernelwright";
    this.item.command = "kernelwright.selectTarget";
    const show = (): void => this.show();
    this.subscriptions = Disposable.from(
      this.item,
      store.onDidChange(show),
      connection.onDidChangeState((state) => {
        this.wasStarted = true;
        show();
        if (state === "running") void this.readGpus();
      }),
      workspace.onDidGrantWorkspaceTrust(show),
      window.onDidChangeActiveTextEditor(show),
      workspace.onDidChangeConfiguration((event) => (concernsSettings(event) ? show() : undefined)),
    );
    show();
    this.item.show();
  }

  private show(): void {
    const { target, strategy } = settingsHere();
    const judge = this.judge(target);
    const running = this.store.running();
    const first = running[0];
    const state = first === undefined ? this.idleState() : runState(first);
    this.item.text = `$(circuit-board) ${judge} · ${state}`;
    this.item.accessibilityInformation = {
      label: l10n.t(
        "Kernelwright target {0}, {1}",
        judge,
        first === undefined ? state : `${first.kernel}: ${sessionWord(first)}`,
      ),
    };
    const rows = [
      this.gpus === undefined
        ? l10n.t("**Kernelwright** is starting")
        : l10n.t(
            "**Kernelwright** judges kernels on {0} (`{1}`)",
            escapeMarkdown(judge),
            escapeMarkdown(target),
          ),
      l10n.t("Strategy {0} · server {1}", strategy, this.connection.state),
      ...running.map((session) => `$(sync) ${escapeMarkdown(`${session.kernel}: ${session.reason}`)}`),
      l10n.t(
        "[Target](command:kernelwright.selectTarget) · [Strategy](command:kernelwright.selectStrategy) · [Cancel](command:kernelwright.cancel) · [Doctor](command:kernelwright.doctor)",
      ),
    ];
    const tooltip = new MarkdownString(rows.join("\n\n"), true);
    tooltip.isTrusted = {
      enabledCommands: [
        "kernelwright.selectTarget",
        "kernelwright.selectStrategy",
        "kernelwright.cancel",
        "kernelwright.doctor",
      ],
    };
    this.item.tooltip = tooltip;
  }

  /** What kernels are judged on, by the name that people know. */
  private judge(target: string): string {
    if (this.gpus === undefined) return "Kernelwright";
    const gpu = this.gpus.get(target);
    return gpu === undefined ? target : l10n.t("{0}, modelled", gpu);
  }

  private idleState(): string {
    if (!workspace.isTrusted) return l10n.t("restricted");
    if (this.connection.state === "stopped" && this.wasStarted) return l10n.t("stopped");
    return this.connection.state === "running" && this.gpus !== undefined
      ? l10n.t("ready")
      : l10n.t("starting");
  }

  private async readGpus(): Promise<void> {
    const catalogue = await this.connection.request("kernelwright/catalogue", {}).catch(() => undefined);
    // Of a server that went away again it stays as it is; the next one is asked, too.
    if (catalogue === undefined) return;
    this.gpus = new Map(catalogue.targets.map(({ id, title }) => [id, title]));
    this.show();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

/** How far the newest run has come: `3 of 24 candidates`. */
function runState(run: SessionView): string {
  const [tried = sessionWord(run)] = run.progress?.spent ?? [];
  return `$(${sessionLook(run).icon}) ${tried}`;
}
