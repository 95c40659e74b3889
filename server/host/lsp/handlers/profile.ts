import type { KernelCounters } from "../../../core/timing/counters";
import type { Verdict } from "../../../core/judge/verdict";
import { show, shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import { describeVerdict } from "../../../core/words/describe";
import { describeBound } from "../../../core/words/names/bound-words";
import { kernelFaults } from "../../../core/words/line-faults";
import { failurePlace } from "../views/convert-check";
import type { Handler } from "./handler";
import { describeJudged, judgeKernel, uriOfSource } from "./judged";

/** Counters for each line of a kernel, right or wrong, that ran to its end. */
export const profile: Handler<"kernelwright/profile"> = async (context, params, signal) => {
  const judged = await judgeKernel(context, params, { name: t`Profile`, signal });
  const { verdict, counters, guesses } = judged;
  if (counters === undefined)
    return show(() => ({
      summary: t`Nothing ran to its end, so there is no profile. ${describeJudged(params, judged)}`,
      refusal: {
        isGuess: guesses.length > 0,
        place: failurePlace(verdict, (path) => uriOfSource(context, params.uri, path)),
      },
    }));
  return { summary: countedSummary(params.kernel, verdict, counters), refusal: null };
};

/** What a kernel costs, and where most of it is wasted. */
const countedSummary = shown((kernel: string, verdict: Verdict, counters: KernelCounters): string => {
  const worst = kernelFaults(counters)[0];
  const waste =
    worst === undefined ? t`no waste in memory accesses` : t`line ${worst.line.line}: ${worst.text}`;
  const said = verdict.kind === "correct" ? describeBound(verdict.bound) : describeVerdict(verdict);
  return `${kernel}: ${said} · ${waste}`;
});
