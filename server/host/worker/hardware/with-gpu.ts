import { invariant } from "../../../core/base/assert";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import type { Evaluation, EvaluationTask } from "../../../core/ports/evaluator";
import { CudaRunner, type StageLimits } from "../evaluation/cuda-runner";
import type { KernelRunner } from "../evaluation/kernel-runner";
import type { OracleSession } from "../evaluation/oracle-session";
import type { GpuRuntime } from "./gpu-runtime";
import { HardwareEvaluation } from "./hardware-evaluation";
import type { KeptErrors } from "./model-errors/kept-errors";
import { EntrySessions } from "./entry-sessions";
import type { HardwareSessions } from "./hardware-sessions";
import { LaunchSessions } from "./launch-sessions";
import { TritonSessions } from "./python/triton-sessions";

interface GpuTools {
  readonly task: EvaluationTask;
  readonly runtime: GpuRuntime;
  readonly programs: EntryPrograms;
  readonly limits: StageLimits;
  /** What runs the task's candidates on the virtual GPU. */
  readonly runner: KernelRunner;
  /** Where it is kept how far the model was off. */
  readonly modelErrors: KeptErrors | undefined;
}

/** The evaluation of a task on the virtual GPU, and then on a GPU by sessions of its own. */
export function withGpu(
  inner: Evaluation,
  oracle: OracleSession,
  tools: GpuTools & { readonly sessions: HardwareSessions },
): Evaluation {
  const { task, runtime, limits, modelErrors, sessions } = tools;
  const limitSeconds = limits.runSeconds;
  return new HardwareEvaluation({ inner, task, oracle, runtime, limitSeconds, modelErrors, sessions });
}

/** What runs a task's candidates on a GPU; what its baseline needs before the GPU begins at once. */
export function begunGpu(
  tools: Omit<GpuTools, "modelErrors">,
  signal: AbortSignal,
): Pick<GpuTools, "runtime"> & { readonly sessions: HardwareSessions } {
  const sessions = sessionsOf(tools);
  sessions.prepare([tools.task.baseline], signal);
  return { runtime: tools.runtime, sessions };
}

function sessionsOf({
  task,
  runtime,
  programs,
  limits,
  runner,
}: Omit<GpuTools, "modelErrors">): HardwareSessions {
  const options = { task, runtime, limitSeconds: limits.runSeconds };
  if (runner instanceof CudaRunner) return new LaunchSessions({ ...options, runner });
  const { run, dialect } = task.spec;
  invariant(run.kind === "entry", "a kernel that is launched alone has a runner of its own");
  if (dialect === "cuda") return new EntrySessions({ ...options, entry: run.entry, programs });
  // An autotuned kernel compiles all of its configurations in the first call.
  const limitSeconds = limits.compileSeconds + limits.runSeconds;
  return new TritonSessions({ ...options, limitSeconds, entry: run.entry });
}
