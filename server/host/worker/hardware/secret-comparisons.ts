import type { FailedRun } from "../evaluation/failed-run";
import type { CheckedCase } from "../../../core/judge/verdict";

/** Why there is no time: the run failed, or what it computed is wrong. */
export type CallProblem =
  | { readonly kind: "failed"; readonly failed: FailedRun }
  | { readonly kind: "wrong"; readonly checked: CheckedCase };

/** So many may be under way: the outputs of each are held until it is through. */
const mostUnderWay = 4;

/** Comparisons of timed calls with the reference, which the oracle makes while the GPU goes on. */
export class SecretComparisons {
  private readonly underWay = new Set<Promise<void>>();
  private problem: CallProblem | undefined;
  private thrown: { readonly reason: unknown } | undefined;

  /** Begins one; waits where many are under way. Gives the first problem that was found. */
  async add(compare: () => Promise<CallProblem | undefined>): Promise<CallProblem | undefined> {
    while (this.underWay.size >= mostUnderWay) await Promise.race(this.underWay);
    const begun = compare().then(
      (problem) => {
        this.problem ??= problem;
      },
      (reason: unknown) => {
        this.thrown ??= { reason };
      },
    );
    const done = begun.finally(() => this.underWay.delete(done));
    this.underWay.add(done);
    return this.found();
  }

  /** Waits for all of them. Throws what the oracle threw. */
  async settled(): Promise<CallProblem | undefined> {
    await Promise.all(this.underWay);
    return this.found();
  }

  private found(): CallProblem | undefined {
    if (this.thrown !== undefined) throw this.thrown.reason;
    return this.problem;
  }
}
