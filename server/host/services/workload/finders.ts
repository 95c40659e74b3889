import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { Finding } from "../../../core/judge/verdict";
import type { Target } from "../../../core/timing/target";
import type { ProbedWorkload } from "./unfilled-constants";

/** A kernel without a spec file. */
export interface WorkloadRequest {
  /** Workspace-relative. */
  readonly file: string;
  /** The file's content. */
  readonly text: string;
  /** The kernel's name as its source says it, without namespaces. */
  readonly kernel: string;
  /** What it will be judged on; finders that compile do it for this target. */
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Numbers that a program was seen to pass, by the names of the kernel's parameters. */
  readonly passed?: Readonly<Record<string, number>>;
}

/**
 * A workload as a spec. Its paths are relative to `specFolder`, which is the kernel's folder when left out.
 */
export type FoundWorkload = ProbedWorkload & {
  readonly specFolder?: string;
  /** Kernels that every call of its entry was seen to launch, where there is one. */
  readonly launches?: readonly string[];
  /** What a program or a test of the user's says against the kernel as it is. */
  readonly complaint?: Finding;
};

/** One way to find out how a kernel is exercised. */
export interface WorkloadFinder {
  /** What it looks for, as a noun for messages: `a program in the file`. */
  readonly looksFor: string;
  /**
   * A spec whose paths are relative to the kernel's folder, with the `origins` of what is not certain and a
   * sentence for each guess. The problem is a sentence: why there is none. Throws `cancelled`.
   */
  find(request: WorkloadRequest): Promise<Outcome<FoundWorkload, string>>;
}

/**
 * Asks finders in their order and takes the first workload. The problem is that of the last one, which says
 * most about the kernel itself.
 */
export function inOrder(finders: readonly WorkloadFinder[]): WorkloadFinder {
  return {
    looksFor: finders.map(({ looksFor }) => looksFor).join(", "),
    find: async (request) => {
      let problem = "nothing is known of how it is launched";
      for (const finder of finders) {
        const found = await finder.find(request);
        if (found.ok) return succeed(found.value);
        problem = found.problem;
      }
      return fail(problem);
    },
  };
}
