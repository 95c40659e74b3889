import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import type { LaunchShapes } from "../../../core/ports/launch-shapes";
import { CudaEntryRunner } from "../entry/entry-runner";
import type { HostCompiler } from "../entry/host-compiler";
import type { VirtualGpu } from "../gpu/virtual-gpu";
import { TritonRunner } from "../triton/triton-runner";
import { CudaRunner, type StageLimits } from "./cuda-runner";
import type { KernelRunner } from "./kernel-runner";
import type { WorkerSite } from "./worker-site";

interface RunnerTools {
  /** Where device code is compiled. */
  readonly site: WorkerSite;
  /** What makes host code for this machine. */
  readonly host: HostCompiler;
  readonly virtualGpu: VirtualGpu;
  readonly launchShapes: LaunchShapes;
  readonly entryPrograms: EntryPrograms;
  readonly limits: StageLimits;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** What compiles and runs the candidates of a task on the virtual GPU. */
export function runnerOf(task: EvaluationTask, tools: RunnerTools): KernelRunner {
  const { site, host, virtualGpu, launchShapes, entryPrograms: programs, limits, withoutWalls } = tools;
  const { build, candidates, cuda: compiler } = site;
  const { run, dialect } = task.spec;
  if (run.kind === "launch")
    return new CudaRunner({ task, launch: run.launch, compiler, virtualGpu, launchShapes, limits });
  const { entry } = run;
  if (dialect === "cuda")
    return new CudaEntryRunner({ task, entry, compiler, host, programs, limits, withoutWalls });
  candidates.warm();
  return new TritonRunner({ task, entry, build, candidates, virtualGpu, limits, withoutWalls });
}
