import { fileOperations, languageHelp } from "../handlers/language/register";
import {
  CodeActionKind,
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import { isJsonObject } from "../../../core/base/json";
import type { InitializationOptions, ServerCapability } from "../../../protocol/initialization";
import { colourModifiers, colourTypes } from "../../../protocol/colours";
import type { Settings } from "../../../protocol/settings";
import { protocolVersion } from "../../../protocol/version";
import type { ServerContext } from "../context";
import { editorCommands } from "../editor-commands";
import { uriOfPath } from "../uris";
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
  context.client.settings = settingsSent(context, options.settings);
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
function foldersOf(params: InitializeParams): readonly string[] {
  const legacy = params as { readonly rootUri?: string | null; readonly rootPath?: string | null };
  if (params.workspaceFolders && params.workspaceFolders.length > 0)
    return params.workspaceFolders.map((folder) => folder.uri);
  if (legacy.rootUri) return [legacy.rootUri];
  return legacy.rootPath ? [uriOfPath(legacy.rootPath)] : [];
}

/** The settings of a client; what is wrong with them stands in the editor's log of the server. */
export function settingsSent(context: ServerContext, sent: unknown): Settings {
  const { settings, problems } = readSettings(sent);
  for (const problem of problems) context.connection.console.warn(problem);
  return settings;
}
