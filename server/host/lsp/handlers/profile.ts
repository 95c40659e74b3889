import { describeBound, describeVerdict } from "../../../core/words/describe";
import { kernelFaults } from "../../../core/words/line-faults";
import { failurePlace } from "../views/convert-check";
import type { Handler } from "./handler";
import { describeJudged, judgeKernel, uriOfSource } from "./judged";

/** Counters for each line of a kernel, right or wrong, that ran to its end. */
export const profile: Handler<"kernelwright/profile"> = async (context, params, signal) => {
  const judged = await judgeKernel(context, params, { name: "Profile", signal });
  const { verdict, counters, guesses } = judged;
  if (counters === undefined)
    return {
      summary: `Nothing ran to its end, so there is no profile. ${describeJudged(params, judged)}`,
      refusal: {
        isGuess: guesses.length > 0,
        place: failurePlace(verdict, (path) => uriOfSource(context, params.uri, path)),
      },
    };
  const worst = kernelFaults(counters)[0];
  const waste =
    worst === undefined ? "no waste in memory accesses" : `line ${worst.line.line}: ${worst.text}`;
  const said = verdict.kind === "correct" ? describeBound(verdict.bound) : describeVerdict(verdict);
  return { summary: `${params.kernel}: ${said} · ${waste}`, refusal: null };
};
