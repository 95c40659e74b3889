import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Diagnostic } from "vscode-languageserver";
import { defaultGpu } from "../../../core/timing/gpu-model";
import type { KernelCounters } from "../../../core/timing/counters";
import { describeVerdict, guessesBehind } from "../../../core/words/describe";
import type { Finding, Verdict } from "../../../core/judge/verdict";
import { formatTarget } from "../../../core/timing/target";
import type { KernelParams } from "../../../protocol/requests";
import type { FoundSpec } from "../../services/services";
import { type ServerContext, readTarget, requireTrust } from "../context";
import { findingDiagnostic, guessDiagnostic } from "../views/convert";
import { toFactsView } from "../views/convert-facts";
import { checkOf } from "../diagnostics";
import { uriOfPath } from "../uris";

export interface Judged {
  readonly verdict: Verdict;
  /** Of a kernel that ran to its end. */
  readonly counters: KernelCounters | undefined;
  /** What the spec says only by a guess, when it was inferred. */
  readonly unknowns: readonly string[];
  /** What was found about how to compile the kernel and is not used. */
  readonly notes: readonly string[];
}

/**
 * Checks a kernel as it is on disk, and lets the editor know what was learnt on the way: facts, counters and
 * findings.
 */
export async function judgeKernel(
  context: ServerContext,
  params: KernelParams,
  what: { readonly name: string; readonly signal: AbortSignal },
): Promise<Judged> {
  requireTrust(context.client, what.name);
  const target = readTarget(context.client);
  const { services, folder, file } = await context.workspaces.placeOf(params.uri);
  const text = await readFile(join(folder, ...file.split("/")), "utf8").catch(() => "");
  const { spec, verdict, counters, profile, notes } = await services.judge.check(
    { file, kernel: params.kernel },
    { target, signal: what.signal },
  );
  const document = context.documents.get(params.uri);
  if (
    document !== undefined &&
    (verdict.kind === "correct" || verdict.kind === "wrong") &&
    document.text === text
  )
    context.compiles.learn(document, verdict.facts, target.architecture);
  context.diagnostics.putAll(
    checkOf(params.uri, params.kernel),
    toldOf(context, params, { spec, verdict, folder, file }),
  );
  context.refreshLenses();
  const judged: Judged = { verdict, counters, unknowns: spec.unknowns, notes };
  if (counters === undefined) return judged;
  const sizes = verdict.kind === "correct" ? verdict.evidence.sizes : {};
  const compiled = verdict.kind === "correct" ? verdict.facts : [];
  const named =
    document?.text === text ? document.findKernels().find(({ name }) => name === params.kernel) : undefined;
  const whole = profile && {
    profile,
    gpu: defaultGpu(target.architecture),
    line: named && named.nameRange.start.line + 1,
  };
  const facts = toFactsView({
    uri: params.uri,
    file,
    text,
    counters,
    facts: compiled,
    ...(whole ? { whole } : {}),
    target: formatTarget(target),
    sizes,
  });
  context.lineCounters.set(params.uri, {
    digest: facts.textDigest,
    lines: counters.lines.filter((line) => line.file === file),
  });
  context.background("facts", context.connection.sendNotification("kernelwright/facts", facts));
  return judged;
}

interface JudgedPlace {
  readonly spec: FoundSpec;
  readonly verdict: Verdict;
  readonly folder: string;
  readonly file: string;
}

/** Diagnostics of a check by document: its findings, or the guesses that come before them. */
function toldOf(
  context: ServerContext,
  { uri, kernel }: KernelParams,
  { spec, verdict, folder, file }: JudgedPlace,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const kernels = context.documents.get(uri)?.findKernels();
  const nameLine = kernels?.find(({ name }) => name === kernel)?.nameRange.start.line;
  const told = guessOf(spec, verdict, nameLine);
  if (told !== undefined) return new Map([[uri, [told]]]);
  return diagnosticsOf(
    findingsOf(verdict),
    (path) => (path === file ? uri : uriOfPath(resolve(folder, path))),
    assumptionOf(spec),
  );
}

/** What to say at the kernel's name instead of its findings, when it failed under a guess. */
function guessOf(
  { spec, unknowns }: FoundSpec,
  verdict: Verdict,
  nameLine: number | undefined,
): Diagnostic | undefined {
  const guesses = guessesBehind(verdict, spec, unknowns);
  return guesses.length === 0
    ? undefined
    : guessDiagnostic((nameLine ?? 0) + 1, describeVerdict(verdict), guesses);
}

/** What a check without a kernel spec took for granted, in words; undefined when the user wrote the spec. */
export function assumptionOf({ inferred, spec }: Pick<FoundSpec, "inferred" | "spec">): string | undefined {
  if (!inferred) return undefined;
  const launch = spec.run.kind === "launch" ? spec.run.launch : undefined;
  const [grid, block] = [launch?.grid, launch?.block];
  return grid === undefined || block === undefined
    ? "assumed shapes"
    : `an assumed launch of grid ${grid.join(" × ")}, block ${block.join(" × ")}`;
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
    ? verdict.cases.flatMap((checked) => checked.findings)
    : [];
}
