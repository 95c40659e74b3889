import type { Verdict } from "../../../core/judge/verdict";
import { describeNanoseconds } from "../../../core/words/quantities";
import type { WorkspaceKernelView } from "../../../protocol/views";

/** A kernel, what it costs, and where that belongs. */
export interface KnownKernel {
  readonly view: Omit<WorkspaceKernelView, "bound" | "share">;
  /** Modelled nanoseconds; undefined when it was never found correct. */
  readonly cost: number | undefined;
  /** The program that launches it, as its recorded workload says; undefined without one. */
  readonly program: string | undefined;
}

/** The modelled nanoseconds of all launches of the workload, as often as the program makes them. */
export function costOf(verdict: Verdict | null | undefined): number | undefined {
  if (verdict?.kind !== "correct") return undefined;
  const shapes = verdict.shapeBounds;
  if (shapes === undefined) return verdict.bound.nanoseconds;
  return shapes.reduce((sum, { weight, bound }) => sum + weight * bound.nanoseconds, 0);
}

/**
 * Kernels of recorded programs first, by what they cost there; the others keep their order. A share of a
 * program is told where the cost of all of its kernels is known: that part at most can be saved.
 */
export function rankKernels(kernels: readonly KnownKernel[]): readonly WorkspaceKernelView[] {
  const ranked = kernels
    .map((kernel) => ({ kernel, share: shareOf(kernel, kernels) }))
    .sort((a, b) => (b.share ?? rest(b.kernel)) - (a.share ?? rest(a.kernel)));
  return ranked.map(({ kernel: { view, cost, program }, share }) => ({
    ...view,
    bound: cost === undefined ? null : describeNanoseconds(cost),
    share: share === undefined || program === undefined ? null : { program, fraction: share },
  }));
}

/** Where no share is known, kernels of programs come before those of none. */
function rest({ program }: KnownKernel): number {
  return program === undefined ? -2 : -1;
}

function shareOf({ cost, program }: KnownKernel, all: readonly KnownKernel[]): number | undefined {
  if (cost === undefined || program === undefined) return undefined;
  const costs = all.filter((each) => each.program === program).map((each) => each.cost);
  const known = costs.filter((each) => each !== undefined);
  if (known.length < costs.length) return undefined;
  const sum = known.reduce((total, each) => total + each, 0);
  return sum === 0 ? 0 : cost / sum;
}
