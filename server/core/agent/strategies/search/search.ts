import type { JsonObject } from "../../../base/json";
import { Numbers } from "../../dialogue/dialogue";
import { gpuOf } from "../../dialogue/cost-text";
import { isAtFloor, profiledBound, rooflineOf } from "../../dialogue/roofline";
import type { JudgedCandidate, Proposal, Strategy, StrategyContext, StrategyResume } from "../../strategy";
import type { StrategyEntry } from "../entry";
import { refineStrategy } from "../refine";
import type { RefineOptions } from "../refine-options";
import { rulebookStrategy } from "../rulebook";
import { budgetLeft, chooseParent, choosePartner, digBelow } from "./archive";
import { roundText } from "./round-text";

/** The strategy as settings and command line offer it. */
export const search: StrategyEntry = {
  id: "search",
  title: "Search with a model",
  description:
    "The rulebook begins, then a model works in rounds from an archive of versions; what was tried is told to every round.",
  needsModel: true,
  make: async ({ files, clock, model, rules, parse }) => {
    const { provider, prompts } = await model();
    const rulebook = { rules, parse };
    return { strategy: searchStrategy({ provider, prompts, files, clock, rulebook }), model: provider.model };
  },
};

/**
 * Candidates without a gain after which a round is left, and rounds without any candidate that end it all.
 */
const patience = { candidates: 4, barrenRounds: 6 } as const;
/** The most that the rulebook may take of the budget of candidates. */
const rulebookShare = 0.3;

/**
 * Rules first, then rounds. Each round is a conversation of its own that starts from a version of the archive
 * and is left when it gains nothing; what it found stays in the archive.
 */
export function searchStrategy(options: Omit<RefineOptions, "numbers" | "opening">): Strategy {
  return new SearchStrategy(options);
}

/** One conversation. */
interface Round {
  readonly number: number;
  readonly parent: string;
  /** Candidates that there were when it began. */
  readonly began: number;
  readonly strategy: Strategy;
}

class SearchStrategy implements Strategy {
  readonly name = search.id;
  private readonly numbers = new Numbers();
  private readonly rules: Strategy;
  private round: Round | undefined;
  private rounds = 0;
  private barren = 0;
  private readonly left = new Set<string>();

  constructor(private readonly options: Omit<RefineOptions, "numbers" | "opening">) {
    this.rules = rulebookStrategy(options.rulebook);
  }

  state(): JsonObject {
    const { rounds, barren, round } = this;
    const open = round ? { parent: round.parent, began: round.began, inner: round.strategy.state() } : null;
    return { rounds, barren, left: [...this.left], open };
  }

  async restore(resumed: StrategyResume): Promise<void> {
    const { rounds, barren, left, open } = resumed.state;
    this.rounds = typeof rounds === "number" ? rounds : 0;
    this.barren = typeof barren === "number" ? barren : 0;
    if (Array.isArray(left)) for (const id of left) if (typeof id === "string") this.left.add(id);
    // Restoring counts what the log holds, whether or not the round goes on.
    const strategy = refineStrategy({ ...this.options, numbers: this.numbers });
    const { parent, began, inner } = asObject(open);
    await strategy.restore?.({ ...resumed, state: asObject(inner) });
    if (typeof parent === "string" && typeof began === "number")
      this.round = { number: this.rounds, parent, began, strategy };
  }

  async propose(context: StrategyContext, signal: AbortSignal): Promise<Proposal> {
    const floor = atFloor(context);
    if (floor) return floor;
    const seed = await this.seed(context, signal);
    if (seed) return seed;
    for (;;) {
      const round = this.openRound(context);
      const proposal = await round.strategy.propose(context, signal);
      if (proposal.kind !== "done") return proposal;
      this.close(context, round);
      if (this.barren >= patience.barrenRounds)
        return {
          kind: "done",
          reason: `${this.barren} rounds in a row brought no candidate; the last: ${proposal.reason}`,
        };
    }
  }

  /** A rewrite of the rulebook, as long as no conversation waits for a verdict. */
  private async seed(context: StrategyContext, signal: AbortSignal): Promise<Proposal | undefined> {
    if (this.round) return undefined;
    const { candidates, budget } = context;
    const used = candidates.filter(({ candidate }) => candidate.origin.startsWith("rulebook:")).length;
    if (used >= Math.floor(budget.limits.candidates * rulebookShare)) return undefined;
    const proposal = await this.rules.propose(context, signal);
    return proposal.kind === "candidate" ? proposal : undefined;
  }

  /** The round that goes on, or a new one where that gained nothing for long. */
  private openRound(context: StrategyContext): Round {
    if (this.round && !isStalled(this.round, context)) return this.round;
    if (this.round) this.close(context, this.round);
    const parent = chooseParent(context, this.left);
    const partner = choosePartner(context, parent);
    this.rounds += 1;
    const isDigging = budgetLeft(context) < digBelow;
    const text = roundText(this.options.prompts, context, {
      number: this.rounds,
      parent,
      partner,
      isDigging,
    });
    this.round = {
      number: this.rounds,
      parent: parent.candidate.id,
      began: context.candidates.length,
      strategy: refineStrategy({ ...this.options, numbers: this.numbers, opening: { start: parent, text } }),
    };
    return this.round;
  }

  /** Its start is left alone for as long as there are others. */
  private close(context: StrategyContext, round: Round): void {
    this.barren = context.candidates.length === round.began ? this.barren + 1 : 0;
    this.left.add(round.parent);
    this.round = undefined;
  }
}

/** Whether the last candidates of a round gained nothing on what the round had before. */
function isStalled({ parent, began }: Round, { candidates, baseline }: StrategyContext): boolean {
  const start = [baseline, ...candidates].find(({ candidate }) => candidate.id === parent);
  let least = start ? costOf(start) : Number.POSITIVE_INFINITY;
  let idle = 0;
  for (const judged of candidates.slice(began)) {
    const cost = costOf(judged);
    idle = cost < least ? 0 : idle + 1;
    least = Math.min(least, cost);
  }
  return idle >= patience.candidates;
}

function costOf({ verdict }: JudgedCandidate): number {
  return verdict.kind === "correct" ? verdict.bound.nanoseconds : Number.POSITIVE_INFINITY;
}

/** The end, when the only shape of the objective is at the floor of the task. */
function atFloor({ spec, baseline, best }: StrategyContext): Proposal | undefined {
  const { verdict } = best;
  if ((verdict.shapeBounds ?? []).length > 1) return undefined;
  const roofline = rooflineOf(spec, baseline.verdict, gpuOf(verdict));
  if (!isAtFloor(profiledBound(verdict), roofline)) return undefined;
  return {
    kind: "done",
    reason: `${best.candidate.id} is at the floor of the task: no rewrite can lower its bound`,
  };
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
