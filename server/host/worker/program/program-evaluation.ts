import { faultsOf, firstError } from "../evaluation/failed-run";
import { known } from "../../../core/base/known";
import type { SourceTree } from "../../../core/judge/candidate";
import { printedDifference } from "../../../core/judge/printed";
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
import { loosen } from "../judging/thread-order";
import { type ContentPair, type Matched, matchContents } from "./last-contents";
import { OtherNumbers } from "./other-numbers";
import { judgedInAnyOrder, type Reordered } from "./reordered-contents";
import { type ProgramPrice, programPrice } from "./program-price";
import type { ProgramRan, ProgramRunOutcome, ProgramRuns, ProgramRunsOptions } from "./program-run";

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
  private readonly otherNumbers: OtherNumbers;

  constructor(private readonly options: ProgramEvaluationOptions) {
    const { task, runs } = options;
    this.otherNumbers = new OtherNumbers(task.baseline, runs, (matched, signal) =>
      this.judge(matched, signal),
    );
  }

  compile(tree: SourceTree, signal: AbortSignal): ReturnType<Evaluation["compile"]> {
    return this.options.inner.compile(tree, signal);
  }

  code(tree: SourceTree, signal: AbortSignal): ReturnType<Evaluation["code"]> {
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
    const ran = await this.options.runs.run(request.tree, request.signal);
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
    const [ran, again] = [await runs.run(task.baseline, signal), await runs.run(task.baseline, signal)];
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
    const contents = before.outcome.program.lastContents;
    const repeated = matchContents(contents, again.outcome.program.lastContents, about);
    const paired = matchContents(contents, now.outcome.program.lastContents, about);
    if (!paired.ok) return refused(paired.problem);
    if (!repeated.ok) return refused(repeated.problem);
    if (paired.value.pairs.length === 0) return refused("nothing that its kernel changes can be compared");
    const compared = { baseline: task.baseline, contents, about, paired: paired.value };
    const judge = (reordered?: Reordered): Promise<OracleJudgement | undefined> =>
      this.judge(paired.value, signal, reordered);
    const judged = await judgedInAnyOrder(runs, compared, { judge, signal });
    const steady = await this.judge(repeated.value, signal);
    if (judged === undefined || steady === undefined)
      return refused("its kernel changes only a part of the spec's outputs in the program");
    if (!steady.passed)
      return refused(
        "the program as it was leaves other results each time it is run: nothing can be compared",
      );
    const { faults, told } = faultsOf(now.run.findings, judged.passed);
    const findings = [
      ...faults,
      ...this.differences(before, again, now),
      ...(await this.hostMade(before, now, paired.value, signal)),
    ];
    const isRight = tier === "full" && judged.passed && findings.length === 0;
    const blind = isRight && (await this.otherNumbers.of({ before, now, tree, about, signal }));
    if (blind && blind.kind === "unseen") return refused(blind.why);
    if (blind) findings.push(this.finding("knows-its-input", blind.why));
    const price = programPrice({ before, now, bound, recorded: counters }, task);
    if (price === undefined) return refused("its kernel changes nothing in the program");
    return checked(now, { judged, findings, told, price }, known(shapes[0], "a shape of the spec"));
  }

  /** Compares contents with the tolerances of the spec; undefined where they are all outputs of no shape. */
  private async judge(
    { pairs, shownAlone }: Matched,
    signal: AbortSignal,
    reordered?: Reordered,
  ): Promise<OracleJudgement | undefined> {
    const { oracle, shapes } = this.options;
    let judged: OracleJudgement | undefined;
    for (const shape of shapes) {
      const fitting = shape.outputs.map(({ name, bytes }) => {
        const own = pairs.filter(
          ({ output, before }) => output === name && before.content.byteLength === bytes,
        );
        return own.length === 0 && shownAlone ? [unseen(name, bytes)] : own;
      });
      const isNone = fitting.flat().every((pair) => !pairs.includes(pair));
      const rounds =
        isNone || fitting.some((each) => each.length === 0)
          ? 0
          : Math.max(...fitting.map(({ length }) => length));
      if (rounds === 0) continue;
      const made = await oracle.make(shape, "declared", signal);
      for (let round = 0; round < rounds && judged?.passed !== false; round += 1) {
        const chosen = fitting.map((each) => known(each[Math.min(round, each.length - 1)], "an allocation"));
        const outputs = chosen.map(({ before }) => before.content);
        await oracle.expect(made, { outputs }, signal);
        if (reordered !== undefined) {
          const other = chosen.map(({ before }) => reordered.get(before) ?? before.content);
          await loosen(oracle, { prepared: made, runs: [outputs, other] }, signal);
        }
        judged = await oracle.judge(
          made,
          chosen.map(({ now }) => now.content),
          signal,
        );
      }
      await oracle.forget(made);
    }
    return judged;
  }

  private finding(kind: string, message: string): Finding {
    const { task, program } = this.options;
    return { kind, file: inFolder(task.specFolder, program.file), line: 0, message };
  }

  private differences(before: ProgramRan, again: ProgramRan, now: ProgramRan): readonly Finding[] {
    const [old, repeated, present] = [before.outcome.program, again.outcome.program, now.outcome.program];
    const difference = printedDifference(old.printed, repeated.printed, present.printed);
    return [
      ...(old.code === present.code
        ? []
        : [this.finding("exit", `the program ends with ${present.code}, the original with ${old.code}`)]),
      ...(difference === undefined
        ? []
        : [
            this.finding(
              "printed",
              `the program prints "${difference.now}", the original "${difference.before}"`,
            ),
          ]),
    ];
  }

  /** Work that host code does is not priced: results have to come from kernels. */
  private async hostMade(
    before: ProgramRan,
    now: ProgramRan,
    { pairs, shownAlone }: Matched,
    signal: AbortSignal,
  ): Promise<readonly Finding[]> {
    const { task } = this.options;
    const file = inFolder(task.specFolder, task.spec.file);
    const finding = (message: string): readonly Finding[] => [
      { kind: "host-computed", file, line: 0, message },
    ];
    const unwritten = pairs.find((pair) => pair.now.writers.length === 0);
    if (unwritten !== undefined)
      return finding(`no kernel of the program changes ${unwritten.output} any more`);
    const old = before.run.hostWritten;
    const added = now.run.hostWritten.filter((content) => !old.some((each) => isEqual(each, content)));
    for (const content of added)
      for (const pair of pairs) {
        if (content.byteLength !== pair.before.content.byteLength) continue;
        const instead = pairs.map((each) =>
          each === pair ? { ...pair, now: { content, isPassedOn: false, writers: [] } } : each,
        );
        if ((await this.judge({ pairs: instead, shownAlone }, signal))?.passed === true)
          return finding(`the host code computed ${pair.output} itself; the kernels were handed the answer`);
      }
    return [];
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

/** An output that the program never looks at: it is like itself. */
function unseen(output: string, bytes: number): ContentPair {
  const content = { content: new Uint8Array(bytes), isPassedOn: false, writers: [] };
  return { output, before: content, now: content };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
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

function whyNot(run: Exclude<ProgramRunOutcome, ProgramRan>): string {
  switch (run.kind) {
    case "did-not-compile":
      return firstError(run);
    case "timed-out":
      return `it takes longer than ${run.limitSeconds} s`;
    default:
      return run.reason;
  }
}
