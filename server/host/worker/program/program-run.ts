import { at } from "../../../core/base/known";
import type { SourceTree } from "../../../core/judge/candidate";
import type { EntryOutcome } from "../../../core/ports/entry-programs";
import { firstError } from "../evaluation/failed-run";
import type { StageLimits } from "../evaluation/cuda-runner";
import { runOutcome } from "../entry/entry-result";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { RunOutcome } from "../evaluation/kernel-runner";
import { ProgramBuild, type ProgramBuildOptions } from "./program-build";

export interface ProgramRunsOptions extends ProgramBuildOptions {
  readonly limits: StageLimits;
  /** Of the spec: the sizes of their outputs are watched. */
  readonly shapes: readonly ResolvedShape[];
}

/** A program that ran to its end. */
export interface ProgramRan {
  readonly kind: "ran";
  readonly run: Extract<RunOutcome, { kind: "ran" }>;
  readonly outcome: EntryOutcome & { readonly program: NonNullable<EntryOutcome["program"]> };
}

export type ProgramRunOutcome = ProgramRan | Exclude<RunOutcome, { kind: "ran" }>;

interface ProgramRunManner {
  readonly shaken?: boolean;
  readonly blocks?: "descending";
  readonly exactSums?: boolean;
  readonly plain?: boolean;
  /** At most; as any run when left out. */
  readonly limitSeconds?: number;
}

/** Runs whole programs of candidates, each behind walls with a device of its own. */
export class ProgramRuns {
  private readonly builds: ProgramBuild;
  private readonly shape: ResolvedShape;

  constructor(private readonly options: ProgramRunsOptions) {
    this.builds = new ProgramBuild(options);
    const { shape } = at(options.shapes, 0);
    this.shape = { shape, inputs: [], outputs: [] };
  }

  /**
   * `shaken`: with other numbers of single precision than its host code hands to its kernels; `blocks`: the
   * order in which blocks start; `exactSums`: atomic sums of singles are rounded at their end alone; `plain`:
   * launches are neither counted nor watched.
   */
  async run(
    tree: SourceTree,
    signal: AbortSignal,
    { shaken = false, blocks, exactSums = false, plain = false, ...most }: ProgramRunManner = {},
  ): Promise<ProgramRunOutcome> {
    const { limits, program, shapes } = this.options;
    const limitSeconds = Math.min(limits.runSeconds, most.limitSeconds ?? Infinity);
    const built = await this.builds.build(tree, signal);
    if (built.kind === "timed-out")
      return { kind: "timed-out", stage: "compile", limitSeconds: built.limitSeconds };
    if (built.kind !== "built") return built;
    const watched = new Set(shapes.flatMap(({ outputs }) => outputs.map(({ bytes }) => bytes)));
    const running = await this.builds.start(built, [...watched]);
    try {
      const outcome = await running.run({
        buffers: [],
        arguments: [],
        counters: !plain,
        detectors: !plain,
        limitSeconds,
        ...(shaken && { shaken }),
        ...(blocks && { blocks }),
        ...(exactSums && { arithmetic: "exact-sums" as const }),
        signal,
      });
      const request = { shape: this.shape, inputs: [], counters: true, detectors: true, signal };
      const place = {
        call: `${program.file}::main`,
        file: program.file,
        limitSeconds,
        remarks: [],
      };
      const { entries } = built.device;
      const run = runOutcome(request, outcome, { place, index: new Map(), entries });
      if (run.kind !== "ran") return run;
      if (outcome.program === undefined)
        return { kind: "did-not-run", reason: "the program has no end", findings: [] };
      return { kind: "ran", run, outcome: { ...outcome, program: outcome.program } };
    } finally {
      await running.close();
    }
  }
}

/** Why a program did not run to its end. */
export function whyNot(run: Exclude<ProgramRunOutcome, ProgramRan>): string {
  switch (run.kind) {
    case "did-not-compile":
      return firstError(run);
    case "timed-out":
      return `it takes longer than ${run.limitSeconds} s`;
    default:
      return run.reason;
  }
}
