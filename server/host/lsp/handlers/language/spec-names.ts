import type { TextEdit } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { kernelNameSpan } from "../../../../core/workload/spec-text/kernel-names";
import { OperationalError } from "../../../../core/base/operational-error";
import type { ServerContext } from "../../context";

/** What a rename changes in the spec of a kernel, by its URI; nothing where the kernel has none. */
export async function specEdits(
  context: ServerContext,
  uri: string,
  { name, newName }: { readonly name: string; readonly newName: string },
): Promise<Readonly<Record<string, TextEdit[]>>> {
  const { services, folder, file } = await context.workspaces.placeOf(uri);
  const found = await services.specs.stored({ file, kernel: name }).catch(ofBrokenSpec);
  if (found === undefined) return {};
  const specUri = context.workspaces.uriOf(folder, found.specPath);
  const text = context.documents.get(specUri)?.text ?? found.text;
  const lines = TextDocument.create(specUri, "jsonc", 0, text);
  const span = kernelNameSpan(text, name);
  if (span === undefined) return {};
  const range = { start: lines.positionAt(span.start), end: lines.positionAt(span.end) };
  return { [specUri]: [{ range, newText: newName }] };
}

/** A spec that cannot be read has its own diagnostics and stands in nobody's way. */
function ofBrokenSpec(thrown: unknown): undefined {
  if (thrown instanceof OperationalError) return undefined;
  throw thrown;
}
