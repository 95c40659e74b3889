import { retold, show, t } from "../handshake/user-language";
import type { KernelCounters } from "../../../core/timing/counters";
import { describeUnder, guessesBehind, shownShape } from "../../../core/words/describe";
import type { Verdict } from "../../../core/judge/verdict";
import { nextStep } from "../../../core/words/next-step";
import type { KernelParams } from "../../../protocol/requests";
import { type ServerContext, readTarget, requireTrust } from "../context";
import { tellFacts } from "./tell-facts";
import { digestOf } from "../documents";
import { textOnDisk } from "../uris";
import { checkOf } from "../diagnostics";
import { toldOf } from "./check-diagnostics";

interface Judged {
  readonly verdict: Verdict;
  /** Of a kernel that ran to its end. */
  readonly counters: KernelCounters | undefined;
  /** What the spec says only by a guess, when it was inferred. */
  readonly unknowns: readonly string[];
  /** What was found about how to compile the kernel and is not used. */
  readonly notes: readonly string[];
  /** The guesses behind a failure. */
  readonly guesses: readonly string[];
  /** The one thing to do about a failure; for a correct kernel what its figures do not compare with. */
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
  const target = readTarget(context, params.uri);
  const { services, folder, file } = await context.workspaces.placeOf(params.uri);
  const text = (await textOnDisk(context.workspaces.uriOf(folder, file))) ?? "";
  const { spec, verdict, counters, profile, rewrites, notes } = await services.judge.check(
    { file, kernel: params.kernel },
    {
      target,
      signal: what.signal,
      onCase: ({ number, of, shape }) => {
        const name = show(() => shownShape(shape));
        const told = { ...params, number, of, shape: name };
        context.background("progress", context.connection.sendNotification("kernelwright/caseBegun", told));
      },
    },
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
  context.kernels.verdicts.put(params, {
    verdict,
    isGuess: guesses.length > 0,
    digest: digestOf(text),
  });
  const step =
    guesses.length > 0
      ? t`Set up ${params.kernel} and correct what was guessed.`
      : (nextStep(verdict, spec.spec.reference) ?? spec.remark);
  const judged: Judged = { verdict, counters, unknowns: spec.unknowns, notes, guesses, step };
  if (counters === undefined) return judged;
  tellFacts(context, params, { verdict, counters, profile, rewrites, target, file, text });
  return judged;
}

/** Address of a source of the kernel in `uri`, by its path in the folder. */
export function uriOfSource({ workspaces }: ServerContext, uri: string, path: string): string {
  const place = workspaces.locate(uri);
  return place === undefined || path === place.file ? uri : workspaces.uriOf(place.folder, path);
}

/** What was found, in a sentence; what it rests on is named before the kernel is blamed. */
export function describeJudged(
  { kernel }: Pick<KernelParams, "kernel">,
  { verdict, guesses, step }: Pick<Judged, "verdict" | "guesses" | "step">,
): string {
  const said = `${kernel}: ${describeUnder(guesses, verdict)}`;
  return step === undefined ? said : `${said}. ${retold(step)}`;
}
