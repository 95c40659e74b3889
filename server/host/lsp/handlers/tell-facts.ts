import type { LineRewrite } from "../../../core/words/rule-text";
import type { CountedLines } from "./code/counted-lines";
import type { CorrectVerdict, ModelledBound, Verdict } from "../../../core/judge/verdict";
import type { KernelCounters } from "../../../core/timing/counters";
import { gpuOfTarget } from "../../../core/timing/gpu-model";
import { formatTarget, type Target } from "../../../core/timing/target";
import type { KernelProfile } from "../../../core/words/profile";
import type { KernelParams } from "../../../protocol/requests";
import type { ServerContext } from "../context";
import { toFactsView } from "../views/convert-facts";

/** A kernel that was counted, and its file as it was then. */
interface Counted {
  readonly verdict: Verdict;
  readonly counters: KernelCounters;
  readonly profile: KernelProfile | undefined;
  readonly rewrites: () => Promise<readonly LineRewrite[]>;
  readonly target: Target;
  readonly file: string;
  readonly text: string;
}

/** Lets the editor know what was counted, and once that is known what rules would write anew. */
export function tellFacts(
  context: ServerContext,
  { uri, kernel }: KernelParams,
  { verdict, counters, profile, rewrites, target, file, text }: Counted,
): void {
  const document = context.documents.get(uri);
  const named =
    document?.text === text ? document.allKernels().find(({ name }) => name === kernel) : undefined;
  const whole = profile && {
    profile,
    gpu: gpuOfTarget(target),
    line: named && named.nameRange.start.line + 1,
    ...(verdict.kind === "correct" && judgedFacts(verdict)),
  };
  const source = {
    uri,
    kernel,
    file,
    text,
    counters,
    facts: verdict.kind === "correct" ? verdict.facts : [],
    ...(whole ? { whole } : {}),
    target: formatTarget(target),
    sizes: verdict.kind === "correct" ? verdict.evidence.sizes : {},
  };
  const facts = toFactsView(source);
  const counted: CountedLines = {
    digest: facts.textDigest,
    kernels: named === undefined ? [] : [kernel],
    lines: counters.lines.filter((line) => line.file === file),
    profiles: profile === undefined ? [] : [profile],
    target,
  };
  const tell = (view: typeof facts): Promise<void> =>
    context.connection.sendNotification("kernelwright/facts", view);
  const tellRewrites = async (): Promise<void> => {
    const found = await rewrites();
    // Of a file that was counted anew meanwhile others are told.
    if (found.length === 0 || context.lineCounters.get(uri) !== counted) return;
    context.lineCounters.set(uri, { ...counted, rewrites: { kernel, of: found } });
    await tell(toFactsView({ ...source, rewrites: found }));
  };
  context.lineCounters.set(uri, counted);
  context.background("facts", tell(facts));
  context.background("rewrites", tellRewrites());
}

/** What a verdict says of a whole kernel beyond its counters. */
function judgedFacts({
  proofs,
  simulatedNanoseconds,
  bound: { simulatedLimit },
}: CorrectVerdict): Pick<CorrectVerdict, "proofs" | "simulatedNanoseconds"> &
  Pick<ModelledBound, "simulatedLimit"> {
  return {
    ...(proofs && { proofs }),
    ...(simulatedNanoseconds !== undefined && { simulatedNanoseconds }),
    ...(simulatedLimit !== undefined && { simulatedLimit }),
  };
}
