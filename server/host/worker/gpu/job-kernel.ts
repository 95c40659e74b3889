import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { compileKernel, parsePtx, type CompiledKernel, type PtxModule } from "../../../core/vgpu/index";
import type { LaunchJob, LaunchResult } from "./virtual-gpu";

/** What the code of a job's kernel is made from. */
export interface JobSource extends Pick<
  LaunchJob,
  "ptx" | "entry" | "counters" | "triton" | "probe" | "watched" | "touched" | "arithmetic"
> {
  readonly spread: boolean;
  readonly detectors: boolean;
}

/** Equal for sources of equal code. */
export function sourceKey(source: JobSource): string {
  const { entry, counters, detectors, triton, spread, arithmetic = "", ptx } = source;
  const flags = [counters, detectors, triton === true, isRecorded(source), spread, arithmetic];
  return [entry, flags.join(" "), ptx].join("\n");
}

/** Compiles a job's kernel for the virtual GPU; the problem is the result of its launch. */
export function compileJob(source: JobSource): Outcome<CompiledKernel, LaunchResult> {
  const module: Outcome<PtxModule, { readonly message: string; readonly line: number }> = parsePtx(
    source.ptx,
  );
  if (!module.ok)
    return fail({
      kind: "refused",
      reason: `refused: the PTX is not understood on its line ${module.problem.line}: ${module.problem.message}`,
    });
  const kernel = compileKernel(module.value, source.entry, {
    counters: source.counters,
    detectors: source.detectors,
    spread: source.spread,
    triton: source.triton === true,
    accesses: isRecorded(source),
    ...(source.arithmetic && { arithmetic: source.arithmetic }),
  });
  if (kernel.ok) return succeed(kernel.value);
  return fail({
    kind: "refused",
    reason: kernel.problem.reason,
    file: kernel.problem.file,
    line: kernel.problem.line,
  });
}

/** Whether what a launch touches is looked at. */
function isRecorded({ probe, watched, touched }: Pick<LaunchJob, "probe" | "watched" | "touched">): boolean {
  return probe !== undefined || watched !== undefined || touched === true;
}
