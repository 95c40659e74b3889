import {
  CodeActionKind,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import type { InitializationOptions, ServerCapability } from "../../protocol/initialization";
import type { ClientNotifications } from "../../protocol/requests";
import { defaultSettings, type Settings } from "../../protocol/settings";
import { protocolVersion } from "../../protocol/version";
import type { ServerContext } from "./context";
import { compileIfTrusted, registerDocuments } from "./document-events";
import { editorCommands, registerEditorCommands } from "./editor-commands";
import { codeAction } from "./handlers/code-action";
import { codeLens } from "./handlers/code-lens";
import { documentSymbol } from "./handlers/document-symbol";
import { hover } from "./handlers/hover";
import { specCompletion } from "./handlers/spec-file/completion";
import { originHints } from "./handlers/spec-file/marks";
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
  connection.onCodeAction((params) => codeAction(context, params));
  connection.languages.inlayHint.on(({ textDocument, range }) =>
    originHints(context, textDocument.uri, range),
  );
  connection.onCompletion(({ textDocument, position }) =>
    specCompletion(context, textDocument.uri, position),
  );
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
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      inlayHintProvider: true,
      completionProvider: { triggerCharacters: ['"'] },
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
