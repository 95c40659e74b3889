import type { DidChangeConfigurationParams } from "vscode-languageserver";
import type { ClientNotifications } from "../../protocol/requests";
import type { ServerContext } from "./context";
import { compileIfTrusted, registerDocuments } from "./document-events";
import { registerEditorCommands } from "./editor-commands";
import { codeAction } from "./handlers/code-action";
import { codeLens } from "./handlers/code-lens";
import { documentSymbol } from "./handlers/document-symbol";
import { hover } from "./handlers/hover";
import { launchHover } from "./handlers/language/launch-hover";
import { registerLanguageHelp } from "./handlers/language/register";
import { originHints } from "./handlers/spec-file/marks";
import { initialize, takeSettings } from "./handshake/initialize";

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
    context.lints.dispose();
    await context.reviewBoard.close();
    await context.sessions.close();
    await context.workspaces.close();
  });
  connection.onDidChangeConfiguration((sent) => changeSettings(context, sent));
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
  registerLanguageHelp(context);
  connection.onHover(
    async ({ textDocument: { uri }, position }) =>
      hover(context, uri, position) ?? launchHover(context, uri, position),
  );
}

async function readFolders(context: ServerContext): Promise<void> {
  context.workspaces.folders.set((await context.connection.workspace.getWorkspaceFolders()) ?? []);
}

/**
 * New settings hold from now on. Services are opened anew with them, unless a session still runs on the old
 * ones.
 */
function changeSettings(context: ServerContext, sent: DidChangeConfigurationParams): void {
  if (!takeSettings(context, sent)) return;
  const now = context.client.settings;
  if (context.sessions.running === 0) context.background("settings", context.workspaces.close());
  for (const document of context.documents.all()) {
    compileIfTrusted(context, document, "at once");
    context.lints.request(document, "at once");
    if (!now.backgroundCompile) forgetCompile(context, document.uri);
  }
  context.refreshLenses();
}

/** What a compile that nobody asked for said of a document goes with the wish for it. */
function forgetCompile(context: ServerContext, uri: string): void {
  context.compiles.forget(uri);
  context.diagnostics.putAll(`compiler ${uri}`, new Map());
}
