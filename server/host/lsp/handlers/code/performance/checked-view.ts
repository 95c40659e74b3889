import { OperationalError } from "../../../../../core/base/operational-error";
import { readShape } from "../../../../../core/base/shape";
import { type GpuModel, gpuNamed, gpuNames } from "../../../../../core/timing/gpu-model";
import type { PerformanceView } from "../../../../../protocol/performance-views";
import { performanceView } from "./performance-shape";

/** What leaves the server: finite numbers and names alone. */
export function checkedView(view: PerformanceView): PerformanceView {
  const read = readShape(performanceView, view);
  if (!read.ok) throw new TypeError(`performance of ${view.kernel}: ${read.problem}`);
  return read.value;
}

/** The GPU to compare with; undefined where none was asked for, or the same. Throws `target-unknown`. */
export function otherGpu(name: string | undefined, own: GpuModel): GpuModel | undefined {
  if (name === undefined || name === own.name) return undefined;
  if (gpuNames().includes(name)) return gpuNamed(name);
  throw new OperationalError("target-unknown", {
    forUser: `there is no GPU "${name}" in the catalogue: choose one of ${gpuNames().join(", ")}`,
  });
}
