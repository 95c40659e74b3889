import { type Disposable, l10n, type OutputChannel, window } from "vscode";
import type { SessionView } from "../../../server/protocol/views";
import type { ServerConnection } from "../server/connection";
import { dateText } from "./session-arrangement";

/** The oldest channel goes when there would be more. */
const mostChannels = 6;

/** The output of each run that the user listens to: the model's words as they come, calls, verdicts. */
export class RunChannels implements Disposable {
  private readonly channels = new Map<string, OutputChannel>();
  private readonly subscription: Disposable;

  constructor(private readonly connection: ServerConnection) {
    this.subscription = connection.onNotification("kernelwright/sessionWords", ({ sessionId, text }) =>
      this.channels.get(sessionId)?.append(text),
    );
  }

  /** Shows what a session has said; of one that runs the rest follows as it comes. */
  async show({ sessionId, kernel, started }: SessionView): Promise<void> {
    const name = l10n.t("Kernelwright: {0}, {1}", kernel, dateText(started, new Date()));
    const channel = this.channels.get(sessionId) ?? window.createOutputChannel(name);
    this.channels.set(sessionId, channel);
    const { text } = await this.connection.request("kernelwright/listen", { sessionId });
    channel.replace(text);
    channel.show(true);
    const [oldest] = this.channels.keys();
    if (this.channels.size > mostChannels && oldest !== undefined) this.close(oldest);
  }

  dispose(): void {
    this.subscription.dispose();
    for (const sessionId of [...this.channels.keys()]) this.close(sessionId);
  }

  private close(sessionId: string): void {
    this.channels.get(sessionId)?.dispose();
    this.channels.delete(sessionId);
  }
}
