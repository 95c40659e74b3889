import type { JsonObject } from "../base/json";
import type { Stage } from "../judge/candidate";
import type { Verdict } from "../judge/verdict";
import type { LoggedEvents } from "../ports/run-store";
import { allTokens } from "../trajectory/usage";
import type { BudgetUsed, EventData, SessionEvent } from "../trajectory/events";
import { continuedOrigin } from "../trajectory/proposal/lineage";
import { baselineId } from "../trajectory/state";
import { nothingUsed } from "./budget";

/** A candidate as the log knows it; its files are behind `treeId`. */
export interface ResumedCandidate {
  readonly id: string;
  readonly parent: string | undefined;
  readonly treeId: string;
  readonly hypothesis: string;
  readonly origin: string;
  /** Undefined when the session ended before its verdict was known: it is judged again. */
  readonly judged:
    | {
        readonly stage: Stage;
        readonly accepted: boolean;
        readonly reason: string;
        readonly verdict: Verdict;
      }
    | undefined;
}

/** Where a session stood when its log ended. */
export interface ResumeState {
  readonly candidates: readonly ResumedCandidate[];
  /** `baseline` when nothing was selected. */
  readonly best: string;
  readonly used: BudgetUsed;
  /** How many jobs the log holds: the next gets the number after. */
  readonly jobs: number;
  readonly strategyState: JsonObject;
}

/** Where a session goes on. */
export interface Standing extends Partial<Pick<ResumeState, "used" | "jobs">> {
  /** What the log holds; whoever takes it up empties the list, since it may be many megabytes. */
  readonly events: SessionEvent[];
}

/** Reads a log that a session goes on with; of a new session nothing is said. */
export async function whereItStands(logged: LoggedEvents, goesOn = false): Promise<Standing> {
  if (!goesOn) return { events: [] };
  const events = [...(await logged.all())];
  const { used, jobs } = resumeState(events);
  return { events, used, jobs };
}

/** Rebuilds a session from its events alone. Pure: the same log gives the same state. */
export function resumeState(events: readonly SessionEvent[]): ResumeState {
  const candidates = new Map<string, ResumedCandidate>();
  let best = "baseline";
  let used = nothingUsed;
  let jobs = 0;
  let strategyState: JsonObject = {};
  for (const event of events) {
    used = usedWith(used, event, candidates);
    switch (event.type) {
      case "candidate.created": {
        const { candidate: id, parent, tree: treeId, hypothesis, strategy: origin } = event.data;
        candidates.set(id, {
          id,
          parent: parent ?? undefined,
          treeId,
          hypothesis,
          origin,
          judged: undefined,
        });
        break;
      }
      case "candidate.staged": {
        const { candidate: id, stage, accepted, reason, verdict } = event.data;
        const known = candidates.get(id);
        if (known && verdict)
          candidates.set(id, {
            ...known,
            judged: { stage, accepted, reason, verdict },
          });
        break;
      }
      case "candidate.selected":
        best = event.data.candidate;
        break;
      case "job.queued":
        jobs += 1;
        break;
      case "checkpoint.created":
        strategyState = event.data.state;
        break;
      default:
        break;
    }
  }
  return {
    candidates: [...candidates.values()],
    best: standingBest(candidates, best),
    used,
    jobs,
    strategyState,
  };
}

/** The baseline, and the version that a session goes on from, cost no candidate. */
function countsForBudget({ candidate, strategy }: EventData["candidate.created"]): boolean {
  return candidate !== baselineId && strategy !== continuedOrigin;
}

/** What was used with one more event: until the budget is counted anew, which has the same in it. */
function usedWith(
  used: BudgetUsed,
  event: SessionEvent,
  candidates: ReadonlyMap<string, ResumedCandidate>,
): BudgetUsed {
  switch (event.type) {
    case "budget.updated":
    case "session.ended":
      // Logs of earlier versions count no tokens: they stand with the answers.
      return { ...tokensIn(used), ...event.data.used };
    case "llm.response": {
      const { cost, usage } = event.data;
      return spent(used, { usd: cost.usd ?? 0, modelCalls: 1, tokens: allTokens(usage) });
    }
    case "llm.failed":
      return spent(used, { usd: event.data.cost_usd ?? 0, modelCalls: 1 });
    case "candidate.created": {
      const isNew = !candidates.has(event.data.candidate) && countsForBudget(event.data);
      return isNew ? spent(used, { candidates: 1 }) : used;
    }
    default:
      return used;
  }
}

function tokensIn({ tokens }: BudgetUsed): Pick<BudgetUsed, "tokens"> {
  return tokens === undefined ? {} : { tokens };
}

function spent(used: BudgetUsed, more: Partial<BudgetUsed>): BudgetUsed {
  const { usd = 0, candidates = 0, modelCalls = 0, tokens = 0 } = more;
  const read = (used.tokens ?? 0) + tokens;
  return {
    ...used,
    ...(read > 0 && { tokens: read }),
    usd: used.usd + usd,
    candidates: used.candidates + candidates,
    modelCalls: used.modelCalls + modelCalls,
  };
}

/**
 * A crash between a verdict and its selection leaves an accepted candidate that nothing names: it is the best
 * all the same.
 */
function standingBest(candidates: ReadonlyMap<string, ResumedCandidate>, selected: string): string {
  const accepted = [...candidates.values()].filter(({ judged }) => judged?.accepted);
  return accepted.at(-1)?.id ?? selected;
}
