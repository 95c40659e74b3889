import type { Position, Range, TextEdit, WorkspaceEdit } from "vscode-languageserver";
import { LSPErrorCodes, ResponseError } from "vscode-languageserver";
import type { ServerContext } from "../../context";
import { toRange } from "../../views/convert";
import { identifierAt, placesOf } from "./navigation";
import { specEdits } from "./spec-names";

/** The name that a rename would change: a kernel's. Other names are left to the extension of the language. */
export async function prepareRename(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<{ range: Range; placeholder: string } | null> {
  const found = identifierAt(context, uri, position);
  const document = context.documents.get(uri);
  if (found === undefined || document === undefined) return null;
  if ((await placesOf(context, uri, found.name)) === undefined) return null;
  const range = { start: document.positionAt(found.start), end: document.positionAt(found.end) };
  return { range, placeholder: found.name };
}

/** Renames a kernel: definition, prototypes, launches, imports, and the specs that name it. */
export async function rename(
  context: ServerContext,
  { uri, position, newName }: { readonly uri: string; readonly position: Position; readonly newName: string },
): Promise<WorkspaceEdit | null> {
  if (!/^[A-Za-z_]\w*$/.test(newName))
    throw new ResponseError(
      LSPErrorCodes.RequestFailed,
      `“${newName}” is no name of a kernel: letters, digits and _ are allowed.`,
    );
  const name = identifierAt(context, uri, position)?.name;
  const places = name === undefined ? undefined : await placesOf(context, uri, name);
  if (name === undefined || places === undefined) return null;
  const changes: Record<string, TextEdit[]> = {};
  for (const place of places) {
    changes[place.uri] = place.ranges.map((range) => ({ range: toRange(range), newText: newName }));
    Object.assign(changes, await specEdits(context, place.uri, { name, newName }));
  }
  return { changes };
}
