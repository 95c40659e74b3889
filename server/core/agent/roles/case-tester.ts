import { renderPrompt } from "../../prompts/render";
import type { FailedVerdict } from "../../judge/verdict";
import type { ChallengedCase } from "../../trajectory/talk/challenged";
import type { SessionEvent } from "../../trajectory/events";
import { takesMadeUpCases } from "../../workload/cases/made-up-case";
import type { Numbers } from "../dialogue/dialogue";
import type { ChallengeSession, CorrectCandidate, StrategyContext, Tester } from "../strategy";
import type { RoleOptions } from "./bottleneck-judge";
import { resultOf, verdictOfCase } from "./challenge-result";
import { RoleModel } from "./role-model";
import { keyOf, readTesterAnswer, type TesterAnswer, type TesterCase } from "./tester-answer";
import { testerTask } from "./tester-task";

/** Cases that have failed before are run again on each later candidate: so many, the newest. */
const keptCases = 8;

/** A model of its own that makes up cases against each candidate that would become the best one. */
class CaseTester implements Tester {
  private readonly model: RoleModel;
  private readonly system: string;
  private earlier: readonly ChallengedCase[] = [];

  constructor(
    private readonly options: RoleOptions,
    private readonly numbers: Numbers,
  ) {
    this.model = new RoleModel({ ...options, role: "tester" });
    this.system = renderPrompt(options.prompts["tester-system"], {});
  }

  restore(events: readonly SessionEvent[]): void {
    this.earlier = events.flatMap((event) => (event.type === "candidate.challenged" ? event.data.cases : []));
  }

  async challenge(
    judged: Pick<CorrectCandidate, "candidate" | "verdict">,
    session: ChallengeSession<StrategyContext>,
  ): Promise<FailedVerdict | undefined> {
    const { context } = session;
    if (!takesMadeUpCases(context.spec)) return undefined;
    const ran: ChallengedCase[] = [];
    const running = { judged, session, ran };
    let verdict = await this.runAll(this.kept(), running);
    let refused: readonly string[] = [];
    if (verdict === undefined) {
      const answer = await this.ask(judged, session, ran);
      verdict = await this.runAll(answer.cases, running);
      ({ refused } = answer);
    }
    this.earlier = [...this.earlier, ...ran];
    if (ran.length + refused.length > 0)
      await context.recorder.append("candidate.challenged", "engine", {
        candidate: judged.candidate.id,
        cases: ran,
        ...(refused.length > 0 && { refused }),
      });
    return verdict;
  }

  /** Cases that refuted a candidate of this session. */
  private kept(): readonly TesterCase[] {
    const found = new Map(
      this.earlier.filter(({ outcome }) => outcome === "failed").map((each) => [keyOf(each), each]),
    );
    return [...found.values()].slice(-keptCases).map(({ outcome: _, reason: __, ...made }) => made);
  }

  private async ask(
    { candidate }: Pick<CorrectCandidate, "candidate">,
    { context, signal }: ChallengeSession<StrategyContext>,
    ran: readonly ChallengedCase[],
  ): Promise<TesterAnswer> {
    const before = new Set(ran.map(keyOf));
    const answer = await this.model.ask<TesterAnswer>(
      {
        system: this.system,
        task: testerTask(this.options.prompts, context, { candidate, earlier: this.earlier }),
        read: (text) => readTesterAnswer(text, context.spec, before),
      },
      { context, numbers: this.numbers, signal },
    );
    return answer ?? { cases: [], refused: [] };
  }

  /** Runs cases until one refutes the candidate or the minutes are used up. */
  private async runAll(
    cases: readonly TesterCase[],
    { judged, session, ran }: Running,
  ): Promise<FailedVerdict | undefined> {
    for (const made of cases) {
      if (session.context.budget.beforeTrial().kind === "limit") return undefined;
      const outcome = await session.run(made);
      const verdict = verdictOfCase(outcome, made, judged.verdict);
      ran.push({ ...made, ...resultOf(outcome, verdict) });
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }
}

interface Running {
  readonly judged: Pick<CorrectCandidate, "candidate" | "verdict">;
  readonly session: ChallengeSession;
  readonly ran: ChallengedCase[];
}

/** A tester that asks a model of its own. */
export function caseTester(options: RoleOptions, numbers: Numbers): Tester {
  return new CaseTester(options, numbers);
}
