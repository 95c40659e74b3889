import { verdictOfCheck, verdictOfCompile } from "../../core/agent/verdict-of";
import { t } from "../../core/base/localized";
import { OperationalError } from "../../core/base/operational-error";
import type { KernelSpec } from "../../core/workload/spec";
import { problemAt } from "../../core/workload/spec-parse";
import type { KernelProfile } from "../../core/words/profile";
import type { Finding, Tier, Verdict } from "../../core/judge/verdict";
import { describeVerdict } from "../../core/words/describe";
import type { CheckRequest, EvaluationTask, Evaluator, SimulateLong } from "../../core/ports/evaluator";
import type { FileReader } from "../../core/ports/files";
import type { Identity } from "../../core/ports/identity";
import type {
  BuildService,
  FoundSpec,
  JudgeQuestion,
  JudgeService,
  KernelName,
  SpecService,
} from "./services";
import type { JudgedTree } from "./running/judging";
import type { RewritesOf } from "../../core/agent/strategies/rewrites";
import { buildSettingsOf, pathFromSpec, readSourceTree } from "./sources/source-tree";

export interface JudgeServiceOptions {
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly files: FileReader;
  readonly evaluator: Evaluator;
  readonly identity: Pick<Identity, "sha256">;
}

/** A kernel as it is on disk. */
interface Asked {
  readonly spec: FoundSpec;
  readonly build: Awaited<ReturnType<typeof buildSettingsOf>>;
  readonly task: EvaluationTask;
}

/** Judges a kernel as it is on disk, in the full tier. */
export function createJudgeService(
  options: JudgeServiceOptions & {
    readonly simulateLong: SimulateLong;
    readonly rewritesOf: RewritesOf;
  },
): JudgeService {
  const taskOf = async (name: KernelName, question: JudgeQuestion): Promise<Asked> => {
    const { signal } = question;
    const target = await options.evaluator.resolve(question.target, signal);
    const spec = await options.specs.find(name, { target, signal });
    const build = await buildSettingsOf(options.builds, spec);
    const baseline = await readSourceTree(options.files, spec, build);
    return { spec, build, task: { spec: spec.spec, specFolder: spec.specFolder, target, baseline, build } };
  };
  return {
    model: async (name, question) => {
      const { spec, build, task } = await taskOf(name, question);
      const asked = { ...task, spec: withShapeFirst(spec.spec, question.shape ?? 0) };
      const { kernel } = spec.spec;
      const simulated = await options.simulateLong(asked, question.signal);
      if (simulated?.models.some(({ sample }) => sample !== undefined) === true) {
        const { models, launches: profiles, counters, facts, shape } = simulated;
        const profile = { kernel, profiles, counters, facts };
        return { spec, verdict: undefined, sizes: shape.sizes, profile, models, notes: build.notes };
      }
      const judged = await withPlaces(spec, () =>
        judgeTree(options, { task: asked, tier: "quick", model: true }, question.signal),
      );
      const verdict = withComplaint(judged.verdict, spec.complaint);
      const profile = profileOf(kernel, judged);
      return { spec, verdict, profile, models: judged.models, notes: build.notes };
    },
    check: async (name, question) => {
      const asked = await taskOf(name, question);
      const { tools = false, onCase, signal, beside } = question;
      const judge = (task: EvaluationTask): Promise<JudgedTree> =>
        withPlaces(asked.spec, () =>
          judgeTree(
            options,
            { task, tier: "full", tools, allFaults: true, ...(onCase && { onCase }) },
            signal,
          ),
        );
      const known = beside?.get(sharedTask(asked) ?? "");
      const { spec, judged } = known
        ? { spec: asked.spec, judged: known.judged }
        : await byChosenSizes(asked, await judge(asked.task), judge);
      const notes = known ? [...asked.build.notes, sameVerdict(asked.spec, known)] : asked.build.notes;
      const task = sharedTask(asked);
      if (task !== undefined && known === undefined) beside?.set(task, { kernel: spec.spec.kernel, judged });
      const verdict = withComplaint(judged.verdict, spec.complaint);
      const profile = profileOf(spec.spec.kernel, judged);
      const rewrites = async () =>
        verdict.kind === "correct"
          ? options.rewritesOf({ ...asked.task, spec: spec.spec }, verdict, fileOf(spec))
          : [];
      return { spec, verdict, counters: profile?.counters, profile, rewrites, notes };
    },
  };
}

/**
 * What is judged where a host function is, without the name of the kernel that it was found for; undefined
 * for other tasks, and for specs of the user's own.
 */
function sharedTask({ spec, task }: Asked): string | undefined {
  if (!spec.inferred || task.spec.run.kind !== "entry") return undefined;
  const { baseline, build, target, specFolder } = task;
  return JSON.stringify([
    { ...task.spec, kernel: "" },
    { baseline, build, target, specFolder },
  ]);
}

function sameVerdict({ spec: { run } }: FoundSpec, { kernel }: { readonly kernel: string }): string {
  const call = run.kind === "entry" ? run.entry.call : "";
  return t`${call} launches ${kernel} too and was judged with it: this is the same verdict`;
}

/**
 * What is wrong with an expression of the reference shows only where it is evaluated: that is told with its
 * place in the spec file. What is wrong with what was found, with why no more was; a recording that is gone,
 * with the program that it is of.
 */
async function withPlaces<Answer>(
  { spec: { reference, program }, specPath, text, inferred, unknowns }: FoundSpec,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    const isOfSpec = thrown instanceof OperationalError && thrown.code === "spec-invalid";
    if (isOfSpec && inferred) throw withReason(thrown, unknowns);
    if (isOfSpec && thrown.recordAgain === true && program !== undefined)
      throw new OperationalError(thrown.code, {
        forUser: thrown.message,
        recordAgain: program,
        cause: thrown,
      });
    if (!isOfSpec || thrown.place || reference.kind !== "expression") throw thrown;
    const told = Object.entries(reference.expressions).find(([, each]) => thrown.message.includes(each));
    const path = ["reference", "expressions", ...(told ? [told[0]] : [])];
    const problem = /\breference expression\b/.test(thrown.message)
      ? problemAt(text, { path, message: thrown.message })
      : undefined;
    if (problem === undefined) throw thrown;
    throw new OperationalError("spec-invalid", {
      forUser: `${specPath}:${problem.line}:${problem.column}: ${problem.message}`,
      place: { file: specPath, line: problem.line },
      cause: thrown,
    });
  }
}

/** What cannot be checked as it was found may be so because the host code was not run, and why is known. */
function withReason(error: OperationalError, unknowns: FoundSpec["unknowns"]): OperationalError {
  const [found] = unknowns.filter((each) => each.startsWith(byItself));
  if (found === undefined) return error;
  const forUser = `${error.message}. Its host code would show: ${found.slice(byItself.length)}`;
  return new OperationalError(error.code, {
    forUser,
    ...(error.place && { place: error.place }),
    cause: error,
  });
}

/** How a sentence about the launch of a kernel begins. */
const byItself = "launch: ";

/**
 * A kernel that fails at the sizes of its last session may have changed what it is made for: the sizes that
 * are chosen for it as it is now decide.
 */
async function byChosenSizes(
  { spec, task }: Asked,
  judged: JudgedTree,
  judge: (task: EvaluationTask) => Promise<JudgedTree>,
): Promise<{ readonly spec: FoundSpec; readonly judged: JudgedTree }> {
  const { chosenSizes: shapes } = spec;
  if (shapes === undefined || !ranBadly.has(judged.verdict.kind)) return { spec, judged };
  const again = await judge({ ...task, spec: { ...task.spec, shapes } });
  if (again.verdict.kind !== "correct") return { spec, judged };
  const remark = `At the sizes of its last session it is not: ${describeVerdict(judged.verdict)}`;
  return { spec: { ...spec, spec: { ...spec.spec, shapes }, remark }, judged: again };
}

const ranBadly: ReadonlySet<Verdict["kind"]> = new Set(["wrong", "did-not-run", "timed-out"]);

function fileOf({ specFolder, spec: { file } }: FoundSpec): string {
  return pathFromSpec(specFolder, file);
}

/** What is counted is the first shape that is not held out, or where the kernel is priced instead. */
function withShapeFirst({ pricedAt, ...spec }: KernelSpec, index: number): KernelSpec {
  if (index === 0 && pricedAt !== undefined) return { ...spec, pricedAt };
  const chosen = spec.shapes.filter(({ heldOut }) => heldOut !== true)[index];
  if (chosen === undefined)
    throw new OperationalError("spec-invalid", {
      forUser: `${spec.kernel} has no visible shape ${index}: choose one of its workload`,
    });
  return { ...spec, shapes: [chosen, ...spec.shapes.filter((each) => each !== chosen)] };
}

function profileOf(kernel: string, { launches, counted, toolRuns }: JudgedTree): KernelProfile | undefined {
  return counted && { kernel, profiles: launches, ...counted, ...(toolRuns && { toolRuns }) };
}

/**
 * A kernel that is its own reference agrees with itself: where the user's program says that it is wrong, it
 * is.
 */
function withComplaint(verdict: Verdict, complaint: Finding | undefined): Verdict {
  if (verdict.kind !== "correct" || complaint === undefined) return verdict;
  const { tier, cases, facts } = verdict;
  return {
    kind: "wrong",
    tier,
    cases: cases.map((each, index) =>
      index === 0 ? { ...each, passed: false, findings: [...each.findings, complaint] } : each,
    ),
    facts,
  };
}

/** What is judged, how thoroughly, and whether its launches are simulated. */
interface JudgedTask {
  readonly task: EvaluationTask;
  readonly tier: Tier;
  readonly model?: boolean;
  /** NVIDIA's, where the target is a GPU. */
  readonly tools?: boolean;
  readonly allFaults?: boolean;
  readonly onCase?: CheckRequest["onCase"];
}

/** Judges the baseline of a task. */
export async function judgeTree(
  options: Pick<JudgeServiceOptions, "evaluator" | "identity">,
  { task, tier, model = false, tools = false, allFaults = false, onCase }: JudgedTask,
  signal: AbortSignal,
): Promise<JudgedTree> {
  const evaluation = await options.evaluator.open(task, signal);
  try {
    const tree = task.baseline;
    const failed = verdictOfCompile(await evaluation.compile(tree, signal));
    if (failed) return { verdict: failed, launches: [], models: [] };
    const watched = { allFaults, ...(onCase && { onCase }) };
    const outcome = await evaluation.check({ tree, tier, counters: true, model, tools, signal, ...watched });
    const verdict = verdictOfCheck(outcome, { task, tree, tier, identity: options.identity });
    if (outcome.kind !== "checked") return { verdict, launches: [], models: [] };
    const { launches = [], models = [], toolRuns, counters, facts } = outcome;
    const counted = counters === undefined ? {} : { counted: { counters, facts } };
    return { verdict, launches, models, ...(toolRuns && { toolRuns }), ...counted };
  } finally {
    await evaluation.close();
  }
}
