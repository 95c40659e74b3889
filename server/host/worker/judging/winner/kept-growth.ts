import { at } from "../../../../core/base/known";
import type { CheckedCase } from "../../../../core/judge/verdict";
import type { KeptThings } from "../../../../core/ports/entry-programs";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge } from "../case-judge";

/** Calls in one process, each of which has to keep more than the one before it. */
const askedCalls = 5;

type Kind = Exclude<keyof KeptThings, "device">;

/** What is said of each kind, in this order: an object lies in memory of the host as well. */
const told: readonly (readonly [Kind, (count: number) => string])[] = [
  [
    "events",
    (count) => `${count} more events stay after each call (cudaEventCreate without cudaEventDestroy)`,
  ],
  [
    "streams",
    (count) => `${count} more streams stay after each call (cudaStreamCreate without cudaStreamDestroy)`,
  ],
  ["graphs", (count) => `${count} more graphs stay after each call (cudaGraphDestroy, cudaGraphExecDestroy)`],
  [
    "deviceBytes",
    (count) => `${count} bytes more of the device's memory, or of pinned memory, stay taken after each call`,
  ],
  [
    "hostBytes",
    (count) => `${count} bytes more of the host's memory stay taken after each call (malloc, new)`,
  ],
];

/**
 * What host code of a C++ entry takes in each call and never gives back: events, streams, graphs, memory.
 * What the first calls keep for all later ones is no such thing.
 */
export class KeptGrowth {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /**
   * The case with a finding where each call keeps more; undefined where that is not so, or each call of the
   * kernel as it was keeps as much.
   */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    { signal }: Pick<CheckRequest, "signal">,
  ): Promise<CheckedCase | undefined> {
    const { dialect, run } = this.task.spec;
    if (dialect !== "cuda" || run.kind !== "entry") return undefined;
    const own = await this.growth(planned, session, signal);
    if (Object.keys(own).length === 0) return undefined;
    const before = await this.growth(planned, this.judge.baseline.session, signal);
    const more = told.find(([kind]) => (own[kind] ?? 0) > (before[kind] ?? 0));
    if (more === undefined) return undefined;
    const outcome = await this.judge.run(planned, session, { counters: false, detectors: false, signal });
    if (outcome.kind !== "judged") return undefined;
    const [kind, text] = more;
    const { specFolder, spec } = this.task;
    const why = "more than the kernel as it was keeps: a program that calls it often runs out of them";
    const message = `${text(own[kind] ?? 0)}, ${why}`;
    const finding = { kind: "kept-by-each-call", file: inFolder(specFolder, spec.file), line: 0, message };
    return { ...outcome.checked, passed: false, findings: [finding, ...outcome.checked.findings] };
  }

  /** By how much the kinds grow at least in each call, of those that do. */
  private async growth(
    planned: PlannedCase,
    session: KernelSession,
    signal: AbortSignal,
  ): Promise<Partial<KeptThings>> {
    const kept: KeptThings[] = [];
    for (let call = 0; call < askedCalls; call += 1) {
      const run = await this.judge.runOnOthers(planned, session, { signal });
      if (run.kind !== "ran" || run.kept === undefined) return {};
      kept.push(run.kept);
    }
    // A cache may still have been made in the first of them.
    const later = kept.slice(1);
    const steps = later.slice(1).map((after, index) => ({ after, before: at(later, index) }));
    const grown = told.map(([kind]): [Kind, number] => [
      kind,
      Math.min(...steps.map(({ after, before }) => after[kind] - before[kind])),
    ]);
    return Object.fromEntries(grown.filter(([, least]) => least > 0));
  }
}
