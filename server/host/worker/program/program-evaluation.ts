import { faultsOf, firstError } from "../evaluation/failed-run";
import { known } from "../../../core/base/known";
import type { Finding, ModelledBound } from "../../../core/judge/verdict";
import type {
  ChallengeOutcome,
  ChallengeRequest,
  CheckOutcome,
  CheckRequest,
  Evaluation,
} from "../../../core/ports/evaluator";
import type { KernelCounters } from "../../../core/timing/counters";
import type { LaunchSpec } from "../../../core/workload/spec";
import { inFolder, type OracleJudgement, type OracleSession } from "../evaluation/oracle-session";
import { ContentJudge } from "./content-judge";
import { againstExactSums } from "./exact-sums";
import { hostMade } from "./host-made";
import { differentEnds, matchRuns, saidBefore } from "./match-runs";
import { OtherNumbers } from "./other-numbers";
import { judgedInAnyOrder, type Reordered } from "./reordered-contents";
import { type ProgramPrice, programPrice } from "./program-price";
import {
  type ProgramRan,
  type ProgramRunOutcome,
  type ProgramRuns,
  type ProgramRunsOptions,
  whyNot,
} from "./program-run";

interface ProgramEvaluationOptions extends ProgramRunsOptions {
  /** Judges what the recorded launches show. */
  readonly inner: Evaluation;
  readonly oracle: OracleSession;
  readonly launch: LaunchSpec;
  readonly runs: ProgramRuns;
}

/** The program as it was: two runs, and what its recorded launches cost. */
interface Original {
  readonly ran: ProgramRan;
  readonly again: ProgramRan;
  /** Of the recorded launches; undefined where they could not be checked. */
  readonly bound: ModelledBound | undefined;
  readonly counters: KernelCounters | undefined;
}

/** What was found of a candidate's program. */
interface Judged {
  readonly judged: OracleJudgement;
  readonly findings: readonly Finding[];
  readonly told: readonly string[];
  readonly price: ProgramPrice;
}

/**
 * Judges the candidates of a recorded program. Where only device code is changed, the recorded launches are
 * replayed; a change of host code is judged by running the whole program, before and after.
 */
export class ProgramEvaluation implements Evaluation {
  private original: Promise<Original | string> | undefined;
  private readonly contents: ContentJudge;
  private readonly otherNumbers: OtherNumbers;
  private readonly otherExactNumbers: OtherNumbers;
  /** The candidate that was run last: its quick and its full check look at the same run. */
  private last: { readonly text: string; readonly ran: ProgramRan } | undefined;

  constructor(private readonly options: ProgramEvaluationOptions) {
    const { task, runs, oracle, shapes } = options;
    this.contents = new ContentJudge(oracle, shapes);
    this.otherNumbers = new OtherNumbers(task.baseline, runs, this.contents);
    this.otherExactNumbers = new OtherNumbers(task.baseline, runs, this.contents, true);
  }

  compile(tree: CheckRequest["tree"], signal: AbortSignal): ReturnType<Evaluation["compile"]> {
    return this.options.inner.compile(tree, signal);
  }

  code(tree: CheckRequest["tree"], signal: AbortSignal): ReturnType<Evaluation["code"]> {
    return this.options.inner.code(tree, signal);
  }

  /** A case is run by the spec's launch, without host code. */
  async challenge(request: ChallengeRequest): Promise<ChallengeOutcome> {
    const { inner, compiler, task } = this.options;
    const changesHost = await compiler.changesHostCode(task.baseline, request.tree);
    if (changesHost || inner.challenge === undefined)
      return { kind: "void", reason: "its host code is judged by the whole program alone" };
    return inner.challenge(request);
  }

  async check(request: CheckRequest): Promise<CheckOutcome> {
    const { inner, compiler, task } = this.options;
    if (!(await compiler.changesHostCode(task.baseline, request.tree))) return inner.check(request);
    const original = await this.ofBaseline(request.signal);
    if (typeof original === "string") return refused(original);
    const ran = await this.runCandidate(request);
    if (ran.kind === "did-not-compile")
      return {
        kind: "did-not-run",
        reason: firstError(ran),
        findings: [],
      };
    if (ran.kind !== "ran") return ran;
    return this.compare(original, ran, request);
  }

  close(): Promise<void> {
    return this.options.inner.close();
  }

  private async runCandidate({ tree, signal }: CheckRequest): Promise<ProgramRunOutcome> {
    const text = JSON.stringify(tree);
    if (this.last?.text === text) return this.last.ran;
    const ran = await this.options.runs.run(tree, signal);
    this.last = ran.kind === "ran" ? { text, ran } : undefined;
    return ran;
  }

  private ofBaseline(signal: AbortSignal): Promise<Original | string> {
    this.original ??= this.runBaseline(signal);
    this.original.catch(() => {
      this.original = undefined;
    });
    return this.original;
  }

  /** A text says why nothing can be compared with the program as it was. */
  private async runBaseline(signal: AbortSignal): Promise<Original | string> {
    const { inner, runs, task } = this.options;
    const ran = await runs.run(task.baseline, signal);
    const again = await runs.run(task.baseline, signal, { plain: true });
    if (ran.kind !== "ran") return `the program as it was does not run here: ${whyNot(ran)}`;
    if (again.kind !== "ran") return `the program as it was does not run a second time: ${whyNot(again)}`;
    const own = await inner.check({ tree: task.baseline, tier: "quick", counters: true, signal });
    const { bound, counters } = own.kind === "checked" ? own : {};
    return { ran, again, bound, counters };
  }

  private async compare(
    { ran: before, again, bound, counters }: Original,
    now: ProgramRan,
    { tree, tier, signal }: CheckRequest,
  ): Promise<CheckOutcome> {
    const { task, launch, shapes, runs } = this.options;
    const sizes = new Set(shapes.flatMap(({ outputs }) => outputs.map(({ bytes }) => bytes)));
    const about = { kernel: task.spec.kernel, launch, sizes };
    const matched = matchRuns({ before, again, now }, about);
    if (!matched.ok) return refused(matched.problem);
    const { paired, repeated } = matched.value;
    const { contents } = this;
    const originals = { baseline: task.baseline, contents: before.outcome.program.lastContents, about };
    const judge = (reordered?: Reordered): ReturnType<ContentJudge["judge"]> =>
      contents.judge(paired, signal, reordered);
    const judged = await judgedInAnyOrder(runs, { ...originals, paired }, { judge, signal });
    const steady = await contents.judge(repeated, signal);
    if (judged === undefined || steady === undefined)
      return refused("its kernel changes only a part of the spec's outputs in the program");
    if (!steady.passed)
      return refused(
        "the program as it was leaves other results each time it is run: nothing can be compared",
      );
    const summed = await againstExactSums(judged, {
      ...{ before, now, about, runs, contents, signal },
      baseline: task.baseline,
    });
    const final = summed ?? { judged, original: before, matched: paired, remarks: [] };
    const { faults, told } = faultsOf(now.run.findings, final.judged.passed);
    const findings = [
      ...faults,
      ...differentEnds(final.original, again, now).map(({ kind, message }) => this.finding(kind, message)),
      ...(await hostMade({ before, now, matched: final.matched, contents, signal })).map((message) =>
        this.finding("host-computed", message),
      ),
    ];
    const isRight = tier === "full" && final.judged.passed && findings.length === 0;
    const others = summed === undefined ? this.otherNumbers : this.otherExactNumbers;
    const blind = isRight && (await others.of({ before: final.original, now, tree, about, signal }));
    if (blind && blind.kind === "unseen") return refused(blind.why);
    if (blind) findings.push(this.finding("knows-its-input", blind.why));
    const price = programPrice({ before, now, bound, recorded: counters }, task);
    if (price === undefined) return refused("its kernel changes nothing in the program");
    const remarks = [...told, ...final.remarks, ...saidBefore(before)];
    const found = { judged: final.judged, findings, told: remarks, price };
    return checked(now, found, known(shapes[0], "a shape of the spec"));
  }

  private finding(kind: string, message: string): Finding {
    const { task, program } = this.options;
    return { kind, file: inFolder(task.specFolder, program.file), line: 0, message };
  }
}

function checked(
  now: ProgramRan,
  { judged, findings, told, price }: Judged,
  { shape }: ProgramRunsOptions["shapes"][number],
): CheckOutcome {
  const { launches, bound, kernels, counters } = price;
  return {
    kind: "checked",
    cases: [
      {
        shape,
        inputs: "declared",
        passed: judged.passed && findings.length === 0,
        tolerance: judged.tolerance,
        ...(judged.mismatch === undefined ? {} : { mismatch: judged.mismatch }),
        findings,
        remarks: [...now.run.remarks, ...told, judgedByProgram(kernels)],
      },
    ],
    counters,
    facts: now.run.facts,
    profiledShape: shape,
    ...(bound === undefined ? {} : { bound }),
    launches,
  };
}

function judgedByProgram(kernels: number): string {
  return `the candidate changes host code: its whole program was run, and compared with the program as it was in what its kernels leave, what it prints and how it ends; the price is that of ${kernels} ${kernels === 1 ? "kernel" : "kernels"}`;
}

function refused(why: string): CheckOutcome {
  return {
    kind: "refused",
    reason: `the candidate changes host code, which its whole program has to show: ${why}. Change the kernel alone; or judge the host function that launches it, as the spec's entry`,
  };
}
