import {
  type CancellationToken,
  type CodeLens,
  commands,
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  l10n,
  window,
  workspace,
} from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { cppEndings } from "../../../server/protocol/cpp-files";
import type { InitializationOptions, ServerCapability } from "../../../server/protocol/initialization";
import type {
  ClientNotifications,
  ClientRequests,
  Notifications,
  Requests,
} from "../../../server/protocol/requests";
import { protocolVersion } from "../../../server/protocol/version";
import type { LastingCommands } from "../lasting-commands";
import { concernsSettings, readFolderSettings, readSettings } from "../settings";
import { lastingLenses } from "./lasting-lenses";
import { boundedRestarts } from "./restart-policy";

type ServerState = "stopped" | "starting" | "running";

interface ConnectionOptions {
  /** Absolute path of dist/server.js. */
  readonly serverModule: string;
  readonly log: LogOutputChannel;
  /** Keeps what the server's lenses lead to. */
  readonly lasting: LastingCommands;
  /** Lenses of the server whose time is over. */
  readonly isPast: (lens: CodeLens) => boolean;
}

const restartWindow = 180_000;
const restartLimit = 4;

/** Specs that are written by others, such as the command line, give lenses their words as well. */
const specFiles = "**/*.kernel.json";

/**
 * Kernels are looked for in these documents; the server is told of no other. It leaves C++ without CUDA
 * alone.
 */
const documentSelector = [
  { scheme: "file", pattern: `**/*{.cu,.cuh,${cppEndings.join(",")}}` },
  { scheme: "file", language: "python" },
  { scheme: "file", pattern: specFiles },
];

/** How long a server may take to end as it was asked to, in milliseconds; one that takes longer is killed. */
const endLimit = 2_000;

/** Ties a listener to a client; gives what unties it. */
type Attach = (client: LanguageClient) => Disposable;

/**
 * The one way to the language server: starts it when first asked, starts it again when it ends by itself, and
 * types what is said.
 */
export class ServerConnection implements Disposable {
  private client: LanguageClient;
  private readonly changed = new EventEmitter<ServerState>();
  private readonly subscriptions: Disposable[];
  private readonly attached = new Map<Attach, Disposable>();
  private readonly specs = workspace.createFileSystemWatcher(specFiles);
  private starting: Promise<void> | undefined;
  /** What the server goes by: settings and trust may change while it starts. */
  private told = introduction();
  readonly onDidChangeState = this.changed.event;

  constructor(private readonly options: ConnectionOptions) {
    this.client = this.createClient();
    this.listen((client) =>
      client.onDidChangeState(({ newState }) => {
        this.tellChanges();
        this.changed.fire(stateName(newState));
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
    return stateName(this.client.state);
  }

  /**
   * Resolves when the server has answered; a second call joins the first. Rejects when it cannot be started.
   */
  start(): Promise<void> {
    if (this.client.state === State.Stopped || this.client.state === State.StartFailed)
      this.starting = undefined;
    this.starting ??= startClient(this.client);
    return this.starting;
  }

  /**
   * Starts a fresh server in place of this one, whatever state that is in: it is asked to end, and killed
   * when it does not.
   */
  async restart(): Promise<void> {
    const former = this.client;
    for (const subscription of this.attached.values()) subscription.dispose();
    // A client of the library that could not end its server in time takes the late end of it for the end of
    // the next one: hence another client.
    this.client = this.createClient();
    this.starting = undefined;
    for (const attach of this.attached.keys()) this.attached.set(attach, attach(this.client));
    this.changed.fire("stopped");
    await this.end(former);
    await this.start();
  }

  /** Ends the server; its process group ends with it. */
  async stop(): Promise<void> {
    this.starting = undefined;
    await this.end(this.client);
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
    // A missing token must not be passed on: the library would send it as a second parameter.
    return token === undefined
      ? this.client.sendRequest<Requests[Method][1]>(method, params)
      : this.client.sendRequest<Requests[Method][1]>(method, params, token);
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
    for (const subscription of [...this.subscriptions, ...this.attached.values()]) subscription.dispose();
  }

  private createClient(): LanguageClient {
    const server = { module: this.options.serverModule, transport: TransportKind.ipc };
    return new LanguageClient(
      "kernelwright",
      "Kernelwright",
      { run: server, debug: server },
      {
        ...clientOptions(this.options.log, () => (this.told = introduction())),
        middleware: lastingLenses(this.options.lasting, this.options.isPast),
        synchronize: { fileEvents: this.specs },
      },
    );
  }

  /** Listens to this client and to those that come after it. */
  private listen(attach: Attach): Disposable {
    this.attached.set(attach, attach(this.client));
    return {
      dispose: () => {
        this.attached.get(attach)?.dispose();
        this.attached.delete(attach);
      },
    };
  }

  /** Sends the settings and the trust that changed since start-up. */
  private tellChanges(): void {
    if (this.client.state !== State.Running) return;
    const [before, now] = [this.told, introduction()];
    this.told = now;
    const trust: ClientNotifications["kernelwright/trust"] = { trusted: true };
    if (now.trusted && !before.trusted) void this.client.sendNotification("kernelwright/trust", trust);
    const { settings, folderSettings } = now;
    const told = JSON.stringify([settings, folderSettings]);
    if (told !== JSON.stringify([before.settings, before.folderSettings]))
      void this.client.sendNotification("workspace/didChangeConfiguration", { settings, folderSettings });
  }

  /**
   * Ends the server of a client. One that hangs is told in the log, no more: the library kills it a little
   * later.
   */
  private async end(client: LanguageClient): Promise<void> {
    if (client.state === State.Starting) {
      // The library cannot stop what is starting. That a start failed is for the one who asked for it.
      void client.start().then(
        () => this.end(client),
        () => undefined,
      );
    } else if (client.state === State.Running) {
      await client
        .stop(endLimit)
        .catch((error: unknown) =>
          this.options.log.warn(l10n.t("The server did not end by itself: {0}", String(error))),
        );
    }
  }
}

/** Starts a server. Rejects when it cannot be started or speaks another protocol. */
async function startClient(client: LanguageClient): Promise<void> {
  await client.start();
  const experimental = client.initializeResult?.capabilities.experimental as
    | { readonly kernelwright?: ServerCapability }
    | undefined;
  const served = experimental?.kernelwright?.protocolVersion ?? "none";
  if (served.split(".")[0] === protocolVersion.split(".")[0]) return;
  await client.stop();
  throw new Error(
    l10n.t(
      "The Kernelwright server speaks protocol {0}, this extension {1}: install the extension again.",
      served,
      protocolVersion,
    ),
  );
}

function stateName(state: State): ServerState {
  if (state === State.Running) return "running";
  return state === State.Starting ? "starting" : "stopped";
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

function clientOptions(
  log: LogOutputChannel,
  initializationOptions: () => InitializationOptions,
): LanguageClientOptions {
  const restarts = boundedRestarts(restartLimit, restartWindow);
  return {
    documentSelector,
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        if (restarts.allows(Date.now())) return { action: CloseAction.Restart, handled: true };
        void tellServerEnded(log);
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
}

/** The server ends again and again: somebody else has to start it. */
async function tellServerEnded(log: LogOutputChannel): Promise<void> {
  const [restart, showLog] = [l10n.t("Restart Server"), l10n.t("Show Log")];
  const chosen = await window.showErrorMessage(
    l10n.t("The Kernelwright server ended {0} times in three minutes.", restartLimit + 1),
    restart,
    showLog,
  );
  if (chosen === restart) await commands.executeCommand("kernelwright.restartServer");
  if (chosen === showLog) log.show(true);
}
