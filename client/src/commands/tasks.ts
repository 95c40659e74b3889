import { type CancellationToken, CancellationTokenSource, commands, ProgressLocation, window } from "vscode";

/**
 * Requests that take a while, beside the sessions: shown in the status bar, or in a notification with a
 * button that ends them; ended by the cancel command as well.
 */
export class Tasks {
  private readonly active = new Map<CancellationTokenSource, string>();

  /** Titles of what is going on. */
  titles(): readonly string[] {
    return [...this.active.values()];
  }

  /** Runs `act` under a title. Gives undefined when the user cancelled it. */
  async run<Value>(
    title: string,
    act: (token: CancellationToken) => Promise<Value>,
    shown: "status bar" | "notification" = "status bar",
  ): Promise<Value | undefined> {
    const source = new CancellationTokenSource();
    this.active.set(source, title);
    await this.mark();
    try {
      const isLarge = shown === "notification";
      const location = isLarge ? ProgressLocation.Notification : ProgressLocation.Window;
      return await window.withProgress({ location, title, cancellable: isLarge }, (_, token) => {
        token.onCancellationRequested(() => source.cancel());
        return act(source.token);
      });
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
    for (const [source, name] of this.active) if (title === undefined || name === title) source.cancel();
  }

  private async mark(): Promise<void> {
    await commands.executeCommand("setContext", "kernelwright.hasTasks", this.active.size > 0);
  }
}
