import type { FileRename, WorkspaceEdit } from "vscode-languageserver";
import { TextDocument, type TextEdit } from "vscode-languageserver-textdocument";
import type { FileMove, SpecChange } from "../../../services/sources/spec-moves";
import type { ServerContext } from "../../context";
import { pathBelow, pathOfUri } from "../../uris";
import type { Handler } from "../handler";

type Changes = NonNullable<WorkspaceEdit["documentChanges"]>;

/** For our own client, which writes the files itself: one undo takes all of it back then. */
export const moveSpecs: Handler<"kernelwright/moveSpecs"> = async (context, { files }) => {
  const changes = await changesFor(context, files);
  return changes.map(({ uri, to, lines, edits }) => ({
    uri,
    to,
    text: TextDocument.applyEdits(lines, [...edits]),
  }));
};

/** For other editors, which ask about each rename that an answer holds as well. */
export class SpecMover {
  private readonly answered = new Set<string>();

  constructor(private readonly context: ServerContext) {}

  /** What specs have to say once files have other names: one edit, which the editor joins with the rename. */
  async move(files: readonly FileRename[]): Promise<WorkspaceEdit | null> {
    const asked = files.filter((file) => !this.answered.delete(keyOf(file)));
    const documentChanges: Changes = [];
    for (const { uri, to, edits } of await changesFor(this.context, asked)) {
      if (to !== uri) {
        documentChanges.push({ kind: "rename", oldUri: uri, newUri: to });
        this.answered.add(keyOf({ oldUri: uri, newUri: to }));
      }
      if (edits.length > 0)
        documentChanges.push({ textDocument: { uri: to, version: null }, edits: [...edits] });
    }
    return documentChanges.length === 0 ? null : { documentChanges };
  }
}

function keyOf({ oldUri, newUri }: FileRename): string {
  return JSON.stringify([oldUri, newUri]);
}

/** A spec as an editor names it, and what changes in it. */
interface PlacedChange {
  readonly uri: string;
  readonly to: string;
  readonly lines: TextDocument;
  readonly edits: readonly TextEdit[];
}

/** Sessions on the kernels of files that have other names now go with them. */
export async function sessionsFollow(context: ServerContext, files: readonly FileRename[]): Promise<void> {
  let followed = 0;
  for (const [folder, moves] of movesByFolder(context, files)) {
    const { sessions } = await context.workspaces.servicesOf(folder);
    followed += await sessions.follow(moves);
  }
  if (followed === 0 || !context.client.ownClient) return;
  await context.connection.sendNotification("kernelwright/sessionsMoved", {});
  await context.connection.sendNotification("kernelwright/kernelsChanged", {});
}

/** What leaves its folder of the workspace leaves its specs and sessions behind. */
function movesByFolder(
  { workspaces }: ServerContext,
  files: readonly FileRename[],
): ReadonlyMap<string, readonly FileMove[]> {
  const byFolder = new Map<string, FileMove[]>();
  for (const { oldUri, newUri } of files) {
    const place = workspaces.locate(oldUri);
    const target = pathOfUri(newUri);
    const to = place && target && pathBelow(place.folder, target);
    if (place && to)
      byFolder.set(place.folder, [...(byFolder.get(place.folder) ?? []), { from: place.file, to }]);
  }
  return byFolder;
}

async function changesFor(
  context: ServerContext,
  files: readonly FileRename[],
): Promise<readonly PlacedChange[]> {
  const changes: PlacedChange[] = [];
  for (const [folder, moves] of movesByFolder(context, files)) {
    const { specs } = await context.workspaces.servicesOf(folder);
    const uriOf = (path: string): string => context.workspaces.uriOf(folder, path);
    const unsaved = (path: string): string | undefined => context.documents.get(uriOf(path))?.text;
    for (const change of await specs.follow(moves, unsaved)) changes.push(placed(change, uriOf));
  }
  return changes;
}

function placed({ specPath, to, text, edits }: SpecChange, uriOf: (path: string) => string): PlacedChange {
  const uri = uriOf(specPath);
  const lines = TextDocument.create(uri, "jsonc", 0, text);
  const textEdits = edits.map(({ span, text: newText }) => ({
    range: { start: lines.positionAt(span.start), end: lines.positionAt(span.end) },
    newText,
  }));
  return { uri, to: uriOf(to), lines, edits: textEdits };
}
