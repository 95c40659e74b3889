import { renderPrompt } from "../../prompts/render";
import type { FailedVerdict } from "../../judge/verdict";
import type { ChallengedCase } from "../../trajectory/talk/challenged";
import type { SessionEvent } from "../../trajectory/events";
import { beyondSpec, takesMadeUpCases } from "../../workload/cases/made-up-case";
import type { Numbers } from "../dialogue/dialogue";
import type { ChallengeSession, CorrectCandidate, StrategyContext, Tester } from "../strategy";
import type { RoleOptions } from "./bottleneck-judge";
import { resultOf, verdictOfCase } from "./challenge-result";
import { RoleModel } from "./role-model";
import { keyOf, readTesterAnswer, type TesterAnswer, type TesterCase } from "./tester-answer";
import { testerTask } from "./tester-task";

const nothing: TesterAnswer = { cases: [], refused: [] };

/** Cases that have failed before are run again on each later candidate: so many, the newest. */
const keptCases = 8;

/** The model that is asked for cases. */
interface Asked {
  readonly model: RoleModel;
  readonly options: RoleOptions;
  readonly numbers: Numbers;
}

/**
 * Runs cases against each candidate that would become the best one: those that refuted one before, in this
 * session or in an earlier one on the kernel, and those that a model makes up, where one is asked.
 */
class CaseTester implements Tester {
  private earlier: readonly ChallengedCase[] = [];

  constructor(private readonly asked: Asked | undefined) {}

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
    let verdict = await this.runAll(this.kept(context), running);
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

  /** Cases that refuted a candidate of this session or of an earlier one, as far as the spec allows them. */
  private kept({ past, spec }: StrategyContext): readonly TesterCase[] {
    const before = past.sessions.toReversed().flatMap(({ refuting }) => refuting);
    const all = [...before, ...this.earlier.filter(({ outcome }) => outcome === "failed")];
    // The newest stands last, also where it failed before.
    const found = new Map<string, ChallengedCase>();
    for (const each of all) {
      found.delete(keyOf(each));
      found.set(keyOf(each), each);
    }
    return [...found.values()]
      .filter((made) => beyondSpec(spec, made) === undefined)
      .slice(-keptCases)
      .map(({ outcome: _, reason: __, ...made }) => made);
  }

  private async ask(
    { candidate }: Pick<CorrectCandidate, "candidate">,
    { context, signal }: ChallengeSession<StrategyContext>,
    ran: readonly ChallengedCase[],
  ): Promise<TesterAnswer> {
    if (this.asked === undefined) return nothing;
    const { model, options, numbers } = this.asked;
    const before = new Set(ran.map(keyOf));
    const answer = await model.ask<TesterAnswer>(
      {
        system: renderPrompt(options.prompts["tester-system"], {}),
        task: testerTask(options.prompts, context, { candidate, earlier: this.earlier }),
        read: (text) => readTesterAnswer(text, context.spec, before),
      },
      { context, numbers, signal },
    );
    return answer ?? nothing;
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
  return new CaseTester({ model: new RoleModel({ ...options, role: "tester" }), options, numbers });
}

/** A tester that asks nobody: cases that refuted a candidate before are run again. */
export function keptCaseTester(): Tester {
  return new CaseTester(undefined);
}
