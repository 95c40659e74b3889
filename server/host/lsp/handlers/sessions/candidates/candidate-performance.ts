import { show, shown } from "../../../handshake/user-language";
import { retold } from "../../../../../core/base/localized";
import { t } from "../../../../../core/base/localized";
import { candidateHead, candidateName } from "../../../../../core/words/names/names";
import { OperationalError } from "../../../../../core/base/operational-error";
import { type GpuModel, gpuNamed, gpuNames } from "../../../../../core/timing/gpu-model";
import { type JudgedFigure, judgedFigure } from "../../../../../core/timing/pictures/judged-figure";
import type { CandidateRecord } from "../../../../../core/trajectory/state";
import type { CorrectVerdict, Verdict } from "../../../../../core/judge/verdict";
import { describeSizes, describeVerdict } from "../../../../../core/words/describe";
import type { ComparedFigure } from "../../../../../protocol/performance-views";
import type { Handler } from "../../handler";
import { checkedView, otherGpu } from "../../code/performance/checked-view";
import { readSession } from "../session-record";

const notSimulated =
  "A candidate is drawn from what its session recorded; its machine code is simulated when the kernel itself is drawn.";

type Drawn = JudgedFigure & Pick<ComparedFigure, "title" | "simulatedNanoseconds">;

/** The numbers behind the pictures of a candidate, beside its baseline, from the log of its session. */
export const candidatePerformance: Handler<"kernelwright/candidatePerformance"> = async (
  context,
  { sessionId, candidate: id, gpu: wanted },
) => {
  const { state, summary, services } = await readSession(context, sessionId);
  const record = state.candidates.find((each) => each.id === id);
  if (record === undefined)
    throw new OperationalError("session-not-found", {
      forUser: `session ${sessionId} has no ${candidateName(id)}`,
    });
  const verdict = correctVerdict(record, await services.sessions.verdict(sessionId, id));
  const own = gpuOf(verdict, id);
  const drawn = (title: (id: string) => string, of: CorrectVerdict, on: GpuModel): Drawn => {
    const judged = judgedFigure(of, on, summary.kernel);
    const simulated = on === own ? of.bound.simulatedNanoseconds : undefined;
    if (judged !== undefined)
      return { title: show(() => title(id)), simulatedNanoseconds: simulated ?? null, ...judged };
    throw new OperationalError("tool-failed", {
      forUser: `the log of ${candidateName(id)} is of an earlier version, which did not record how the kernel was launched`,
    });
  };
  const now = drawn(candidateHead, verdict, own);
  const baseline = state.candidates.find(({ parent }) => parent === undefined);
  const before = baseline && (await services.sessions.verdict(sessionId, baseline.id));
  const other = now.isWhole ? otherGpu(wanted, own) : undefined;
  const figures: ComparedFigure[] = [
    compared("now", now),
    ...(before?.kind === "correct" && baseline !== record
      ? [
          compared(
            "before",
            drawn(() => t`Baseline`, before, own),
          ),
        ]
      : []),
    ...(other === undefined ? [] : [compared("other", drawn(candidateHead, verdict, other))]),
  ];
  return checkedView({
    kernel: show(() => `${summary.kernel}, ${candidateName(id)}`),
    target: summary.target,
    figures,
    notSimulated: show(() => retold(notSimulated)),
    shapes: [describeSizes(verdict.evidence.sizes)],
    shape: 0,
    gpus: now.isWhole ? gpuNames() : [],
    trouble: "",
    measuredNanoseconds: null,
    simulation: null,
  });
};

const compared = shown(
  (role: ComparedFigure["role"], { title, simulatedNanoseconds, figure }: Drawn): ComparedFigure => ({
    role,
    title: t`${title}, on ${figure.gpu}`,
    simulatedNanoseconds,
    ...figure,
  }),
);

function correctVerdict({ id, reason }: CandidateRecord, verdict: Verdict | null): CorrectVerdict {
  if (verdict?.kind === "correct") return verdict;
  const why = verdict === null ? reason : describeVerdict(verdict);
  throw new OperationalError("tool-failed", {
    forUser: `nothing was counted of ${candidateName(id)}: ${why === "" ? "it has no verdict yet" : why}`,
  });
}

function gpuOf({ bound }: CorrectVerdict, id: string): GpuModel {
  if (gpuNames().includes(bound.gpu)) return gpuNamed(bound.gpu);
  throw new OperationalError("target-unknown", {
    forUser: `${candidateName(id)} was modelled on ${bound.gpu}, which this version does not know`,
  });
}
