import { type InitializeParams, type InitializeResult, TextDocumentSyncKind } from "vscode-languageserver";
import { parseKernelSpec } from "../../core/workload/spec-parse";
import type { InitializationOptions, ServerCapability } from "../../protocol/initialization";
import type { ClientNotifications } from "../../protocol/requests";
import { defaultSettings, type Settings } from "../../protocol/settings";
import { protocolVersion } from "../../protocol/version";
import type { ServerContext } from "./context";
import { problemDiagnostic } from "./views/convert";
import { editorCommands, registerEditorCommands } from "./editor-commands";
import type { OpenDocument } from "./documents";
import { codeLens } from "./handlers/code-lens";
import { documentSymbol } from "./handlers/document-symbol";
import { hover } from "./handlers/hover";
import { uriOfPath } from "./uris";

/**
 * The parts of the language server protocol that we serve: life cycle, documents, lenses, outline, hover,
 * diagnostics.
 */
export function registerFeatures(context: ServerContext): void {
  const { connection } = context;
  connection.onInitialize((params) => initialize(context, params));
  connection.onInitialized(() => {
    if (context.client.watchesFolders)
      connection.workspace.onDidChangeWorkspaceFolders(() =>
        context.background("workspace folders", readFolders(context)),
      );
  });
  connection.onShutdown(async () => {
    context.compiles.dispose();
    await context.reviewBoard.close();
    await context.sessions.close();
    await context.workspaces.close();
  });
  connection.onDidChangeConfiguration(({ settings }) =>
    changeSettings(context, settings as Partial<Settings> | null),
  );
  connection.onNotification(
    "kernelwright/trust",
    ({ trusted }: ClientNotifications["kernelwright/trust"]) => {
      context.client.trusted = trusted;
      for (const document of context.documents.all()) compileIfTrusted(context, document, "at once");
      context.reviewBoard.wake();
    },
  );
  registerDocuments(context);
  registerEditorCommands(context);
  connection.onCodeLens(({ textDocument }) => codeLens(context, textDocument.uri));
  connection.onDocumentSymbol(({ textDocument }) => documentSymbol(context, textDocument.uri));
  connection.onHover(({ textDocument, position }) => hover(context, textDocument.uri, position));
}

function initialize(context: ServerContext, params: InitializeParams): InitializeResult {
  const options = params.initializationOptions as Partial<InitializationOptions> | null | undefined;
  context.client.ownClient = options?.protocolVersion !== undefined;
  context.client.trusted = options?.trusted === true;
  context.client.settings = { ...defaultSettings, ...options?.settings };
  context.client.refreshesLenses = params.capabilities.workspace?.codeLens?.refreshSupport === true;
  context.client.watchesFolders = params.capabilities.workspace?.workspaceFolders === true;
  context.workspaces.setFolders(foldersOf(params));
  const capability: ServerCapability = { protocolVersion };
  return {
    serverInfo: { name: "kernelwright", version: protocolVersion },
    capabilities: {
      textDocumentSync: {
        openClose: true,
        change: TextDocumentSyncKind.Incremental,
        save: { includeText: false },
      },
      codeLensProvider: { resolveProvider: false },
      documentSymbolProvider: true,
      hoverProvider: true,
      ...(context.client.ownClient ? {} : { executeCommandProvider: { commands: [...editorCommands] } }),
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      experimental: { kernelwright: capability },
    },
  };
}

/** Workspace folders, or the older forms of them that other editors still send. */
function foldersOf(params: InitializeParams): readonly string[] {
  const legacy = params as { readonly rootUri?: string | null; readonly rootPath?: string | null };
  if (params.workspaceFolders && params.workspaceFolders.length > 0)
    return params.workspaceFolders.map((folder) => folder.uri);
  if (legacy.rootUri) return [legacy.rootUri];
  return legacy.rootPath ? [uriOfPath(legacy.rootPath)] : [];
}

async function readFolders(context: ServerContext): Promise<void> {
  context.workspaces.setFolders(
    ((await context.connection.workspace.getWorkspaceFolders()) ?? []).map((folder) => folder.uri),
  );
}

/**
 * New settings hold from now on. Services are opened anew with them, unless a session still runs on the old
 * ones.
 */
function changeSettings(context: ServerContext, settings: Partial<Settings> | null): void {
  const before = JSON.stringify(context.client.settings);
  context.client.settings = { ...defaultSettings, ...settings };
  if (before === JSON.stringify(context.client.settings)) return;
  if (context.sessions.running === 0) context.background("settings", context.workspaces.close());
  for (const document of context.documents.all()) compileIfTrusted(context, document, "at once");
}

function registerDocuments(context: ServerContext): void {
  const { connection, documents } = context;
  connection.onDidOpenTextDocument(({ textDocument }) => arrived(context, documents.add(textDocument)));
  connection.onDidChangeTextDocument(({ textDocument, contentChanges }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return;
    document.update(contentChanges, textDocument.version);
    context.diagnostics.dropChecks(document.uri);
    checkSpec(context, document);
    compileIfTrusted(context, document, "at rest");
    context.reviewBoard.documentChanged(document.uri);
  });
  connection.onDidSaveTextDocument(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    if (document !== undefined) arrived(context, document);
  });
  connection.onDidChangeWatchedFiles(() => {
    for (const document of documents.all()) if (!isSpec(document)) readSpecs(context, document);
  });
  connection.onDidCloseTextDocument(({ textDocument }) => {
    context.compiles.forget(textDocument.uri);
    context.specs.forget(textDocument.uri);
    context.diagnostics.putAll(`compiler ${textDocument.uri}`, new Map());
    context.diagnostics.forget(textDocument.uri);
    documents.remove(textDocument.uri);
  });
}

/**
 * A document was opened or saved: everything about it is worth looking at anew. A saved spec may give lenses
 * of other documents.
 */
function arrived(context: ServerContext, document: OpenDocument): void {
  checkSpec(context, document);
  compileIfTrusted(context, document, "at once");
  const sources = isSpec(document) ? context.documents.all().filter((other) => !isSpec(other)) : [document];
  for (const source of sources) readSpecs(context, source);
}

/** Reads which kernels of a source have a spec file, for their lenses. */
function readSpecs(context: ServerContext, source: OpenDocument): void {
  context.background(
    "kernel specs",
    context.specs.refresh(source.uri).then((changed) => {
      if (changed) context.refreshLenses();
    }),
  );
}

function isSpec(document: OpenDocument): boolean {
  return document.uri.endsWith(".kernel.json");
}

function checkSpec(context: ServerContext, document: OpenDocument): void {
  if (!isSpec(document)) return;
  const parsed = parseKernelSpec(document.text);
  context.diagnostics.put(document.uri, "spec", parsed.ok ? [] : parsed.problem.map(problemDiagnostic));
}

/**
 * Compiling runs the compiler on the user's files (includes, macros, Python imports): only where the
 * workspace is trusted. While the user types only CUDA is compiled, and only here: Python would be run
 * half-written, and another machine be asked at every pause.
 */
function compileIfTrusted(context: ServerContext, document: OpenDocument, when: "at once" | "at rest"): void {
  if (!context.client.trusted || isSpec(document)) return;
  const everyPause = document.dialect === "cuda" && !context.client.settings.target.startsWith("ssh:");
  if (when === "at once" || everyPause) context.compiles.request(document, when);
  else context.compiles.cancel(document.uri);
}
