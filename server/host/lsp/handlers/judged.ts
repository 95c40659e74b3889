import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultGpu } from "../../../core/timing/gpu-model";
import type { KernelCounters } from "../../../core/timing/counters";
import { guessesBehind } from "../../../core/words/describe";
import type { Verdict } from "../../../core/judge/verdict";
import { nextStep } from "../../../core/words/next-step";
import { formatTarget } from "../../../core/timing/target";
import type { KernelParams } from "../../../protocol/requests";
import { type ServerContext, readTarget, requireTrust } from "../context";
import { toFactsView } from "../views/convert-facts";
import { checkOf } from "../diagnostics";
import { toldOf } from "./check-diagnostics";

export interface Judged {
  readonly verdict: Verdict;
  /** Of a kernel that ran to its end. */
  readonly counters: KernelCounters | undefined;
  /** What the spec says only by a guess, when it was inferred. */
  readonly unknowns: readonly string[];
  /** What was found about how to compile the kernel and is not used. */
  readonly notes: readonly string[];
  /** The guesses behind a failure. */
  readonly guesses: readonly string[];
  /** The one thing to do about a failure; undefined for a correct kernel. */
  readonly step: string | undefined;
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
  const guesses = guessesBehind(verdict, spec.spec, spec.unknowns);
  context.diagnostics.putAll(
    checkOf(params.uri, params.kernel),
    toldOf(context, params, { spec, verdict, guesses, folder, file }),
  );
  context.refreshLenses();
  const step =
    guesses.length > 0
      ? `Set up ${params.kernel} and correct what was guessed.`
      : nextStep(verdict, spec.spec.reference);
  const judged: Judged = { verdict, counters, unknowns: spec.unknowns, notes, guesses, step };
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
