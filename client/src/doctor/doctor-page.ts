import {
  commands,
  ConfigurationTarget,
  Disposable,
  l10n,
  type Terminal,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import type { DoctorRowView } from "../../../server/protocol/doctor-views";
import type { FromDoctorPage, ToDoctorPage } from "../../webview/common/messages";
import { settingPage } from "../setting-page";
import type { ServerConnection } from "../server/connection";
import { concernsSettings } from "../settings";
import { pageHtml } from "../trajectory/page-html";
import { cardOf, type Mend, mendsOf } from "./mends";

/** The tab that says what is on this machine and mends what is missing; there is one at most. */
export class DoctorPage implements Disposable {
  private panel: WebviewPanel | undefined;
  private rows: readonly DoctorRowView[] = [];
  private readonly terminals = new Set<Terminal>();
  private readonly subscriptions: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly connection: ServerConnection,
  ) {
    this.subscriptions = Disposable.from(
      workspace.onDidChangeConfiguration((event) => {
        if (concernsSettings(event)) void this.look();
      }),
      // Where the shell does not tell, *Look Again* does.
      window.onDidEndTerminalShellExecution(({ terminal }) => {
        if (this.terminals.has(terminal)) void this.look();
      }),
      window.onDidCloseTerminal((terminal) => this.terminals.delete(terminal)),
    );
  }

  /** Opens the page, or comes back to it and looks anew. */
  open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal();
      void this.look();
      return;
    }
    const title = l10n.t("Kernelwright doctor");
    const panel = window.createWebviewPanel("kernelwright.doctor", title, ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [this.extension],
    });
    this.panel = panel;
    const listener = panel.webview.onDidReceiveMessage((message: FromDoctorPage) => this.heard(message));
    panel.onDidDispose(() => {
      listener.dispose();
      this.panel = undefined;
    });
    panel.webview.html = pageHtml(panel.webview, this.extension, "doctor");
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.panel?.dispose();
  }

  private async heard(message: FromDoctorPage): Promise<void> {
    if (message.kind === "look") return this.look();
    const row = this.rows.find(({ piece }) => piece === message.piece);
    const button = row && mendsOf(row, isSet(row))[message.button];
    if (row && button) await this.act(row, button.mend);
  }

  /** What goes wrong is said on the page. */
  private async look(): Promise<void> {
    const { panel } = this;
    if (panel === undefined) return;
    const tell = (message: ToDoctorPage): Thenable<boolean> => panel.webview.postMessage(message);
    await tell({ kind: "looking" });
    try {
      const { rows } = await this.connection.request("kernelwright/doctor", {});
      this.rows = rows;
      await tell({ kind: "cards", cards: rows.map((row) => cardOf(row, isSet(row))) });
    } catch (thrown) {
      await tell({ kind: "failed", sentence: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  private async act({ piece }: DoctorRowView, mend: Mend): Promise<void> {
    switch (mend.kind) {
      case "run": {
        const terminal = window.createTerminal({ name: piece });
        this.terminals.add(terminal);
        terminal.show();
        terminal.sendText(mend.line);
        return;
      }
      case "open-setting": {
        const { command, argument } = settingPage(`kernelwright.${mend.setting}`);
        await commands.executeCommand(command, argument);
        return;
      }
      case "reset-setting":
        return resetSetting(mend.setting);
      case "command":
        await commands.executeCommand(mend.command);
        return this.look();
    }
  }
}

const section = "kernelwright";

function isSet({ mends }: DoctorRowView): boolean {
  if (mends.setting === "") return false;
  const found = workspace.getConfiguration(section).inspect<unknown>(mends.setting);
  const values = [found?.globalValue, found?.workspaceValue];
  return values.some((value) => value !== undefined && value !== found?.defaultValue);
}

async function resetSetting(name: string): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  const found = configuration.inspect<unknown>(name);
  if (found?.globalValue !== undefined)
    await configuration.update(name, undefined, ConfigurationTarget.Global);
  if (found?.workspaceValue !== undefined)
    await configuration.update(name, undefined, ConfigurationTarget.Workspace);
}
