import { shown } from "../../handshake/user-language";
import { retold } from "../../../../core/base/localized";
import { type CodeAction, CodeActionKind, type Range } from "vscode-languageserver";
import { misspeltNames } from "../../../../core/workload/spec-text/misspelt";
import { keepAll, mendsOf, type SpecMend } from "../../../../core/workload/spec-text/mends";
import type { ServerContext } from "../../context";
import { isOpen, markDiagnostics } from "./marks";
import { pythonFunctions } from "./python-functions";
import { firstLine, type SpecDocument, specDocument } from "./spec-document";

/** What can be done about misspelt names and the open facts of a spec file in a range. */
export async function specActions(context: ServerContext, uri: string, range: Range): Promise<CodeAction[]> {
  const open = context.documents.get(uri);
  const document = open && specDocument(open);
  if (document === undefined) return [];
  const [from, to] = [document.offsetOf(range.start), document.offsetOf(range.end)];
  const ofNames = misspeltNames(document.text)
    .filter((name) => {
      const { line } = document.rangeOf(name).start;
      return range.start.line <= line && line <= range.end.line;
    })
    .map(({ mend }) => ({ ...actionOf(document, mend), isPreferred: true }));
  const marks = document.marks.filter((mark) => {
    const { start, end } = firstLine(document, mark.entry);
    return isOpen(mark) && start <= to && from <= end;
  });
  if (marks.length === 0) return ofNames;
  const functions = marks.some(({ path }) => path === "reference")
    ? await pythonFunctions(document.folder)
    : [];
  const outputs = Object.keys(document.spec?.outputs ?? {});
  const told = markDiagnostics(document);
  const ofMarks = marks.flatMap((mark) => {
    const at = document.rangeOf(firstLine(document, mark.entry));
    const own = told.filter((each) => JSON.stringify(each.range) === JSON.stringify(at));
    return mendsOf(document.text, mark, { outputs, functions }).map((mend) => ({
      ...actionOf(document, mend),
      diagnostics: own,
    }));
  });
  const all = keepAll(document.text);
  return [...ofNames, ...ofMarks, ...(all ? [actionOf(document, all)] : [])];
}

const actionOf = shown((document: SpecDocument, { title, changes }: SpecMend): CodeAction => {
  const edits = changes.map(({ offset, length, text }) => ({
    range: document.rangeOf({ start: offset, end: offset + length }),
    newText: text,
  }));
  return {
    title: retold(title),
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [document.uri]: edits } },
  };
});
