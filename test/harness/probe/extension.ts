import * as vscode from "vscode";
import { serveChat } from "./chat";

const SELECTOR: vscode.DocumentSelector = [{ pattern: "**/probe.cpp" }];

/** An extension that shows one of each thing that the helpers read and click; see probe-cases.ts. */
export function activate(context: vscode.ExtensionContext): void {
  const dim = vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
  });
  const status = vscode.window.createStatusBarItem("probe.status", vscode.StatusBarAlignment.Left, 1);
  status.text = "probe: idle";
  status.show();
  const tree = new ThingTree();
  context.subscriptions.push(
    dim,
    status,
    serveChat(),
    vscode.languages.registerCodeLensProvider(SELECTOR, { provideCodeLenses: lenses }),
    vscode.languages.registerHoverProvider(SELECTOR, {
      provideHover: () => new vscode.Hover("probe hover: **37** registers"),
    }),
    vscode.window.registerTreeDataProvider("probe.tree", tree),
    vscode.commands.registerCommand("probe.remove", (thing: string) => tree.remove(thing)),
    vscode.commands.registerCommand("probe.greet", () => greet(status)),
    vscode.commands.registerCommand("probe.mark", (line: number) => mark(dim, line)),
  );
}

function lenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const range = new vscode.Range(0, 0, 0, 0);
  return [
    new vscode.CodeLens(range, { title: "Mark", command: "probe.mark", arguments: [0] }),
    new vscode.CodeLens(range, { title: `${document.lineCount} lines`, command: "" }),
  ];
}

function mark(decoration: vscode.TextEditorDecorationType, line: number): void {
  const editor = vscode.window.activeTextEditor;
  const range = editor?.document.lineAt(line).range;
  if (range)
    editor?.setDecorations(decoration, [
      { range, renderOptions: { after: { contentText: "32 sectors, ideal 4" } } },
    ]);
}

async function greet(status: vscode.StatusBarItem): Promise<void> {
  const name = await vscode.window.showQuickPick(["Ada", "Grace"], { placeHolder: "Whom" });
  const answer = await vscode.window.showInformationMessage(`Greet ${name}?`, "Yes", "No");
  status.text = `probe: ${name} ${answer}`;
}

class ThingTree implements vscode.TreeDataProvider<string> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private things = ["alpha", "beta"];

  getTreeItem(thing: string): vscode.TreeItem {
    const state = thing.includes("/")
      ? vscode.TreeItemCollapsibleState.None
      : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(thing, state);
    item.description = thing.includes("/") ? "leaf" : "branch";
    return item;
  }

  getChildren(thing?: string): string[] {
    return thing === undefined ? this.things : [`${thing}/one`, `${thing}/two`];
  }

  remove(thing: string): void {
    this.things = this.things.filter((other) => other !== thing);
    this.changed.fire();
  }
}
