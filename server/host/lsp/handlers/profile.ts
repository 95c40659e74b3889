import { OperationalError } from "../../../core/base/operational-error";
import { describeBound, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import type { Handler } from "./handler";
import { judgeKernel } from "./judged";

/** Counters for each line of a kernel, right or wrong, that ran to its end. */
export const profile: Handler<"kernelwright/profile"> = async (context, params, signal) => {
  const { verdict, counters } = await judgeKernel(context, params, { name: "Profile", signal });
  if (counters === undefined)
    throw new OperationalError("tool-failed", {
      forUser: `${params.kernel} cannot be profiled: ${describeVerdict(verdict)}`,
    });
  const worst = kernelFaults(counters)[0];
  const waste =
    worst === undefined ? "no waste in memory accesses" : `line ${worst.line.line}: ${worst.text}`;
  const said = verdict.kind === "correct" ? describeBound(verdict.bound) : describeVerdict(verdict);
  return { summary: `${params.kernel}: ${said} · ${waste}` };
};
