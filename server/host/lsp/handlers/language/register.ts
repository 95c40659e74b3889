import type { FileOperationOptions, ServerCapabilities } from "vscode-languageserver";
import { dialectEndings, dialects } from "../../../../core/workload/spec";
import type { ServerContext } from "../../context";
import { specCompletion } from "../spec-file/completion";
import { sessionsFollow, SpecMover } from "../spec-file/move-specs";
import { colours } from "./coloured";
import { nameCompletion } from "./completion";
import { definition, references } from "./navigation";
import { prepareRename, rename } from "./rename";
import { signatureHelp } from "./signature";

/** What the server says of its help with the languages. */
export const languageHelp: ServerCapabilities = {
  completionProvider: { triggerCharacters: ['"', "."] },
  signatureHelpProvider: { triggerCharacters: ["(", ","] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
};

type FileFilter = NonNullable<FileOperationOptions["didRename"]>["filters"][number];

const sources: FileFilter = {
  scheme: "file",
  pattern: {
    glob: `**/*{${[...dialects.flatMap((dialect) => dialectEndings[dialect]), ".kernel.json"].join(",")}}`,
    matches: "file",
  },
};

/**
 * Renames that a spec may have to follow (a folder takes the specs in it along), which our own client asks
 * about itself; and those that sessions follow.
 */
export function fileOperations(isOwnClient: boolean): FileOperationOptions {
  const folders: FileFilter = { scheme: "file", pattern: { glob: "**", matches: "folder" } };
  const didRename = { filters: [sources, folders] };
  return isOwnClient ? { didRename } : { willRename: { filters: [sources] }, didRename };
}

/** Help with names: it reads texts and runs nothing, in folders that are not trusted as well. */
export function registerLanguageHelp(context: ServerContext): void {
  const { connection } = context;
  const mover = new SpecMover(context);
  connection.onCompletion(async ({ textDocument: { uri }, position }) => [
    ...(await specCompletion(context, uri, position)),
    ...nameCompletion(context, uri, position),
  ]);
  connection.workspace.onWillRenameFiles(({ files }) => mover.move(files));
  connection.workspace.onDidRenameFiles(({ files }) =>
    context.background("renamed files", sessionsFollow(context, files)),
  );
  connection.languages.semanticTokens.on(({ textDocument }) => ({
    data: [...(colours(context, textDocument.uri) ?? [])],
  }));
  connection.onSignatureHelp(({ textDocument, position }) =>
    signatureHelp(context, textDocument.uri, position),
  );
  connection.onDefinition(({ textDocument, position }) => definition(context, textDocument.uri, position));
  connection.onReferences(({ textDocument, position }) => references(context, textDocument.uri, position));
  connection.onPrepareRename(({ textDocument, position }) =>
    prepareRename(context, textDocument.uri, position),
  );
  connection.onRenameRequest(({ textDocument, position, newName }) =>
    rename(context, { uri: textDocument.uri, position, newName }),
  );
}
