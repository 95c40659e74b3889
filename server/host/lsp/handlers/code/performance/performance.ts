import { OperationalError } from "../../../../../core/base/operational-error";
import { readShape } from "../../../../../core/base/shape";
import { gpuNames } from "../../../../../core/timing/gpu-model";
import { readTarget, requireTrust } from "../../../context";
import type { Handler } from "../../handler";
import { countKernel } from "./count-kernel";
import { performanceParams, performanceView } from "./performance-shape";
import { toPerformanceView } from "./to-performance-view";

/** The numbers behind the pictures of a kernel's performance, in one shape, on one or two GPUs. */
export const performance: Handler<"kernelwright/performance"> = async (context, params, signal) => {
  requireTrust(context.client, "Show Performance");
  const read = readShape(performanceParams, params);
  if (!read.ok) throw new OperationalError("spec-invalid", { forUser: `performance: ${read.problem}` });
  const asked = read.value;
  if (asked.gpu !== undefined && !gpuNames().includes(asked.gpu))
    throw new OperationalError("target-unknown", {
      forUser: `there is no GPU "${asked.gpu}" in the catalogue: choose one of ${gpuNames().join(", ")}`,
    });
  const target = readTarget(context.client);
  const counted = await countKernel(context, asked, { target, signal });
  const view = readShape(performanceView, toPerformanceView(asked, counted, target));
  if (!view.ok) throw new TypeError(`performance of ${asked.kernel}: ${view.problem}`);
  return view.value;
};
