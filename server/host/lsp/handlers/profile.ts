import { OperationalError } from "../../../core/base/operational-error";
import { describeBound, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import type { Handler } from "./handler";
import { judgeKernel } from "./judged";

/**
 * Counters for each line of a kernel. A kernel that is not correct has none: a count of a wrong run would
 * mislead.
 */
export const profile: Handler<"kernelwright/profile"> = async (context, params, signal) => {
  const { verdict } = await judgeKernel(context, params, { name: "Profile", signal });
  if (verdict.kind !== "correct")
    throw new OperationalError("tool-failed", {
      forUser: `${params.kernel} cannot be profiled: it ${describeVerdict(verdict)}`,
    });
  const worst = kernelFaults(verdict.counters)[0];
  const waste =
    worst === undefined ? "no waste in memory accesses" : `line ${worst.line.line}: ${worst.text}`;
  return { summary: `${params.kernel}: ${describeBound(verdict.bound)} · ${waste}` };
};
