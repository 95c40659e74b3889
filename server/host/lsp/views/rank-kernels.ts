import { shown } from "../handshake/user-language";
import type { ModelledBound, Verdict } from "../../../core/judge/verdict";
import { describeNanoseconds } from "../../../core/words/quantities";
import type { ModelledTimeKind, WorkspaceKernelView } from "../../../protocol/views";
import { timeOfKind } from "../../../core/trajectory/proposal/shown-time";

/** A kernel, what it costs, and where that belongs. */
export interface KnownKernel {
  readonly view: Omit<WorkspaceKernelView, "workload" | "share">;
  /** Of its workload, whatever kind of time its row shows. Undefined when it was never found correct. */
  readonly cost: WorkloadCost | undefined;
  /** The program that launches it, as its recorded workload says; undefined without one. */
  readonly program: string | undefined;
}

/** Nanoseconds of all launches of a workload, as often as its program makes them. */
interface WorkloadCost {
  readonly bound: number;
  /** Undefined where not all of them were simulated. */
  readonly simulation: number | undefined;
}

/** What the workload of a correct version costs. */
export function costOf(verdict: Verdict | null | undefined): WorkloadCost | undefined {
  if (verdict?.kind !== "correct") return undefined;
  const shapes = verdict.shapeBounds ?? [{ weight: 1, bound: verdict.bound }];
  const sum = (timeOf: (bound: ModelledBound) => number): number =>
    shapes.reduce((total, { weight, bound }) => total + weight * timeOf(bound), 0);
  const simulation = sum(({ simulatedNanoseconds }) => simulatedNanoseconds ?? Number.NaN);
  return {
    bound: sum(({ nanoseconds }) => nanoseconds),
    simulation: Number.isNaN(simulation) ? undefined : simulation,
  };
}

/** The time of the first verdict that has one of this kind, to stand beside figures of that kind alone. */
export function kernelTime(
  verdicts: readonly (Verdict | null | undefined)[],
  kind: ModelledTimeKind,
): WorkspaceKernelView["time"] {
  for (const verdict of verdicts) {
    const nanoseconds = verdict?.kind === "correct" ? timeOfKind(verdict, kind) : undefined;
    if (nanoseconds !== undefined) return { text: describeNanoseconds(nanoseconds), kind };
  }
  return null;
}

/** False where two correct versions were counted at different sizes, so that no time says more. */
export function haveSameSizes(one: Verdict | null | undefined, other: Verdict | null | undefined): boolean {
  if (one?.kind !== "correct" || other?.kind !== "correct") return true;
  const sorted = ({ evidence }: typeof one): string => JSON.stringify(Object.entries(evidence.sizes).sort());
  return sorted(one) === sorted(other);
}

/**
 * Kernels of recorded programs first, by what they cost there; the others keep their order. A share of a
 * program is told where the cost of all of its kernels is known: that part at most can be saved.
 */
export const rankKernels = shown((kernels: readonly KnownKernel[]): readonly WorkspaceKernelView[] => {
  const ranked = kernels
    .map((kernel) => ({ kernel, share: shareOf(kernel, kernels) }))
    .sort((a, b) => (b.share ?? rest(b.kernel)) - (a.share ?? rest(a.kernel)));
  return ranked.map(({ kernel: { view, cost, program }, share }) => ({
    ...view,
    workload: cost === undefined ? null : describeNanoseconds(cost.bound),
    share: share === undefined || program === undefined ? null : { program, fraction: share },
  }));
});

/** Where no share is known, kernels of programs come before those of none. */
function rest({ program }: KnownKernel): number {
  return program === undefined ? -2 : -1;
}

/** By simulation where that is known of all kernels of the program, else by their bounds. */
function shareOf({ cost, program }: KnownKernel, all: readonly KnownKernel[]): number | undefined {
  if (cost === undefined || program === undefined) return undefined;
  const costs = all.filter((each) => each.program === program).map((each) => each.cost);
  const known = costs.filter((each) => each !== undefined);
  if (known.length < costs.length) return undefined;
  const kind = known.every(({ simulation }) => simulation !== undefined) ? "simulation" : "bound";
  const sum = known.reduce((total, each) => total + (each[kind] ?? 0), 0);
  return sum === 0 ? 0 : (cost[kind] ?? 0) / sum;
}
