import type { FileOperationOptions, ServerCapabilities } from "vscode-languageserver";
import { dialectEndings, dialects } from "../../../../core/workload/spec";
import type { ServerContext } from "../../context";
import { specCompletion } from "../spec-file/completion";
import { SpecMover } from "../spec-file/move-specs";
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

/** Renames that a spec may have to follow; a folder takes the specs in it along. */
export const fileOperations: FileOperationOptions = {
  willRename: {
    filters: [
      {
        scheme: "file",
        pattern: {
          glob: `**/*{${[...dialects.flatMap((dialect) => dialectEndings[dialect]), ".kernel.json"].join(",")}}`,
          matches: "file",
        },
      },
    ],
  },
};

/** Help with names: it reads texts and runs nothing, in folders that are not trusted as well. */
export function registerLanguageHelp(context: ServerContext): void {
  const { connection } = context;
  const mover = new SpecMover(context);
  connection.onCompletion(async ({ textDocument: { uri }, position }) => [
    ...(await specCompletion(context, uri, position)),
    ...nameCompletion(context, uri, position),
  ]);
  connection.workspace.onWillRenameFiles(({ files }) => mover.move(files));
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
