import type { JsonObject } from "../../../base/json";
import { Numbers } from "../../dialogue/dialogue";
import {
  type CandidateProposal,
  type JudgedCandidate,
  type Proposal,
  type Strategy,
  type StrategyContext,
  type StrategyResume,
  isCorrect,
} from "../../strategy";
import { isOfRole } from "../../../trajectory/talk/role";
import type { Plan, Planner } from "../../roles/archive-planner";
import { openedRoles } from "../../roles/opened-roles";
import { atFloor } from "../at-floor";
import type { StrategyEntry } from "../entry";
import { refineStrategy } from "../refine";
import type { RefineOptions } from "../refine-options";
import { rulebookStrategy } from "../rulebook";
import { Archive, budgetLeft, chooseParent, choosePartner, digBelow, versionsOffered } from "./archive";
import { Round } from "./round";
import { roundText } from "./round-text";

/** The strategy as settings and command line offer it. */
export const search: StrategyEntry = {
  id: "search",
  title: "Search with a model",
  description:
    "The rulebook begins, then a model works in rounds from an archive of versions; what was tried is told to every round.",
  needsModel: true,
  roles: ["judge", "planner", "tester"],
  make: async ({ files, clock, model, rules, parse }) => {
    const opened = await model();
    const numbers = new Numbers();
    const { tester, ...roles } = openedRoles(opened, clock, numbers);
    const strategy = searchStrategy({
      ...opened,
      ...roles,
      numbers,
      files,
      clock,
      rulebook: { rules, parse },
    });
    return { strategy, ...(tester && { tester }), model: opened.provider.model };
  },
};

/** What a round proposes. */
interface Found {
  readonly round: Round;
  readonly proposal: CandidateProposal;
}

/** Rounds without any candidate that end it all. */
const barrenMost = 6;
/** The most that the rulebook may take of the budget of candidates. */
const rulebookShare = 0.3;

interface SearchOptions extends Omit<RefineOptions, "opening" | "wholeState" | "talk"> {
  /** Picks what a round starts from; the engine does when left out. */
  readonly planner?: Planner;
}

/**
 * Rules first, then rounds, side by side where the machine has the cores. Each round is a conversation of its
 * own that starts from a version of the archive and is left when it gains nothing; what it found stays in the
 * archive.
 */
export function searchStrategy(options: SearchOptions): Strategy {
  return new SearchStrategy(options);
}

class SearchStrategy implements Strategy {
  readonly name = search.id;
  private readonly numbers: Numbers;
  private readonly rules: Strategy;
  private open: Round[] = [];
  /** Those that wait for verdicts, in the order of their proposals. */
  private asked: readonly Round[] = [];
  private rounds = 0;
  private barren = 0;
  private left: ReadonlySet<string> = new Set();
  private readonly archive = new Archive();

  constructor(private readonly options: SearchOptions) {
    this.numbers = options.numbers ?? new Numbers();
    this.rules = rulebookStrategy(options.rulebook);
  }

  state(): JsonObject {
    const { rounds, barren, open } = this;
    const [only] = open;
    // Of several conversations none goes on after an interruption; their candidates are in the archive.
    const kept =
      only !== undefined && only.isAlone
        ? { parent: only.parent, own: only.own, inner: only.strategy.state() }
        : null;
    return { rounds, barren, left: [...this.left], open: kept };
  }

  async restore(resumed: StrategyResume): Promise<void> {
    const { rounds, barren, left, open } = resumed.state;
    this.rounds = typeof rounds === "number" ? rounds : 0;
    this.barren = typeof barren === "number" ? barren : 0;
    this.left = new Set(textsOf(left));
    // Restoring counts what the log holds, whether or not the round goes on.
    const strategy = refineStrategy(this.conversation());
    const { parent, own, inner } = asObject(open);
    await strategy.restore?.({ ...resumed, state: asObject(inner) });
    if (typeof parent !== "string") return;
    const newest = newestConversation(resumed.events);
    const isOver = newest.id !== asObject(inner).conversation;
    const round = new Round({
      number: this.rounds,
      parent,
      // The newest of them came after the checkpoint.
      own: [...new Set([...textsOf(own), ...(isOver ? [] : newest.candidates)])],
      // A conversation that began after it is that of a round which had not come to a checkpoint.
      isOver,
      strategy,
    });
    this.open = [round];
    this.asked = [round];
  }

  learn(judged: JudgedCandidate): void {
    this.archive.take(judged);
    // Of a session that goes on: what a round brings while it runs, `tell` hands to it.
    for (const round of this.open) round.recall(judged);
  }

  async propose(context: StrategyContext, signal: AbortSignal): Promise<Proposal> {
    const floor = atFloor(context);
    if (floor !== undefined) return { kind: "done", ending: "at-floor", reason: floor };
    this.tell(context);
    const seed = await this.seed(context, signal);
    if (seed) return seed;
    const most = roundsAtOnce(context);
    const found: Found[] = [];
    let end: Proposal | undefined;
    while (found.length < most && end === undefined) {
      const answers = await this.askBeside(context, { beside: found, most }, signal);
      for (const { round, proposal } of answers)
        if (proposal.kind === "candidate") found.push({ round, proposal });
        else end ??= this.endOf(round, proposal);
    }
    // What was found is judged first; the next question brings the end again.
    if (found.length === 0 && end !== undefined) return end;
    this.asked = found.map(({ round }) => round);
    const each = found.map(({ proposal }) => proposal);
    const [only] = each;
    return only !== undefined && each.length === 1 ? only : { kind: "candidates", each };
  }

  /** Asks as many rounds at the same time as are wanted beside those that brought something already. */
  private async askBeside(
    context: StrategyContext,
    { beside, most }: { readonly beside: readonly Found[]; readonly most: number },
    signal: AbortSignal,
  ): Promise<readonly { readonly round: Round; readonly proposal: Proposal }[]> {
    const taken = beside.map(({ round }) => round);
    const rounds: Round[] = [];
    while (taken.length + rounds.length < most)
      rounds.push(await this.nextRound(context, [...taken, ...rounds], signal));
    if (this.open.length > 1) for (const round of this.open) round.isAlone = false;
    return context.baton.share(
      rounds.map((round) => async () => {
        const feedback = round.owed;
        round.owed = undefined;
        const own = { ...context, feedback, feedbacks: feedback === undefined ? [] : [feedback] };
        return { round, proposal: await round.strategy.propose(own, signal) };
      }),
    );
  }

  /** Hands each verdict to the round whose candidate it is about. */
  private tell({ feedbacks }: StrategyContext): void {
    for (const [index, round] of this.asked.entries()) {
      const feedback = feedbacks[index];
      round.owed = feedback;
      if (feedback?.kind === "judged") round.bring(feedback.judged);
    }
    this.asked = [];
  }

  /** A rewrite of the rulebook, as long as no conversation waits for a verdict. */
  private async seed(context: StrategyContext, signal: AbortSignal): Promise<Proposal | undefined> {
    if (this.open.length > 0) return undefined;
    const { candidates, budget } = context;
    const used = candidates.filter(({ origin }) => origin.startsWith("rulebook:")).length;
    if (used >= Math.floor(budget.limits.candidates * rulebookShare)) return undefined;
    const proposal = await this.rules.propose(context, signal);
    return proposal.kind === "candidate" ? proposal : undefined;
  }

  /**
   * A round that goes on and was not asked yet, or a new one where there is none or it gained nothing for
   * long.
   */
  private async nextRound(
    context: StrategyContext,
    asked: readonly Round[],
    signal: AbortSignal,
  ): Promise<Round> {
    const waiting = this.open.find((round) => !asked.includes(round));
    if (waiting && !waiting.isStalled) return waiting;
    if (waiting) this.close(waiting);
    const continued = this.rounds === 0 ? context.continued : undefined;
    const avoid = new Set([...this.left, ...this.open.map((round) => round.parent)]);
    const plan = continued === undefined ? await this.plan(context, avoid, signal) : undefined;
    const chosen = plan?.parent ?? chooseParent(this.archive, context, avoid);
    const parent = continued && isCorrect(continued) ? continued : chosen;
    const partner = isCorrect(parent) ? choosePartner(this.archive, parent) : undefined;
    this.rounds += 1;
    const isDigging = budgetLeft(context) < digBelow;
    const scratch = (continued ?? parent).candidate.id;
    const text = roundText(this.options.prompts, context, {
      number: this.rounds,
      parent,
      scratch,
      partner,
      elites: this.archive.niches.map(({ elite }) => elite.candidate.id),
      isDigging,
    });
    const told = plan === undefined ? text : `${text}\n\n${plan.text}`;
    const opening = { start: parent, text: told, ...(continued && { files: continued }) };
    const round = new Round({
      number: this.rounds,
      parent: scratch,
      strategy: refineStrategy({ ...this.conversation(), opening }),
    });
    round.startFrom(continued ?? parent);
    this.open.push(round);
    return round;
  }

  /** What the planner picks, where there is one and a choice. */
  private async plan(
    context: StrategyContext,
    avoid: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Plan | undefined> {
    const { planner } = this.options;
    if (planner === undefined || budgetLeft(context) < digBelow) return undefined;
    const versions = versionsOffered(this.archive, avoid);
    if (versions.length === 0) return undefined;
    return planner.pick(versions, { context, numbers: this.numbers, signal });
  }

  private conversation(): RefineOptions {
    return { ...this.options, numbers: this.numbers, wholeState: () => this.state() };
  }

  /** Leaves a round that proposes nothing; gives the end of it all, if that is it. */
  private endOf(round: Round, proposal: Exclude<Proposal, CandidateProposal>): Proposal | undefined {
    if (proposal.kind !== "done") return proposal;
    this.close(round);
    if (this.barren < barrenMost) return undefined;
    return {
      ...proposal,
      reason: `${this.barren} rounds in a row brought no candidate; the last: ${proposal.reason}`,
    };
  }

  /** Its start is left alone for as long as there are others. */
  private close(round: Round): void {
    this.barren = round.own.length === 0 ? this.barren + 1 : 0;
    // A version that was beaten in its niche is offered no more, so nobody need avoid it.
    const elites = new Set(this.archive.niches.map(({ elite }) => elite.candidate.id));
    this.left = new Set([...this.left, round.parent].filter((id) => elites.has(id)));
    this.open = this.open.filter((each) => each !== round);
  }
}

/** How many rounds go on side by side: on as many cores, as long as there is budget for wide steps. */
function roundsAtOnce(context: StrategyContext): number {
  const { limits, used } = context.budget;
  if (budgetLeft(context) < digBelow) return 1;
  return Math.max(1, Math.min(context.trials.atOnce, limits.candidates - used.candidates));
}

/** The conversation that the log ends with, and the candidates that came of it. */
function newestConversation(events: StrategyResume["events"]): {
  readonly id: string | undefined;
  readonly candidates: readonly string[];
} {
  const began = events.findLastIndex((event) => event.type === "message.system" && !isOfRole(event));
  const first = events[began];
  const candidates = events
    .slice(began + 1)
    .flatMap((event) => (event.type === "candidate.created" ? [event.data.candidate] : []));
  return { id: first?.type === "message.system" ? first.data.message : undefined, candidates };
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
