import { gpuOf } from "../dialogue/cost-text";
import { isEveryShapeAtFloor } from "../dialogue/roofline";
import {
  type Proposal,
  type SharedContext,
  type Strategy,
  type StrategyContext,
  isCorrect,
} from "../strategy";

/** Why nothing is left to gain: every shape of the objective is at the floor of the task. */
export function atFloor({ spec, firstCorrect, best }: StrategyContext): string | undefined {
  if (!isCorrect(best) || firstCorrect === undefined) return undefined;
  const { verdict } = best;
  if (!isEveryShapeAtFloor(spec, firstCorrect.verdict, verdict, gpuOf(verdict))) return undefined;
  return `${best.candidate.id} is at the floor of the task: no rewrite can lower its bound or its simulated time`;
}

/** The same strategy, whose end is named after the floor where it has nothing more to try and is there. */
export function endingAtFloor(strategy: Strategy): Strategy {
  return {
    name: strategy.name,
    state: () => strategy.state(),
    survey: async (context) => strategy.survey?.(context),
    learn: (judged) => strategy.learn?.(judged),
    restore: async (resumed) => strategy.restore?.(resumed),
    propose: async (context, signal) => namedAtFloor(await strategy.propose(context, signal), context),
  };
}

function namedAtFloor(proposal: Proposal, context: SharedContext): Proposal {
  if (proposal.kind !== "done") return proposal;
  const isContent = proposal.ending === undefined || proposal.ending === "model-finished";
  const why = isContent && "spec" in context ? atFloor(context as StrategyContext) : undefined;
  return why === undefined
    ? proposal
    : { ...proposal, ending: "at-floor", reason: `${proposal.reason}; ${why}` };
}
