import { retold, t } from "../../../../core/base/localized";
import { shown } from "../../handshake/user-language";
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Range,
  type TextEdit,
} from "vscode-languageserver";
import { entryOfFinding, type LintEntry, type LintFinding, lintMessage } from "../../../../core/lint/lint";
import { runLints } from "../../../../core/lint/run-lints";
import type { ServerContext } from "../../context";
import type { OpenDocument } from "../../documents";
import { toRange } from "../../views/convert";

const severities: Readonly<Record<LintEntry["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Shows the classic mistakes of a document, found in its text alone. */
export function showLints(context: ServerContext, document: OpenDocument): void {
  context.diagnostics.put(document.uri, "lint", findingsOf(context, document).map(toLintDiagnostic));
}

function findingsOf({ client }: ServerContext, document: OpenDocument): readonly LintFinding[] {
  const source = client.settings.lint ? document.parsed() : undefined;
  return source === undefined ? [] : runLints(source, document.memory);
}

const toLintDiagnostic = shown((finding: LintFinding): Diagnostic => {
  return {
    severity: severities[entryOfFinding(finding).severity],
    range: toRange(finding.range),
    message: retold(lintMessage(finding)),
    code: finding.id,
    source: "kernelwright",
  };
});

/** Mends what lints have found in a range, or allows it by a comment. */
export const lintActions = shown(
  (context: ServerContext, uri: string, range: Range): readonly CodeAction[] => {
    const document = context.documents.get(uri);
    if (document === undefined) return [];
    const found = findingsOf(context, document).filter(
      ({ range: { start, end } }) => start.line <= range.end.line && range.start.line <= end.line,
    );
    return found.flatMap((finding) => [...fixOf(uri, finding), allowance(document, finding)]);
  },
);

function fixOf(uri: string, finding: LintFinding): readonly CodeAction[] {
  const { fix } = finding;
  if (fix === undefined) return [];
  const edits = fix.edits.map(({ range, text }) => ({ range: toRange(range), newText: text }));
  return [{ ...actionOf(uri, finding, edits), title: retold(fix.title), isPreferred: true }];
}

function allowance(document: OpenDocument, finding: LintFinding): CodeAction {
  const { start } = finding.range;
  const line = document.text.split("\n")[start.line] ?? "";
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const comment = document.dialect === "triton" ? "#" : "//";
  const at = { line: start.line, character: 0 };
  const edit = {
    range: { start: at, end: at },
    newText: `${indent}${comment} kernelwright-ignore: ${finding.id}\n`,
  };
  return { ...actionOf(document.uri, finding, [edit]), title: t`Allow ${finding.id} here` };
}

function actionOf(
  uri: string,
  finding: LintFinding,
  edits: TextEdit[],
): Pick<CodeAction, "kind" | "diagnostics" | "edit" | "title"> {
  return {
    title: "",
    kind: CodeActionKind.QuickFix,
    diagnostics: [toLintDiagnostic(finding)],
    edit: { changes: { [uri]: edits } },
  };
}
