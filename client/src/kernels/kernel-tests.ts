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
import type { CheckResult, SourcePlace, WorkspaceKernelView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import { plainText } from "../../webview/common/plain-text";
import { isAllowedToRun } from "../trust";
import type { KernelStore } from "./kernel-store";

/** Names the item of a recorded workload below its kernel. */
const workloadId = "#recorded";

/**
 * Kernels in the Test Explorer: below each file its kernels, below a kernel that was checked its shapes,
 * below one with a recorded workload that and its cases. Run is Check. Nothing is looked for before the
 * explorer, or somebody else, asks for kernels.
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
        this.putWorkload(own, kernel);
        return own;
      }),
    );
    return item;
  }

  /** A workload that was recorded of a program is an item with its cases, before they are run, too. */
  private putWorkload(kernel: TestItem, { recorded }: WorkspaceKernelView): void {
    if (recorded === null) return kernel.children.delete(workloadId);
    const label = l10n.t("Recorded of {0}", recorded.program);
    const known = kernel.children.get(workloadId);
    // Items that stay keep what was found in them.
    if (known?.label === label && haveNames(childrenOf(known), recorded.cases)) return;
    const item = this.controller.createTestItem(workloadId, label, kernel.uri);
    item.range = kernel.range;
    this.putCases(item, recorded.cases);
    // What was found at other sizes is none of its cases.
    kernel.children.replace([item]);
  }

  private putCases(holder: TestItem, names: readonly string[]): void {
    holder.children.replace(
      names.map((name) => {
        const item = this.controller.createTestItem(name, name, holder.uri);
        item.range = holder.range;
        return item;
      }),
    );
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
      const kernel = this.kernelItem(item);
      return kernel === undefined ? childrenOf(item) : [kernel];
    });
    return [...new Set(items)].filter((item) => !exclude.includes(item));
  }

  /** The kernel that an item stands for or below; undefined for a file. */
  private kernelItem(item: TestItem): TestItem | undefined {
    let at: TestItem | undefined = item;
    while (at !== undefined && !this.kernels.has(at)) at = at.parent;
    return at;
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
    const workload = item.children.get(workloadId);
    const holder = workload ?? item;
    const names = shapes.map(({ name }) => name);
    // The cases of a workload are there, whether they ran or not.
    if (workload === undefined || names.length > 0) this.putCases(holder, names);
    for (const { name, failure, place } of shapes) {
      const child = holder.children.get(name);
      if (child === undefined) continue;
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

function haveNames(items: readonly TestItem[], names: readonly string[]): boolean {
  const known = new Set(items.map(({ id }) => id));
  return known.size === names.length && names.every((name) => known.has(name));
}

/** At the line at fault, else at the kernel's name. */
function messageAt(text: string, place: SourcePlace | null, item: TestItem): TestMessage {
  const message = new TestMessage(text);
  if (place !== null) message.location = new Location(Uri.parse(place.uri), new Position(place.line - 1, 0));
  else if (item.uri !== undefined && item.range !== undefined)
    message.location = new Location(item.uri, item.range);
  return message;
}
