import {
  type CancellationToken,
  Disposable,
  l10n,
  Location,
  Position,
  Range,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
  TestRunProfileKind,
  tests,
  Uri,
  workspace,
} from "vscode";
import { settleUnsaved } from "../commands/running/unsaved";
import type { CheckResult } from "../../../server/protocol/requests";
import type { SourcePlace, WorkspaceKernelView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import { plainText } from "../../webview/common/plain-text";
import { isAllowedToRun } from "../trust";
import type { KernelStore } from "./kernel-store";

/**
 * Kernels in the Test Explorer: below each file its kernels, below a kernel that was checked its shapes. Run
 * is Check. Nothing is looked for before the explorer, or somebody else, asks for kernels.
 */
export class KernelTests implements Disposable {
  private readonly controller = tests.createTestController("kernelwright", l10n.t("Kernels"));
  /** The kernel that an item stands for. */
  private readonly kernels = new WeakMap<TestItem, WorkspaceKernelView>();
  private readonly subscriptions: Disposable;

  constructor(
    private readonly connection: ServerConnection,
    private readonly store: KernelStore,
  ) {
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) await this.load();
    };
    this.controller.refreshHandler = () => this.load();
    const profile = this.controller.createRunProfile(
      l10n.t("Check"),
      TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.subscriptions = Disposable.from(
      this.controller,
      profile,
      store.onDidChange(() => void this.load()),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Items that stay keep what was found in them. */
  private async load(): Promise<void> {
    const kernels = [...(await this.store.all())].sort((a, b) => a.line - b.line);
    const files = new Map<string, Map<string, WorkspaceKernelView>>();
    for (const kernel of kernels) {
      const own = files.get(kernel.uri) ?? new Map<string, WorkspaceKernelView>();
      files.set(kernel.uri, own);
      // Overloads share their name, and their check.
      if (!own.has(kernel.name)) own.set(kernel.name, kernel);
    }
    const items = [...files].map(([uri, own]) => this.fileItem(uri, [...own.values()]));
    this.controller.items.replace(items);
  }

  private fileItem(uri: string, kernels: readonly WorkspaceKernelView[]): TestItem {
    const known = this.controller.items.get(uri);
    const item =
      known ?? this.controller.createTestItem(uri, workspace.asRelativePath(Uri.parse(uri)), Uri.parse(uri));
    item.children.replace(
      kernels.map((kernel) => {
        const own =
          known?.children.get(kernel.name) ??
          this.controller.createTestItem(kernel.name, kernel.name, Uri.parse(uri));
        own.range = new Range(kernel.line, 0, kernel.line, 0);
        this.kernels.set(own, kernel);
        return own;
      }),
    );
    return item;
  }

  private async run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    if (!isAllowedToRun()) return;
    if (this.controller.items.size === 0) await this.load();
    const run = this.controller.createTestRun(request);
    const asked = this.kernelItems(request);
    asked.forEach((item) => run.enqueued(item));
    // One after the other: each check uses the whole machine.
    for (const item of asked) {
      if (token.isCancellationRequested) break;
      await this.check(item, run, token);
    }
    run.end();
  }

  /** Kernels that a request names, itself or by a file or a shape. */
  private kernelItems({ include, exclude = [] }: TestRunRequest): readonly TestItem[] {
    const named = include ?? childrenOf({ children: this.controller.items });
    const items = named.flatMap((item) => {
      if (this.kernels.has(item)) return [item];
      const isShape = item.parent !== undefined && this.kernels.has(item.parent);
      return isShape ? [item.parent] : childrenOf(item);
    });
    return [...new Set(items)].filter((item) => !exclude.includes(item));
  }

  private async check(item: TestItem, run: TestRun, token: CancellationToken): Promise<void> {
    const kernel = this.kernels.get(item);
    if (kernel === undefined || !(await settleUnsaved(kernel.uri))) return run.skipped(item);
    run.started(item);
    const began = Date.now();
    try {
      const params = { uri: kernel.uri, kernel: kernel.name };
      const result = await this.connection.request("kernelwright/check", params, token);
      run.appendOutput(`${plainText(result.detail)}\n\n`.replaceAll("\n", "\r\n"), undefined, item);
      this.tell(item, run, { result, milliseconds: Date.now() - began });
    } catch (error) {
      if (token.isCancellationRequested) run.skipped(item);
      else run.errored(item, new TestMessage(error instanceof Error ? error.message : String(error)));
    }
  }

  private tell(
    item: TestItem,
    run: TestRun,
    { result, milliseconds }: { readonly result: CheckResult; readonly milliseconds: number },
  ): void {
    // A failure that rests on guesses is none of the kernel's.
    const shapes = result.isGuess ? [] : result.shapes;
    item.children.replace(shapes.map(({ name }) => this.controller.createTestItem(name, name, item.uri)));
    for (const { name, failure, place } of shapes) {
      const child = item.children.get(name);
      if (child === undefined) continue;
      child.range = item.range;
      if (failure === null) run.passed(child);
      else run.failed(child, messageAt(failure, place, item));
    }
    if (result.isGuess) run.errored(item, new TestMessage(result.summary), milliseconds);
    else if (result.passed) run.passed(item, milliseconds);
    else if (shapes.some(({ failure }) => failure !== null)) run.failed(item, [], milliseconds);
    else run.failed(item, messageAt(result.summary, result.place, item), milliseconds);
  }
}

function childrenOf({ children }: Pick<TestItem, "children">): readonly TestItem[] {
  return [...children].map(([, item]) => item);
}

/** At the line at fault, else at the kernel's name. */
function messageAt(text: string, place: SourcePlace | null, item: TestItem): TestMessage {
  const message = new TestMessage(text);
  if (place !== null) message.location = new Location(Uri.parse(place.uri), new Position(place.line - 1, 0));
  else if (item.uri !== undefined && item.range !== undefined)
    message.location = new Location(item.uri, item.range);
  return message;
}
