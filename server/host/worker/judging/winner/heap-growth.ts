import { at } from "../../../../core/base/known";
import type { CheckedCase } from "../../../../core/judge/verdict";
import type { EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { Ran } from "../../evaluation/failed-run";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge } from "../case-judge";

/** Runs, each behind another one, that all have to leave more taken than they found. */
const askedRuns = 2;

/** A run that left more of the heap taken than it found. */
interface Grown {
  readonly checked: CheckedCase;
  readonly bytes: number;
  readonly size: number;
}

/**
 * Memory of the heap of malloc in kernels that is taken by each call and freed by none, so that it is used up
 * after some. What the first call keeps for all later ones is no such thing, nor what a later kernel of the
 * same call frees.
 */
export class HeapGrowth {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /**
   * The case with a finding where each run takes more; undefined where that is not so, or the kernel as it
   * was does so too.
   */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    { heap }: Ran,
    signal: AbortSignal,
  ): Promise<CheckedCase | undefined> {
    if (heap === undefined) return undefined;
    const grown = await this.grown(planned, session, signal);
    if (grown === undefined) return undefined;
    if ((await this.grown(planned, this.judge.baseline.session, signal)) !== undefined) return undefined;
    const { specFolder, spec } = this.task;
    const message = textOf(grown, spec.run.kind === "launch" ? "launch" : "call");
    const finding = { kind: "heap-never-freed", file: inFolder(specFolder, spec.file), line: 0, message };
    return { ...grown.checked, passed: false, findings: [finding, ...grown.checked.findings] };
  }

  private async grown(
    planned: PlannedCase,
    session: KernelSession,
    signal: AbortSignal,
  ): Promise<Grown | undefined> {
    const all: Grown[] = [];
    for (let run = 0; run < askedRuns; run += 1) {
      const manner = { counters: false, detectors: false, signal };
      const outcome = await this.judge.runBehindAnother(planned, session, manner);
      if (outcome.kind !== "judged") return undefined;
      const { before = 0, after = 0, size = 0 } = outcome.run.heap ?? {};
      // A run that finds nothing taken is the first of its process.
      if (before === 0 || after <= before) return undefined;
      all.push({ checked: outcome.checked, bytes: after - before, size });
    }
    return at(all, 0);
  }
}

function textOf({ bytes, size }: Grown, unit: "launch" | "call"): string {
  const megabytes = Math.round((size / 2 ** 20) * 10) / 10;
  const most = Math.max(1, Math.floor(size / bytes));
  const units = most === 1 ? unit : { launch: "launches", call: "calls" }[unit];
  return `memory of the device's heap is taken (malloc) and never freed: ${bytes.toLocaleString("en-US")} bytes stay taken by each ${unit}, so that the heap of ${megabytes} MiB is used up after ${most.toLocaleString("en-US")} ${units} at most, and malloc gives null from then on`;
}
