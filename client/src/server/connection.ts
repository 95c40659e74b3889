import { type CancellationToken, type Disposable, EventEmitter, type LogOutputChannel, l10n, window, workspace } from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, State, TransportKind } from "vscode-languageclient/node";
import type { InitializationOptions, ServerCapability } from "../../../server/protocol/initialization";
import type { ClientNotifications, ClientRequests, Notifications, Requests } from "../../../server/protocol/requests";
import { protocolVersion } from "../../../server/protocol/version";
import { concernsSettings, readSettings } from "../settings";
import { boundedRestarts } from "./restart-policy";

export type ServerState = "stopped" | "starting" | "running";

export interface ConnectionOptions {
  /** Absolute path of dist/server.js. */
  readonly serverModule: string;
  readonly log: LogOutputChannel;
}

const restartWindow = 180_000;
const restartLimit = 4;

/** Kernels are looked for in these documents; the server is told of no other. */
const documentSelector = [
  { scheme: "file", pattern: "**/*.{cu,cuh}" },
  { scheme: "file", language: "python" },
  { scheme: "file", pattern: "**/*.kernel.json" },
];

/** The one way to the language server: starts it when first asked, starts it again when it ends by itself, and types what is said. */
export class ServerConnection implements Disposable {
  private readonly client: LanguageClient;
  private readonly changed = new EventEmitter<ServerState>();
  private readonly subscriptions: Disposable[];
  private starting: Promise<void> | undefined;
  readonly onDidChangeState = this.changed.event;

  constructor(private readonly options: ConnectionOptions) {
    const server = { module: options.serverModule, transport: TransportKind.ipc };
    this.client = new LanguageClient("kernelwright", "Kernelwright", { run: server, debug: server }, clientOptions(options.log));
    this.subscriptions = [
      this.changed,
      this.client.onDidChangeState(({ newState }) => this.changed.fire(stateName(newState))),
      workspace.onDidChangeConfiguration((event) => {
        if (concernsSettings(event)) void this.whenRunning(() => this.client.sendNotification("workspace/didChangeConfiguration", { settings: readSettings() }));
      }),
      workspace.onDidGrantWorkspaceTrust(() => void this.whenRunning(() => this.notify("kernelwright/trust", { trusted: true }))),
    ];
  }

  get state(): ServerState {
    return stateName(this.client.state);
  }

  /** Resolves when the server has answered; a second call joins the first. Rejects when it cannot be started. */
  start(): Promise<void> {
    if (this.client.state === State.Stopped || this.client.state === State.StartFailed) this.starting = undefined;
    this.starting ??= this.client.start().then(() => this.refuseOtherVersion());
    return this.starting;
  }

  /** Ends the server and starts a fresh one. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Ends the server; its process group ends with it. */
  async stop(): Promise<void> {
    this.starting = undefined;
    if (this.client.state !== State.Stopped) await this.client.stop();
  }

  /** One typed request; starts the server when it is not there. Rejects with the server's own sentence for the user. */
  async request<Method extends keyof Requests>(method: Method, params: Requests[Method][0], token?: CancellationToken): Promise<Requests[Method][1]> {
    await this.start();
    // A missing token must not be passed on: the library would send it as a second parameter.
    return token === undefined ? this.client.sendRequest<Requests[Method][1]>(method, params) : this.client.sendRequest<Requests[Method][1]>(method, params, token);
  }

  onNotification<Method extends keyof Notifications>(method: Method, listener: (params: Notifications[Method]) => void): Disposable {
    return this.client.onNotification(method, listener);
  }

  onRequest<Method extends keyof ClientRequests>(method: Method, answer: (params: ClientRequests[Method][0]) => Promise<ClientRequests[Method][1]>): Disposable {
    return this.client.onRequest(method, answer);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private notify<Method extends keyof ClientNotifications>(method: Method, params: ClientNotifications[Method]): Promise<void> {
    return this.client.sendNotification(method, params);
  }

  private async whenRunning(act: () => Promise<void>): Promise<void> {
    if (this.client.state === State.Running) await act();
  }

  private async refuseOtherVersion(): Promise<void> {
    const experimental = this.client.initializeResult?.capabilities.experimental as { readonly kernelwright?: ServerCapability } | undefined;
    const served = experimental?.kernelwright?.protocolVersion ?? "none";
    if (served.split(".")[0] === protocolVersion.split(".")[0]) return;
    await this.client.stop();
    throw new Error(l10n.t("The Kernelwright server speaks protocol {0}, this extension {1}: install the extension again.", served, protocolVersion));
  }
}

function stateName(state: State): ServerState {
  if (state === State.Running) return "running";
  return state === State.Starting ? "starting" : "stopped";
}

function clientOptions(log: LogOutputChannel): LanguageClientOptions {
  const restarts = boundedRestarts(restartLimit, restartWindow);
  return {
    documentSelector,
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: (): InitializationOptions => ({ protocolVersion, trusted: workspace.isTrusted, settings: readSettings() }),
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        if (restarts.allows(Date.now())) return { action: CloseAction.Restart, handled: true };
        void window.showErrorMessage(l10n.t('The Kernelwright server ended {0} times in three minutes. Its log is in the output "Kernelwright"; "Kernelwright: Restart Server" starts it again.', restartLimit + 1));
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
}
