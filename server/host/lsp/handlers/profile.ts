import { OperationalError } from "../../../core/base/operational-error";
import { describeBound, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import type { Handler } from "./handler";
import { describeJudged, judgeKernel } from "./judged";

/** Counters for each line of a kernel, right or wrong, that ran to its end. */
export const profile: Handler<"kernelwright/profile"> = async (context, params, signal) => {
  const judged = await judgeKernel(context, params, { name: "Profile", signal });
  const { verdict, counters } = judged;
  if (counters === undefined)
    throw new OperationalError("tool-failed", {
      forUser: `Nothing ran to its end, so there is no profile. ${describeJudged(params, judged)}`,
    });
  const worst = kernelFaults(counters)[0];
  const waste =
    worst === undefined ? "no waste in memory accesses" : `line ${worst.line.line}: ${worst.text}`;
  const said = verdict.kind === "correct" ? describeBound(verdict.bound) : describeVerdict(verdict);
  return { summary: `${params.kernel}: ${said} · ${waste}` };
};
