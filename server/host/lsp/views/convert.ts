import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import {
  DiagnosticSeverity,
  SymbolKind,
  type Diagnostic as LspDiagnostic,
  type DocumentSymbol,
  type Range,
} from "vscode-languageserver";
import { ownWords } from "../../../core/words/describe";
import { describeRefuted } from "../../../core/words/proofs";
import type { TextRange } from "../../../core/base/text";
import type { SpecProblem } from "../../../core/workload/spec-parse";
import type { Diagnostic, Finding, FindingParty } from "../../../core/judge/verdict";
import type { ProofAnswer } from "../../../core/judge/proof";
import type { KernelFacts, SourceSymbol } from "../../../core/language/facts";
import type { KernelView } from "../../../protocol/views";

export function toRange(range: TextRange): Range {
  return { start: { ...range.start }, end: { ...range.end } };
}

/** The line of a compiler's message, from its column on where there is one. */
export function lineRange(line: number, column: number): Range {
  const at = Math.max(0, line - 1);
  return {
    start: { line: at, character: Math.max(0, column - 1) },
    end: { line: at, character: 10_000 },
  };
}

const severities: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

export const toDiagnostic = shown((diagnostic: Diagnostic): LspDiagnostic => {
  return {
    severity: severities[diagnostic.severity],
    range: lineRange(diagnostic.line, diagnostic.column),
    message: ownWords(diagnostic),
    source: retold(diagnostic.source),
  };
});

/**
 * A finding of a run: what a correct kernel never does. The other party of a race stands beside it; `uriOf`
 * names a file of the workspace. With an `assumption` the run itself may be at fault, so the finding is a
 * warning that names it first.
 */
export const findingDiagnostic = shown(
  (finding: Finding, uriOf: (file: string) => string, assumption?: string): LspDiagnostic => {
    const { kind, line, other } = finding;
    const message = retold(finding.message);
    const diagnostic: LspDiagnostic = {
      severity: assumption === undefined ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      range: lineRange(line, 1),
      message:
        assumption === undefined
          ? message
          : t`with ${assumption}: ${message}; set up the kernel to say how it is launched`,
      code: kind,
      source: t`virtual GPU`,
    };
    if (other === undefined || other.file === "" || other.line === 0) return diagnostic;
    return {
      ...diagnostic,
      relatedInformation: [
        {
          location: { uri: uriOf(other.file), range: lineRange(other.line, 1) },
          message: partyText(other),
        },
      ],
    };
  },
);

/**
 * Something that a launch at sizes that no case has refutes: information, since the verdict is none the
 * worse.
 */
export const refutedDiagnostic = shown((answer: ProofAnswer, assumption?: string): LspDiagnostic => {
  const assumed = assumption === undefined ? "" : t`with ${assumption}: `;
  return {
    severity: DiagnosticSeverity.Information,
    range: lineRange(answer.line ?? 1, 1),
    message: t`${assumed}refuted for all sizes: ${describeRefuted(answer)}`,
    code: `refuted-${answer.question}`,
    source: t`virtual GPU`,
  };
});

/** Of the diagnostic of a check that rests on guesses. */
export const guessCode = "guessed-workload";

/**
 * What a check that rests on guesses has to say: information at the kernel's own line, since the guess comes
 * before any fault of the user's code. `line`: one-based.
 */
export const guessDiagnostic = shown(
  (line: number, verdict: string, guesses: readonly string[]): LspDiagnostic => {
    return {
      severity: DiagnosticSeverity.Information,
      range: lineRange(line, 1),
      message: t`Not known how this kernel is launched. With what was guessed it is: ${verdict}.\nGuessed: ${guesses.map(retold).join(" ")}\nSet up the kernel and correct what was guessed.`,
      code: guessCode,
      source: "kernelwright",
    };
  },
);

/** `the other write, by thread (0,0,0) of block (0,0,0)`. */
function partyText({ access, thread, block }: FindingParty): string {
  const who =
    thread === undefined
      ? ""
      : t`thread (${thread.join(",")})${block === undefined ? "" : t` of block (${block.join(",")})`}`;
  return t`the other ${retold(access)}${who === "" ? "" : t`, by ${who}`}`;
}

export const problemDiagnostic = shown((problem: SpecProblem): LspDiagnostic => {
  return {
    severity: DiagnosticSeverity.Error,
    range: lineRange(problem.line, problem.column),
    message: retold(problem.message),
    source: t`kernel spec`,
  };
});

const symbolKinds: Readonly<Record<SourceSymbol["kind"], SymbolKind>> = {
  kernel: SymbolKind.Event,
  function: SymbolKind.Function,
  constant: SymbolKind.Constant,
  type: SymbolKind.Struct,
  namespace: SymbolKind.Namespace,
};

/** The outline: symbols inside of others become their children. */
export const toDocumentSymbols = shown((symbols: readonly SourceSymbol[]): DocumentSymbol[] => {
  const top: DocumentSymbol[] = [];
  const open: DocumentSymbol[] = [];
  for (const symbol of symbols) {
    const converted: DocumentSymbol = {
      name: symbol.name,
      detail: symbol.detail,
      kind: symbolKinds[symbol.kind],
      range: toRange(symbol.range),
      selectionRange: toRange(symbol.nameRange),
      children: [],
    };
    while (open.length > 0 && !contains(open.at(-1)?.range, converted.range)) open.pop();
    (open.at(-1)?.children ?? top).push(converted);
    open.push(converted);
  }
  return top;
});

function contains(outer: Range | undefined, inner: Range): boolean {
  if (outer === undefined) return false;
  const after =
    inner.start.line > outer.start.line ||
    (inner.start.line === outer.start.line && inner.start.character >= outer.start.character);
  const before =
    inner.end.line < outer.end.line ||
    (inner.end.line === outer.end.line && inner.end.character <= outer.end.character);
  return after && before;
}

export function toKernelView(
  uri: string,
  kernel: Pick<KernelFacts, "name" | "dialect" | "nameRange">,
  specUri: string | null | undefined,
): KernelView {
  return {
    uri,
    name: kernel.name,
    dialect: kernel.dialect,
    line: kernel.nameRange.start.line,
    ...(specUri ? { specUri } : {}),
  };
}
