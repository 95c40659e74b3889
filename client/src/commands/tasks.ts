import {
  type CancellationToken,
  CancellationTokenSource,
  commands,
  type Disposable,
  l10n,
  ProgressLocation,
  StatusBarAlignment,
  window,
} from "vscode";

/** Says how far a task has come, behind its title. */
type Report = (words: string) => void;

interface ActiveTask {
  readonly title: string;
  /** How far it has come; empty before it says so. */
  words: string;
}

/**
 * Requests that take a while, beside the sessions: shown in the status bar, where a click ends them, or in a
 * notification with a button that does; ended by the cancel command as well.
 */
export class Tasks implements Disposable {
  private readonly active = new Map<CancellationTokenSource, ActiveTask>();
  private readonly item = window.createStatusBarItem("kernelwright.task", StatusBarAlignment.Left, 11);

  constructor() {
    this.item.name = l10n.t("Kernelwright task");
    this.item.command = {
      command: "kernelwright.cancel",
      title: l10n.t("Click to cancel"),
      arguments: [{ tasks: "all" }],
    };
  }

  /** Titles of what is going on. */
  titles(): readonly string[] {
    return [...this.active.values()].map(({ title }) => title);
  }

  /** Runs `act` under a title. Gives undefined when the user cancelled it, also where it came to its end. */
  async run<Value>(
    title: string,
    act: (token: CancellationToken, report: Report) => Promise<Value>,
    shown: "status bar" | "notification" = "status bar",
  ): Promise<Value | undefined> {
    const source = new CancellationTokenSource();
    const task: ActiveTask = { title, words: "" };
    this.active.set(source, task);
    await this.mark();
    try {
      const value = await (shown === "notification"
        ? inNotification(title, source, act)
        : act(source.token, (words) => {
            task.words = words;
            this.show();
          }));
      return source.token.isCancellationRequested ? undefined : value;
    } catch (error) {
      if (source.token.isCancellationRequested) return undefined;
      throw error;
    } finally {
      this.active.delete(source);
      source.dispose();
      await this.mark();
    }
  }

  /** Ends one task by its title, or all of them. */
  cancel(title?: string): void {
    for (const [source, task] of this.active)
      if (title === undefined || task.title === title) source.cancel();
  }

  dispose(): void {
    this.item.dispose();
  }

  private async mark(): Promise<void> {
    this.show();
    await commands.executeCommand("setContext", "kernelwright.hasTasks", this.active.size > 0);
  }

  /** The task that began last; its tooltip has all of them. */
  private show(): void {
    const all = [...this.active.values()].map(({ title, words }) =>
      [title, words].filter((part) => part !== "").join(": "),
    );
    const last = all.at(-1);
    if (last === undefined) return this.item.hide();
    this.item.text = `$(sync~spin) ${last}`;
    this.item.tooltip = [...all, l10n.t("Click to cancel")].join("\n");
    this.item.accessibilityInformation = { label: l10n.t("{0}. Press to cancel", last) };
    this.item.show();
  }
}

function inNotification<Value>(
  title: string,
  source: CancellationTokenSource,
  act: (token: CancellationToken, report: Report) => Promise<Value>,
): Thenable<Value> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => source.cancel());
    return act(source.token, (message) => progress.report({ message }));
  });
}
