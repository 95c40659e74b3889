import { fileOperations, languageHelp } from "../handlers/language/register";
import {
  CodeActionKind,
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
  TextDocumentSyncKind,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { isJsonObject } from "../../../core/base/json";
import type { InitializationOptions, ServerCapability } from "../../../protocol/initialization";
import { colourModifiers, colourTypes } from "../../../protocol/colours";
import type { Settings } from "../../../protocol/settings";
import { protocolVersion } from "../../../protocol/version";
import type { ServerContext } from "../context";
import { editorCommands } from "../editor-commands";
import { pathOfUri, uriOfPath } from "../uris";
import { speak } from "./user-language";
import { readSettings } from "./sent-settings";

/** Takes over what the client says of itself, and answers with what we serve. */
export function initialize(context: ServerContext, params: InitializeParams): InitializeResult {
  const sent: unknown = params.initializationOptions;
  const options: { readonly [Name in keyof InitializationOptions]?: unknown } = isJsonObject(sent)
    ? sent
    : {};
  context.client.ownClient = options.protocolVersion !== undefined;
  context.client.trusted = options.trusted === true;
  speak(options.texts);
  takeSettings(context, options);
  context.client.refreshesLenses = params.capabilities.workspace?.codeLens?.refreshSupport === true;
  context.client.watchesFolders = params.capabilities.workspace?.workspaceFolders === true;
  context.workspaces.folders.set(foldersOf(params));
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
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
      inlayHintProvider: true,
      ...languageHelp,
      ...(context.client.ownClient ? {} : foreignCapabilities),
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        fileOperations: fileOperations(context.client.ownClient),
      },
      experimental: { kernelwright: capability },
    },
  };
}

/** What our own client has its own ways for. */
const foreignCapabilities: ServerCapabilities = {
  executeCommandProvider: { commands: [...editorCommands] },
  semanticTokensProvider: {
    legend: { tokenTypes: [...colourTypes], tokenModifiers: [...colourModifiers] },
    full: true,
  },
};

/** Workspace folders, or the older forms of them that other editors still send. */
function foldersOf(params: InitializeParams): readonly WorkspaceFolder[] {
  const legacy = params as { readonly rootUri?: string | null; readonly rootPath?: string | null };
  if (params.workspaceFolders && params.workspaceFolders.length > 0) return params.workspaceFolders;
  const uri = legacy.rootPath ? uriOfPath(legacy.rootPath) : undefined;
  const root = legacy.rootUri ? legacy.rootUri : uri;
  return root === undefined ? [] : [{ uri: root, name: "" }];
}

/** Settings as they come with a message, of whatever form. */
interface SettingsMessage {
  readonly settings?: unknown;
  readonly folderSettings?: unknown;
}

/** Takes over the settings of a client; false where they are what they were. */
export function takeSettings(context: ServerContext, { settings, folderSettings }: SettingsMessage): boolean {
  const { client } = context;
  const before = JSON.stringify([client.settings, ...client.folderSettings]);
  client.settings = settingsSent(context, settings);
  client.folderSettings = new Map(
    Object.entries(isJsonObject(folderSettings) ? folderSettings : {}).map(([uri, own]) => [
      pathOfUri(uri) ?? uri,
      settingsSent(context, own),
    ]),
  );
  return before !== JSON.stringify([client.settings, ...client.folderSettings]);
}

/** What is wrong with settings stands in the editor's log of the server. */
function settingsSent(context: ServerContext, sent: unknown): Settings {
  const { settings, problems } = readSettings(sent);
  for (const problem of problems) context.connection.console.warn(problem);
  return settings;
}
