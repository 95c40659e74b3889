import { show } from "../../handshake/user-language";
import { retold } from "../../../../core/base/localized";
import { type CompletionItem, CompletionItemKind, type Position } from "vscode-languageserver";
import { specCompletions } from "../../../../core/workload/spec-text/completions";
import type { ServerContext } from "../../context";
import { pythonFunctions } from "./python-functions";
import { specDocument } from "./spec-document";

/** Names that may stand at a place of a spec file. Of other documents there are none. */
export async function specCompletion(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<CompletionItem[]> {
  const open = context.documents.get(uri);
  const document = open && specDocument(open);
  if (document === undefined) return [];
  const functions = await pythonFunctions(document.folder);
  return specCompletions(document.text, document.offsetOf(position), functions).map(
    ({ label, detail, span, text }) => ({
      label,
      detail: show(() => retold(detail)),
      kind: text.endsWith("(") ? CompletionItemKind.Function : CompletionItemKind.Value,
      filterText: text,
      textEdit: { range: document.rangeOf(span), newText: text },
    }),
  );
}
