import { t } from "../../../../../core/base/localized";
import { gpuOfTarget } from "../../../../../core/timing/gpu-model";
import { OperationalError } from "../../../../../core/base/operational-error";
import { readShape } from "../../../../../core/base/shape";
import { readTarget, requireTrust } from "../../../context";
import type { Handler } from "../../handler";
import { checkedView, otherGpu } from "./checked-view";
import { countKernel } from "./count-kernel";
import { performanceParams } from "./performance-shape";
import { toPerformanceView } from "./to-performance-view";

/** The numbers behind the pictures of a kernel's performance, in one shape, on one or two GPUs. */
export const performance: Handler<"kernelwright/performance"> = async (context, params, signal) => {
  requireTrust(context.client, t`Show Performance`);
  const read = readShape(performanceParams, params);
  if (!read.ok) throw new OperationalError("spec-invalid", { forUser: `performance: ${read.problem}` });
  const asked = read.value;
  const target = readTarget(context, asked.uri);
  const own = gpuOfTarget(target);
  const other = otherGpu(asked.gpu, own);
  const counted = await countKernel(context, asked, { target, signal });
  return checkedView(toPerformanceView(asked, counted, { target, own, other }));
};
