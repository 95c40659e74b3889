import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import { resolve } from "node:path";
import type { Diagnostic } from "vscode-languageserver";
import type { Finding, Verdict } from "../../../core/judge/verdict";
import { describeVerdict, wrongValue } from "../../../core/words/describe";
import type { KernelParams } from "../../../protocol/requests";
import type { FoundSpec } from "../../services/services";
import type { ServerContext } from "../context";
import { uriOfPath } from "../uris";
import { findingDiagnostic, guessDiagnostic, refutedDiagnostic } from "../views/convert";

/** A verdict, the guesses behind it, and the file that it is about. */
interface JudgedPlace {
  readonly spec: FoundSpec;
  readonly verdict: Verdict;
  readonly guesses: readonly string[];
  readonly folder: string;
  readonly file: string;
}

/** Diagnostics of a check by document: its findings, or the guesses that come before them. */
export const toldOf = shown(
  (
    context: ServerContext,
    { uri, kernel }: KernelParams,
    { spec, verdict, guesses, folder, file }: JudgedPlace,
  ): ReadonlyMap<string, readonly Diagnostic[]> => {
    const kernels = context.documents.get(uri)?.findKernels();
    const nameLine = kernels?.find(({ name }) => name === kernel)?.nameRange.start.line;
    // The guesses come before its findings.
    if (guesses.length > 0)
      return new Map([[uri, [guessDiagnostic((nameLine ?? 0) + 1, describeVerdict(verdict), guesses)]]]);
    const uriOf = (path: string): string => (path === file ? uri : uriOfPath(resolve(folder, path)));
    const assumption = assumptionOf(spec);
    const told = diagnosticsOf(findingsOf(verdict), uriOf, assumption);
    return withRefuted(told, verdict, uriOf, assumption);
  },
);

/** Beside the findings of a correct kernel what is refuted for sizes that no case has, at its line. */
function withRefuted(
  told: ReadonlyMap<string, readonly Diagnostic[]>,
  verdict: Verdict,
  uriOf: (file: string) => string,
  assumption: string | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  if (verdict.kind !== "correct") return told;
  const all = new Map(told);
  for (const answer of (verdict.proofs ?? []).flatMap(({ answers }) => answers)) {
    if (answer.outcome !== "refuted" || answer.file === undefined) continue;
    const uri = uriOf(answer.file);
    all.set(uri, [...(all.get(uri) ?? []), refutedDiagnostic(answer, assumption)]);
  }
  return all;
}

/** What a check without a kernel spec took for granted, in words; undefined when the user wrote the spec. */
export function assumptionOf({ inferred, spec }: Pick<FoundSpec, "inferred" | "spec">): string | undefined {
  // What a program was seen to do is no assumption.
  if (!inferred || spec.program !== undefined) return undefined;
  const launch = spec.run.kind === "launch" ? spec.run.launch : undefined;
  const [grid, block] = [launch?.grid, launch?.block];
  return grid === undefined || block === undefined
    ? t`assumed shapes`
    : t`an assumed launch of grid ${grid.join(" × ")}, block ${block.join(" × ")}`;
}

/** Findings by document, each cause once although several shapes show it. */
function diagnosticsOf(
  findings: readonly Finding[],
  uriOf: (file: string) => string,
  assumption: string | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const causes = new Map<string, Finding>();
  for (const finding of findings) {
    const cause = JSON.stringify([
      finding.kind,
      finding.file,
      finding.line,
      finding.other?.file,
      finding.other?.line,
      finding.line === 0 ? finding.message : "",
    ]);
    if (finding.file !== "" && !causes.has(cause)) causes.set(cause, finding);
  }
  const byDocument = new Map<string, Diagnostic[]>();
  for (const finding of causes.values()) {
    const uri = uriOf(finding.file);
    byDocument.set(uri, [...(byDocument.get(uri) ?? []), findingDiagnostic(finding, uriOf, assumption)]);
  }
  return byDocument;
}

function findingsOf(verdict: Verdict): readonly Finding[] {
  if (verdict.kind === "did-not-run") return verdict.findings;
  return verdict.kind === "correct" || verdict.kind === "wrong"
    ? verdict.cases.flatMap((checked) => [...checked.findings, ...wrongValue(checked)])
    : [];
}
