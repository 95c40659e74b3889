import type { SourceTree } from "../../../core/judge/candidate";
import type { CompiledFacts } from "../../../core/judge/verdict";
import { commonLimits } from "../../../core/timing/gpu-model";
import { limitProblem } from "../../../core/timing/launch-limits";
import type { CapturedLaunch } from "../triton/captured-launch";
import type { FailedRun } from "../compile/triton-load";

/** What allows a kernel more dynamic shared memory than any may have. */
const optIn = "cudaFuncAttributeMaxDynamicSharedMemorySize";

/** A launch of a kernel in CUDA as the source or the spec says. */
interface StatedLaunch {
  readonly architecture: string;
  readonly facts: CompiledFacts;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  /** The texts that launch the kernel; left out where the spec alone does. */
  readonly texts?: SourceTree;
  /** Workspace path of the kernel's file. */
  readonly file: string;
}

/**
 * The end of a run with a launch that a GPU would not take. Where the source launches the kernel, more
 * dynamic shared memory than any kernel may have has to be allowed there.
 */
export function refusedLaunch(launch: StatedLaunch): FailedRun | undefined {
  const { architecture, facts, grid, block, sharedBytes, texts, file } = launch;
  const problem = limitProblem({
    ...{ architecture, grid, block, registersPerThread: facts.registers },
    ...{ staticSharedBytes: facts.sharedBytes, dynamicSharedBytes: sharedBytes },
  });
  if (problem !== undefined) return invalidLaunch(problem.message, file);
  const allowed = commonLimits.staticSharedBytes - facts.sharedBytes;
  if (texts === undefined || sharedBytes <= allowed) return undefined;
  if (Object.values(texts).some((text) => text.includes(optIn))) return undefined;
  return invalidLaunch(
    `${sharedBytes} bytes of dynamic shared memory are more than ${allowed}: allow them with cudaFuncSetAttribute(kernel, ${optIn}, bytes)`,
    file,
  );
}

/** The same for a launch of Triton, which allows shared memory by itself and leaves out an empty grid. */
export function refusedTritonLaunch(
  { grid, warps }: CapturedLaunch,
  facts: CompiledFacts,
  file: string,
): FailedRun | undefined {
  if (grid.includes(0)) return undefined;
  const problem = limitProblem({
    ...{ architecture: facts.architecture, grid, block: [warps * 32, 1, 1] },
    ...{ registersPerThread: facts.registers, staticSharedBytes: 0, dynamicSharedBytes: facts.sharedBytes },
  });
  return problem && invalidLaunch(problem.message, file);
}

function invalidLaunch(message: string, file: string): FailedRun {
  return {
    kind: "did-not-run",
    reason: message,
    findings: [{ kind: "invalid-launch", file, line: 0, message }],
  };
}
