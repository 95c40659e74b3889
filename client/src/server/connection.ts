import {
  type CancellationToken,
  type CodeLens,
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  l10n,
  workspace,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { InitializationOptions } from "../../../server/protocol/initialization";
import type {
  ClientNotifications,
  ClientRequests,
  Notifications,
  Requests,
} from "../../../server/protocol/requests";
import { protocolVersion } from "../../../server/protocol/version";
import type { LastingCommands } from "../lasting-commands";
import { concernsSettings, readFolderSettings, readSettings } from "../settings";
import type * as Library from "./language-client";

type ServerState = "stopped" | "starting" | "running";

interface ConnectionOptions {
  /** Absolute path of dist/server.js. */
  readonly serverModule: string;
  readonly log: LogOutputChannel;
  /** Keeps what the server's lenses lead to. */
  readonly lasting: LastingCommands;
  /** Lenses of the server whose time is over. */
  readonly isPast: (lens: Pick<CodeLens, "command">) => boolean;
  /** Loads what speaks with the server: it is most of the extension, and waits until somebody asks. */
  readonly loadLibrary: () => typeof Library;
}

/** Specs that are written by others, such as the command line, give lenses their words as well. */
const specFiles = "**/*.kernel.json";

/** Ties a listener to a client; gives what unties it. */
type Attach = (client: LanguageClient) => Disposable;

/**
 * The one way to the language server: starts it when first asked, starts it again when it ends by itself, and
 * types what is said.
 */
export class ServerConnection implements Disposable {
  /** Made when the server is first asked for. */
  private client: LanguageClient | undefined;
  private readonly changed = new EventEmitter<ServerState>();
  private readonly subscriptions: Disposable[];
  private readonly attached = new Map<Attach, Disposable | undefined>();
  private readonly specs = workspace.createFileSystemWatcher(specFiles);
  private starting: Promise<void> | undefined;
  /** What the server goes by: settings and trust may change while it starts. */
  private told = introduction();
  readonly onDidChangeState = this.changed.event;

  constructor(private readonly options: ConnectionOptions) {
    this.listen((client) =>
      client.onDidChangeState(() => {
        this.tellChanges();
        this.changed.fire(this.state);
      }),
    );
    this.subscriptions = [
      this.changed,
      this.specs,
      workspace.onDidChangeConfiguration((event) => {
        if (concernsSettings(event)) this.tellChanges();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        this.tellChanges();
      }),
    ];
  }

  get state(): ServerState {
    return this.client === undefined ? "stopped" : this.options.loadLibrary().stateOf(this.client);
  }

  /**
   * Resolves when the server has answered; a second call joins the first. Rejects when it cannot be started.
   */
  start(): Promise<void> {
    if (this.client !== undefined && this.state === "stopped") this.starting = undefined;
    this.starting ??= this.begin();
    return this.starting;
  }

  private async begin(): Promise<void> {
    // Whoever activates the extension does not wait for what is loaded here.
    await new Promise(setImmediate);
    this.client ??= this.madeClient();
    await this.options.loadLibrary().startClient(this.client);
  }

  /**
   * Starts a fresh server in place of this one, whatever state that is in: it is asked to end, and killed
   * when it does not.
   */
  async restart(): Promise<void> {
    const former = this.client;
    for (const subscription of this.attached.values()) subscription?.dispose();
    // A client of the library that could not end its server in time takes the late end of it for the end of
    // the next one: hence another client.
    this.client = undefined;
    this.starting = undefined;
    this.changed.fire("stopped");
    if (former !== undefined) await this.options.loadLibrary().endClient(former, this.options.log);
    await this.start();
  }

  /** Ends the server; its process group ends with it. */
  async stop(): Promise<void> {
    this.starting = undefined;
    const { client } = this;
    if (client !== undefined) await this.options.loadLibrary().endClient(client, this.options.log);
  }

  /**
   * One typed request; starts the server when it is not there. Rejects with the server's own sentence for the
   * user.
   */
  async request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method][0],
    token?: CancellationToken,
  ): Promise<Requests[Method][1]> {
    await this.start();
    const { client } = this;
    if (client === undefined) throw new Error(l10n.t("The Kernelwright server was ended."));
    // A missing token must not be passed on: the library would send it as a second parameter.
    return token === undefined
      ? client.sendRequest<Requests[Method][1]>(method, params)
      : client.sendRequest<Requests[Method][1]>(method, params, token);
  }

  onNotification<Method extends keyof Notifications>(
    method: Method,
    listener: (params: Notifications[Method]) => void,
  ): Disposable {
    return this.listen((client) => client.onNotification(method, listener));
  }

  onRequest<Method extends keyof ClientRequests>(
    method: Method,
    answer: (
      params: ClientRequests[Method][0],
      token: CancellationToken,
    ) => Promise<ClientRequests[Method][1]>,
  ): Disposable {
    return this.listen((client) => client.onRequest<unknown, void>(method, answer));
  }

  dispose(): void {
    for (const subscription of [...this.subscriptions, ...this.attached.values()]) subscription?.dispose();
  }

  private madeClient(): LanguageClient {
    const { specs } = this;
    const client = this.options.loadLibrary().createClient({
      ...this.options,
      specFiles,
      specs,
      introduce: () => (this.told = introduction()),
    });
    for (const attach of this.attached.keys()) this.attached.set(attach, attach(client));
    return client;
  }

  /** Listens to this client and to those that come after it. */
  private listen(attach: Attach): Disposable {
    this.attached.set(attach, this.client && attach(this.client));
    return {
      dispose: () => {
        this.attached.get(attach)?.dispose();
        this.attached.delete(attach);
      },
    };
  }

  /** Sends the settings and the trust that changed since start-up. */
  private tellChanges(): void {
    const { client } = this;
    if (client === undefined || this.state !== "running") return;
    const [before, now] = [this.told, introduction()];
    this.told = now;
    const trust: ClientNotifications["kernelwright/trust"] = { trusted: true };
    if (now.trusted && !before.trusted) void client.sendNotification("kernelwright/trust", trust);
    const { settings, folderSettings } = now;
    const told = JSON.stringify([settings, folderSettings]);
    if (told !== JSON.stringify([before.settings, before.folderSettings]))
      void client.sendNotification("workspace/didChangeConfiguration", { settings, folderSettings });
  }
}

function introduction(): InitializationOptions {
  const { bundle } = l10n;
  return {
    protocolVersion,
    trusted: workspace.isTrusted,
    settings: readSettings(),
    folderSettings: readFolderSettings(),
    ...(bundle === undefined ? {} : { texts: bundle }),
  };
}
