import {
  commands,
  type CodeLens,
  type FileSystemWatcher,
  l10n,
  type LogOutputChannel,
  type TextDocument,
  window,
} from "vscode";
import {
  CloseAction,
  CodeLensRequest,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { cppEndings } from "../../../server/protocol/cpp-files";
import type { InitializationOptions, ServerCapability } from "../../../server/protocol/initialization";
import { protocolVersion } from "../../../server/protocol/version";
import type { LastingCommands } from "../lasting-commands";
import { lastingLenses } from "./lasting-lenses";
import { boundedRestarts } from "./restart-policy";

// A bundle of its own: what speaks with the server is four fifths of the extension's code.

const restartWindow = 180_000;
const restartLimit = 4;

/**
 * Kernels are looked for in these documents; the server is told of no other. It leaves C++ without CUDA
 * alone.
 */
const sources = [
  { scheme: "file", pattern: `**/*{.cu,.cuh,${cppEndings.join(",")}}` },
  { scheme: "file", language: "python" },
];

/** How long a server may take to end as it was asked to, in milliseconds; one that takes longer is killed. */
const endLimit = 2_000;

/** What a client of the server is made of. */
interface ClientParts {
  /** Absolute path of dist/server.js. */
  readonly serverModule: string;
  readonly log: LogOutputChannel;
  readonly lasting: LastingCommands;
  readonly isPast: (lens: Pick<CodeLens, "command">) => boolean;
  readonly specFiles: string;
  readonly specs: FileSystemWatcher;
  /** What the server is told first. */
  readonly introduce: () => InitializationOptions;
}

export function createClient(parts: ClientParts): LanguageClient {
  const server = { module: parts.serverModule, transport: TransportKind.ipc };
  const { lasting, isPast } = parts;
  const changed = (document: TextDocument): void =>
    client.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  const client = new LanguageClient(
    "kernelwright",
    "Kernelwright",
    { run: server, debug: server },
    {
      ...clientOptions(parts),
      middleware: lastingLenses({ commands: lasting, isPast, changed }),
      synchronize: { fileEvents: parts.specs },
    },
  );
  return client;
}

/** Starts a server. Rejects when it cannot be started or speaks another protocol. */
export async function startClient(client: LanguageClient): Promise<void> {
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

/** What a server does: one that failed to start is none. */
export function stateOf({ state }: LanguageClient): "stopped" | "starting" | "running" {
  if (state === State.Running) return "running";
  return state === State.Starting ? "starting" : "stopped";
}

function clientOptions({ log, specFiles, introduce }: ClientParts): LanguageClientOptions {
  const restarts = boundedRestarts(restartLimit, restartWindow);
  return {
    documentSelector: [...sources, { scheme: "file", pattern: specFiles }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: introduce,
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

/**
 * Ends the server of a client. One that hangs is told in the log, no more: the library kills it a little
 * later.
 */
export async function endClient(client: LanguageClient, log: LogOutputChannel): Promise<void> {
  if (client.state === State.Starting) {
    // The library cannot stop what is starting. That a start failed is for the one who asked for it.
    void client.start().then(
      () => endClient(client, log),
      () => undefined,
    );
  } else if (client.state === State.Running) {
    await client
      .stop(endLimit)
      .catch((error: unknown) => log.warn(l10n.t("The server did not end by itself: {0}", String(error))));
  }
}
