/** The editor's end of a page, as VS Code hands it to the scripts of a webview. */
interface EditorHost {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorHost;

/** The channel between a page and the extension. The editor gives it out once to each page. */
export class Channel<Incoming, Outgoing> {
  private readonly host = acquireVsCodeApi();

  /** Nobody but the editor can post to a webview's window. */
  listen(receive: (message: Incoming) => void): void {
    window.addEventListener("message", ({ data }: MessageEvent<Incoming>) => receive(data));
  }

  /** What the editor hands back when it opens the page anew, after a reload of the window. */
  keep(state: unknown): void {
    this.host.setState(state);
  }

  send(message: Outgoing): void {
    this.host.postMessage(message);
  }
}
