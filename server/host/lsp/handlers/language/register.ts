import type { ServerCapabilities } from "vscode-languageserver";
import type { ServerContext } from "../../context";
import { specCompletion } from "../spec-file/completion";
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

/** Help with names: it reads texts and runs nothing, in folders that are not trusted as well. */
export function registerLanguageHelp(context: ServerContext): void {
  const { connection } = context;
  connection.onCompletion(async ({ textDocument: { uri }, position }) => [
    ...(await specCompletion(context, uri, position)),
    ...nameCompletion(context, uri, position),
  ]);
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
