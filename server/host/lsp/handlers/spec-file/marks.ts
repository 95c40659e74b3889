import { shown } from "../../handshake/user-language";
import { retold, t } from "../../../../core/base/localized";
import { type Diagnostic, DiagnosticSeverity, type InlayHint, type Range } from "vscode-languageserver";
import type { Provenance } from "../../../../core/workload/spec";
import type { SpecMark } from "../../../../core/workload/spec-text/marks";
import type { ServerContext } from "../../context";
import { firstLine, type SpecDocument, specDocument } from "./spec-document";

/** What each origin means, for the hover over its hint. */
const meanings: Readonly<Record<Provenance, string>> = {
  user: "You said so.",
  recorded: "A program showed it when it ran.",
  probed: "The kernel was run to find it.",
  inferred: "It follows from the source.",
  guessed: "Nothing shows it. A failure is this guess's before it is the kernel's.",
};

/** Facts of a spec that are guesses or worth a look, on their own lines. */
export const markDiagnostics = shown((document: SpecDocument): readonly Diagnostic[] => {
  return document.marks.filter(isOpen).map((mark): Diagnostic => ({
    severity: mark.origin === "guessed" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Information,
    range: document.rangeOf(firstLine(document, mark.entry)),
    message: messageOf(mark),
    code: mark.origin === "guessed" ? "guessed" : "unknown",
    source: t`kernel spec`,
  }));
});

/** Whether a fact waits for the user. */
export function isOpen({ origin, sentences }: SpecMark): boolean {
  return origin === "guessed" || sentences.length > 0;
}

function messageOf({ path, origin, sentences }: SpecMark): string {
  if (origin !== "guessed") return t`Not known: ${sentences.map(retold).join(" ")}`;
  const said =
    sentences.length === 0 ? t`${path} is a guess.` : t`A guess: ${sentences.map(retold).join(" ")}`;
  return t`${said} Correct it, or keep it.`;
}

/** Where each fact of a spec file comes from, behind it. Of other documents there are none. */
export const originHints = shown((context: ServerContext, uri: string, within: Range): InlayHint[] => {
  const open = context.documents.get(uri);
  const document = open && specDocument(open);
  if (document === undefined) return [];
  const [from, to] = [document.offsetOf(within.start), document.offsetOf(within.end)];
  return document.marks.flatMap(({ origin, value }): InlayHint[] => {
    const { end } = firstLine(document, value);
    if (origin === undefined || end < from || end > to) return [];
    const position = document.rangeOf({ start: end, end }).start;
    return [{ position, label: retold(origin), paddingLeft: true, tooltip: retold(meanings[origin]) }];
  });
});
