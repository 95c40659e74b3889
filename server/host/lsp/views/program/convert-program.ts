import { retold } from "../../../../core/base/localized";
import { shown } from "../../handshake/user-language";
import { t } from "../../../../core/base/localized";
import { resolve } from "node:path";
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver";
import { oneLine } from "../../../../core/base/text";
import type { ProgramResult, ProgramTrouble } from "../../../../core/ports/program-runner";
import { compilerMessages } from "./compiler-messages";
import { defaultGpu } from "../../../../core/timing/gpu-model";
import { summarizeProfile } from "../../../../core/words/profile";
import { summaryRows } from "../../../../core/words/profile-text";
import { plural } from "../../../../core/words/quantities";
import type { ProgramMode } from "../../../../protocol/views";
import { uriOfPath } from "../../uris";
import { lineRange } from "../convert";

type Ran = Extract<ProgramResult, { kind: "ran" }>;

/** How a program ended and what was found, in one line. */
export const runSummary = shown((program: string, result: ProgramResult, mode: ProgramMode): string => {
  if (result.kind === "did-not-compile") return t`${program} does not compile.`;
  const { code, signal, launches, findings, problems } = result;
  const found = [...findings, ...problems];
  const told = [
    t`${program} ended with ${signal ?? code} after ${plural(launches, "launch", "es")}`,
    ...(mode === "sanitize" || found.length > 0 ? [plural(found.length, "finding")] : []),
  ];
  return `${told.join(" · ")}.`;
});

/** What stands below the program's own output, line by line. */
export const runReport = shown(
  (
    program: string,
    result: ProgramResult,
    { mode, architecture }: { readonly mode: ProgramMode; readonly architecture: string },
  ): readonly string[] => {
    if (result.kind === "did-not-compile") return result.text.trimEnd().split(/\r?\n/);
    const { findings, problems, timed } = result;
    return [
      ...[...problems, ...findings].map(troubleLine),
      ...(problems.some(({ kind }) => kind === "limited")
        ? [
            t`Launches were skipped at the repeat limit: what the program says of its results, passed or failed, does not count.`,
          ]
        : []),
      ...(timed && mode !== "profile"
        ? [t`The program's times are the virtual GPU's own, not a GPU's; Profile models them.`]
        : []),
      ...(mode === "profile" ? profileLines(result, architecture) : []),
      runSummary(program, result, mode),
    ];
  },
);

function profileLines({ kernels }: Ran, architecture: string): readonly string[] {
  if (kernels.length === 0) return [];
  const gpu = defaultGpu(architecture);
  const ofKernels = kernels.flatMap((profile) => [
    `${profile.kernel}:`,
    ...summaryRows(summarizeProfile(profile, gpu), profile).map(([label, text]) => `  ${label}: ${text}`),
  ]);
  return [
    ...ofKernels,
    t`Counted by the virtual GPU; cost, bound and caches are modelled, not measured. The lines have their shares.`,
  ];
}

/** `FILE:LINE: message`, which a terminal makes a link. */
function troubleLine({ file, line, message }: ProgramTrouble): string {
  return oneLine(`${file === "" ? "" : `${file}:${line}: `}${retold(message)}`);
}

/** What was found, by document, with a link to each place that has part in it. */
export const troubleDiagnostics = shown(
  ({ findings, problems }: Ran, folder: string): ReadonlyMap<string, readonly Diagnostic[]> => {
    const uriOf = (file: string): string => uriOfPath(resolve(folder, file));
    const byDocument = new Map<string, Diagnostic[]>();
    for (const { file, line, kind, message, related } of [...problems, ...findings]) {
      if (file === "") continue;
      const diagnostic: Diagnostic = {
        severity: kind === "limited" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error,
        range: lineRange(line, 1),
        message: retold(message),
        code: kind,
        source: t`virtual GPU`,
        relatedInformation: related.map((place) => ({
          location: { uri: uriOf(place.file), range: lineRange(place.line, 1) },
          message: relatedText(place.what),
        })),
      };
      byDocument.set(uriOf(file), [...(byDocument.get(uriOf(file)) ?? []), diagnostic]);
    }
    return byDocument;
  },
);

/** What stands at another place of a finding: what happened there, or the other access of a race. */
function relatedText(what: string): string {
  return /^other\b/.test(what) ? t`the ${retold(what)}` : t`${retold(what)} here`;
}

/** Lines of a compiler's output that has no places; the terminal has all of it. */
const shownLines = 5;

/**
 * What the compiler or the linker said of a program, by document. `uri`: the program's own, which is told
 * what has no place.
 */
export const compileDiagnostics = shown(
  (
    said: string,
    { folder, uri }: { readonly folder: string; readonly uri: string },
  ): ReadonlyMap<string, readonly Diagnostic[]> => {
    const placed = compilerMessages(said);
    if (placed.length === 0) {
      const lines = said.split(/\r?\n/).filter((line) => line.trim() !== "");
      return new Map([[uri, [compilerDiagnostic(1, 1, lines.slice(0, shownLines).join("\n"))]]]);
    }
    const byDocument = new Map<string, Diagnostic[]>();
    for (const { file, line, column, message } of placed) {
      const document = uriOfPath(resolve(folder, file));
      const known = byDocument.get(document) ?? [];
      byDocument.set(document, [...known, compilerDiagnostic(line, column, message)]);
    }
    return byDocument;
  },
);

function compilerDiagnostic(line: number, column: number, message: string): Diagnostic {
  return {
    severity: DiagnosticSeverity.Error,
    range: lineRange(line, column),
    message,
    source: "nvcc",
  };
}
