import type { KernelProof } from "../../../../core/judge/proof";
import type { LookedAt } from "../../../../core/proof/report";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { CaseJudge } from "../case-judge";

/**
 * What a verdict says of a version that is not shown to stay in bounds for all sizes where the kernel as it
 * was is: an index of 32 bits may overflow at sizes that no case has. Undefined where there is nothing to
 * say.
 */
export async function lostBounds(
  judge: Pick<CaseJudge, "baseline" | "runOnOthers">,
  planned: PlannedCase,
  { proofs, signal }: { readonly proofs: readonly KernelProof[]; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const answers = proofs.flatMap((proof) => proof.answers);
  const open = answers.find(({ question, outcome }) => question === "in-bounds" && outcome === "not-decided");
  if (open === undefined) return undefined;
  const before = await judge.runOnOthers(planned, judge.baseline.session, { proof: true, signal });
  if (before.kind !== "ran" || !isShown(before.lookedAt ?? [])) return undefined;
  const { why = "", file = "", line = 0 } = open;
  return `The kernel as it was is shown to stay in bounds for all sizes, this version is not (${file}:${line}: ${why}): an index may overflow at sizes that no case has`;
}

function isShown(lookedAt: readonly LookedAt[]): boolean {
  const bounds = lookedAt.flatMap(({ proof }) =>
    proof.answers.filter(({ question }) => question === "in-bounds"),
  );
  return bounds.length > 0 && bounds.every(({ outcome }) => outcome === "proved");
}
