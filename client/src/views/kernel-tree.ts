import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from "vscode";
import type { WorkspaceKernelView } from "../../../server/protocol/views";
import type { KernelStore } from "../kernels/kernel-store";
import { kernelDescription, kernelLook, verdictWord } from "../kernels/kernel-words";
import { escapeMarkdown } from "../markdown";
import { statusWord } from "../../webview/common/status-words";

/** A row; commands of the view's menus take it for the kernel that it names. */
interface KernelNode {
  readonly uri: string;
  readonly kernel: string;
  readonly view: WorkspaceKernelView;
}

/** The kernels of the workspace, what is worth optimizing first; a click goes to the kernel. */
export class KernelTree implements TreeDataProvider<KernelNode>, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly store: KernelStore) {
    this.subscriptions = Disposable.from(
      window.createTreeView("kernelwright.kernels", { treeDataProvider: this }),
      this.changed,
      store.onDidChange(() => this.changed.fire(undefined)),
    );
  }

  getTreeItem({ view }: KernelNode): TreeItem {
    const item = new TreeItem(view.name, TreeItemCollapsibleState.None);
    const look = kernelLook(view);
    const start = new Range(view.line, 0, view.line, 0);
    item.id = `${view.uri}#${view.name}#${view.line}`;
    item.description = kernelDescription(view);
    item.iconPath = new ThemeIcon(
      look.icon,
      look.color === undefined ? undefined : new ThemeColor(look.color),
    );
    item.contextValue = "kernel";
    item.tooltip = tooltipOf(view);
    item.command = {
      command: "vscode.open",
      title: l10n.t("Open Kernel"),
      arguments: [Uri.parse(view.uri), { selection: start }],
    };
    item.accessibilityInformation = { label: `${view.name}: ${kernelDescription(view)}` };
    return item;
  }

  async getChildren(node?: KernelNode): Promise<KernelNode[]> {
    if (node !== undefined) return [];
    const kernels = await this.store.all();
    // Only now an empty view may say that there is no kernel.
    const isEmpty = this.store.isRead && kernels.length === 0;
    void commands.executeCommand("setContext", "kernelwright.noKernels", isEmpty);
    return kernels.map((view) => ({ uri: view.uri, kernel: view.name, view }));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

function timeSentence({ text, kind }: NonNullable<WorkspaceKernelView["time"]>): string {
  return kind === "simulation"
    ? l10n.t("Modelled time by simulation: {0}", text)
    : l10n.t("Modelled bound: {0}", text);
}

function tooltipOf({
  name,
  file,
  verdict,
  session,
  time,
  workload,
  share,
  specUri,
}: WorkspaceKernelView): MarkdownString {
  const rows = [
    `**${escapeMarkdown(name)}** · ${escapeMarkdown(file)}`,
    ...(share === null
      ? []
      : [
          l10n.t(
            "{0}% of the modelled time of {1}: so much at most can be saved there",
            Math.round(share.fraction * 100),
            escapeMarkdown(share.program),
          ),
        ]),
    ...(time === null ? [] : [timeSentence(time)]),
    ...(workload === null || workload === time?.text
      ? []
      : [l10n.t("All launches of its workload: {0} by modelled bound", workload)]),
    verdict === null
      ? l10n.t("Not checked since this window was opened")
      : escapeMarkdown(`${verdictWord(verdict)}: ${verdict.text}`),
    ...(session === null
      ? []
      : [
          l10n.t(
            "Last session: {0}",
            escapeMarkdown(
              [statusWord(session.status), session.figure ?? ""]
                .filter((part) => part !== "")
                .join(", best "),
            ),
          ),
        ]),
    specUri === undefined
      ? l10n.t("No kernel spec: how it is run is found out by itself")
      : l10n.t("Has a kernel spec"),
  ];
  return new MarkdownString(rows.join("\n\n"));
}
