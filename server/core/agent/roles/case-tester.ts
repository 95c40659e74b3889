import type { Clock } from "../../ports/clock";
import type { ChallengeOutcome } from "../../ports/evaluator";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { known } from "../../base/known";
import { specialVariants } from "../../judge/further-variants";
import type { CorrectVerdict, FailedVerdict } from "../../judge/verdict";
import { type ChallengedCase, describeChallengedCase } from "../../trajectory/challenged";
import type { SessionEvent } from "../../trajectory/events";
import { describeVerdict, failedShape } from "../../words/describe";
import { describeMadeUp } from "../../words/made-up";
import { mostFloat, mostGrowth, takesMadeUpCases } from "../../workload/made-up-case";
import { visibleSpec } from "../dialogue/task-text";
import type { Numbers } from "../dialogue/dialogue";
import type { OpenedModel } from "../strategies/entry";
import type { CorrectCandidate, SharedContext, StrategyContext } from "../strategy";
import type { RoleOptions } from "./bottleneck-judge";
import { RoleModel } from "./role-model";
import { keyOf, mostCases, readTesterAnswer, type TesterAnswer, type TesterCase } from "./tester-answer";

/** What a tester works with: the session, and what runs a case on the original and the candidate. */
export interface ChallengeSession<Context = SharedContext> {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly run: (made: TesterCase) => Promise<ChallengeOutcome>;
}

/** Tries to refute candidates that passed the full check. */
export interface Tester {
  /** The verdict where a case fails on the candidate and not on the original; undefined where none does. */
  challenge(
    judged: Pick<CorrectCandidate, "candidate" | "verdict">,
    session: ChallengeSession,
  ): Promise<FailedVerdict | undefined>;
  /** Takes up what the log says of earlier cases. */
  restore(events: readonly SessionEvent[]): void;
}

/** Characters of a file that a tester is shown. */
const longestSource = 40_000;
/** Earlier cases that a tester is told of. */
const toldBefore = 24;
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
        task: this.task(context, candidate),
        read: (text) => readTesterAnswer(text, context.spec, before),
      },
      { context, numbers: this.numbers, signal },
    );
    return answer ?? { cases: [], refused: [] };
  }

  private task(context: StrategyContext, { id, tree, hypothesis }: CorrectCandidate["candidate"]): string {
    const { spec, file, baseline } = context;
    const language = spec.dialect === "cuda" ? "cuda" : "python";
    const source = (files: typeof tree): string =>
      fenced(known(files[file], "the kernel's file").slice(0, longestSource), language);
    const special = specialVariants(spec);
    const earlier = this.earlier.slice(-toldBefore).map((each) => `- ${describeChallengedCase(each)}`);
    return renderPrompt(this.options.prompts["tester-task"], {
      ...{ kernel: spec.kernel, file, candidate: id, hypothesis },
      spec: fenced(visibleSpec(context)),
      special: special.length === 0 ? "none" : special.join(", "),
      growth: String(mostGrowth),
      most: String(mostFloat),
      cases: String(mostCases),
      before: source(baseline.candidate.tree),
      after: source(tree),
      earlier: earlier.length === 0 ? "None yet." : earlier.join("\n"),
    });
  }

  /** Runs cases until one refutes the candidate or the minutes are used up. */
  private async runAll(
    cases: readonly TesterCase[],
    { judged, session, ran }: Running,
  ): Promise<FailedVerdict | undefined> {
    for (const made of cases) {
      if (session.context.budget.beforeTrial().kind === "limit") return undefined;
      const outcome = await session.run(made);
      const verdict = verdictOf(outcome, made, judged.verdict);
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

/** The tester of a session, where the user gave it a model. `numbers`: those of the strategy's talk. */
export function testerOf(
  { roles, prompts }: Pick<OpenedModel, "roles" | "prompts">,
  clock: Clock,
  numbers: Numbers,
): { readonly tester?: Tester } {
  return roles.tester === undefined
    ? {}
    : { tester: caseTester({ provider: roles.tester, prompts, clock }, numbers) };
}

/** A tester that asks a model of its own. */
export function caseTester(
  options: RoleOptions & { readonly prompts: PromptTexts },
  numbers: Numbers,
): Tester {
  return new CaseTester(options, numbers);
}

function resultOf(
  outcome: ChallengeOutcome,
  verdict: FailedVerdict | undefined,
): Pick<ChallengedCase, "outcome" | "reason"> {
  if (outcome.kind === "void") return { outcome: "void", reason: outcome.reason };
  return verdict === undefined
    ? { outcome: "passed", reason: "" }
    : { outcome: "failed", reason: describeVerdict(verdict) };
}

/** The verdict on a candidate that a case refutes. */
function verdictOf(
  outcome: ChallengeOutcome,
  { why, inputs, sizes }: TesterCase,
  { cases, facts }: CorrectVerdict,
): FailedVerdict | undefined {
  const madeUp = { why, ...(inputs && { inputs }) };
  switch (outcome.kind) {
    case "passed":
    case "void":
      return undefined;
    case "failed":
      return { kind: "wrong", tier: "full", cases: [...cases, { ...outcome.checked, madeUp }], facts };
    case "did-not-run": {
      const where = `${failedShape({ sizes })}${describeMadeUp(madeUp)}: `;
      const findings = outcome.findings.map((finding, index) =>
        index === 0 ? { ...finding, message: `${where}${finding.message}` } : finding,
      );
      return { ...outcome, reason: `${where}${outcome.reason}`, findings };
    }
  }
}
