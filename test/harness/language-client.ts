import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { Notifications, Requests } from "../../server/protocol/requests";
import { defaultSettings, type Settings } from "../../server/protocol/settings";
import { protocolVersion } from "../../server/protocol/version";

const root = join(dirnameOf(import.meta.url), "..", "..");

function dirnameOf(url: string): string {
  return fileURLToPath(new URL(".", url));
}

export interface LanguageClientOptions {
  readonly folder: string;
  readonly trusted: boolean;
  readonly settings?: Partial<Settings>;
  readonly transport?: "--stdio" | "--node-ipc";
  readonly environment?: Readonly<Record<string, string>>;
  /** Leave out our own initialization options, as a foreign editor does. */
  readonly foreign?: boolean;
  /** Texts of the user's language by their English ones. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The notifications that the server sends. */
const told = [
  "textDocument/publishDiagnostics",
  "window/logMessage",
  "kernelwright/sessionChanged",
  "kernelwright/sessionWords",
  "kernelwright/facts",
  "kernelwright/caseBegun",
  "kernelwright/reviewChanged",
];

type Message = { readonly method: string; readonly params: unknown };

/** A client of the real server process: the protocol of the editor without the editor. */
export class LanguageClient {
  readonly received: Message[] = [];
  capabilities: unknown;
  /** Of the server's process. */
  readonly pid: number | undefined;
  private readonly waiting = new Set<() => void>();
  private version = 1;

  private constructor(
    private readonly process: ChildProcess,
    readonly connection: ProtocolConnection,
    readonly folder: string,
  ) {
    this.pid = process.pid;
    for (const method of told)
      connection.onNotification(method, (params: unknown) => this.receive({ method, params }));
    connection.onRequest("workspace/codeLens/refresh", () => {
      this.receive({ method: "workspace/codeLens/refresh", params: null });
      return null;
    });
    connection.onRequest("window/showDocument", (params: unknown) => {
      this.receive({ method: "window/showDocument", params });
      return { success: true };
    });
    connection.onRequest("kernelwright/secret", () => ({ value: null }));
    connection.onRequest("kernelwright/findEditorModel", () => ({ found: null, offered: ["copilot/gpt-5"] }));
    connection.listen();
  }

  /**
   * Starts the bundled server and shakes hands. The bundle is made before the tests, not here: test files run
   * side by side.
   */
  static async start(options: LanguageClientOptions): Promise<LanguageClient> {
    if (!existsSync(join(root, "dist", "server.js")))
      throw new Error(
        "dist/server.js is missing: npm run build makes it, and so does vitest before its tests",
      );
    const transport = options.transport ?? "--stdio";
    const ipc = transport === "--node-ipc";
    const child = spawn(globalThis.process.execPath, [join(root, "dist", "server.js"), transport], {
      stdio: ipc ? ["ignore", "inherit", "inherit", "ipc"] : ["pipe", "pipe", "inherit"],
      env: { ...globalThis.process.env, ...options.environment },
    });
    const connection = ipc
      ? createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child))
      : createProtocolConnection(
          new StreamMessageReader(child.stdout ?? globalThis.process.stdin),
          new StreamMessageWriter(child.stdin ?? globalThis.process.stdout),
        );
    const client = new LanguageClient(child, connection, options.folder);
    const initialized = await connection.sendRequest<{ readonly capabilities: unknown }>("initialize", {
      processId: globalThis.process.pid,
      capabilities: { workspace: { codeLens: { refreshSupport: true }, workspaceFolders: false } },
      workspaceFolders: [{ uri: pathToFileURL(options.folder).toString(), name: "folder" }],
      rootUri: null,
      ...(options.foreign
        ? {}
        : {
            initializationOptions: {
              protocolVersion,
              trusted: options.trusted,
              settings: { ...defaultSettings, ...options.settings },
              texts: options.texts,
            },
          }),
    });
    client.capabilities = initialized.capabilities;
    await connection.sendNotification("initialized", {});
    return client;
  }

  uri(file: string): string {
    return pathToFileURL(join(this.folder, file)).toString();
  }

  request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method][0],
  ): Promise<Requests[Method][1]> {
    return this.connection.sendRequest<Requests[Method][1]>(method, params);
  }

  open(file: string, text: string): Promise<void> {
    return this.connection.sendNotification("textDocument/didOpen", {
      textDocument: {
        uri: this.uri(file),
        languageId: file.endsWith(".py") ? "python" : "cuda-cpp",
        version: this.version,
        text,
      },
    });
  }

  /** Replaces a range of a document, as typing does. */
  change(
    file: string,
    range:
      | {
          readonly start: { line: number; character: number };
          readonly end: { line: number; character: number };
        }
      | undefined,
    text: string,
  ): Promise<void> {
    this.version += 1;
    return this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: this.uri(file), version: this.version },
      contentChanges: [range === undefined ? { text } : { range, text }],
    });
  }

  /**
   * The first message of a method, received or to come, that fits. Vitest's own limit ends a wait that never
   * does.
   */
  async next<Method extends keyof Notifications>(
    method: Method,
    fits?: (params: Notifications[Method]) => boolean,
  ): Promise<Notifications[Method]>;
  async next<Params>(method: string, fits?: (params: Params) => boolean): Promise<Params>;
  async next(method: string, fits: (params: never) => boolean = () => true): Promise<unknown> {
    for (;;) {
      const found = this.received.find(
        (message) => message.method === method && fits(message.params as never),
      );
      if (found !== undefined) return found.params;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /**
   * Asks again after every message from the server until the answer fits; for what is announced only as "ask
   * me again".
   */
  async until<Answer>(ask: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> {
    for (;;) {
      const moved = new Promise<void>((resolve) => this.waiting.add(resolve));
      const answer = await ask();
      if (fits(answer)) return answer;
      await moved;
    }
  }

  /** Says shutdown and exit; gives the exit code of the process. */
  async stop(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.process.once("exit", resolve));
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const code = await exited;
    this.connection.dispose();
    return code;
  }

  /** Ends the process as a crash does. */
  async kill(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.process.once("exit", () => resolve()));
    this.process.kill("SIGKILL");
    await exited;
    this.connection.dispose();
  }

  private receive(message: Message): void {
    this.received.push(message);
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
