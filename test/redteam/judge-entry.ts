import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OperationalError } from "../../server/core/base/operational-error";
import { sha256Hex } from "./digest";
import { compareVerdicts } from "../../server/core/judge/comparison";
import { verdictOfCheck, verdictOfCompile } from "../../server/core/agent/verdict-of";
import type { SyntaxCheck } from "../../server/core/agent/dependencies";
import type { SourceTree } from "../../server/core/judge/candidate";
import type { CorrectVerdict, Tier, Verdict } from "../../server/core/judge/verdict";
import type { Evaluation, EvaluationTask, Evaluator } from "../../server/core/ports/evaluator";
import { parseKernelSpec } from "../../server/core/workload/spec-parse";
import { describeVerdict } from "../../server/core/words/describe";
import { type RedTeamEntry, taskFolder } from "./entries";

/** What the judge made of a candidate. */
export interface Answer {
  /** What stopped it: a verdict's kind, a finding's kind, `no gain`; `nothing` when it would be kept. */
  readonly stoppedBy: string;
  /** Rules of the scan that it meets, whether or not they decide. */
  readonly scan: string;
  /** The verdict in words. */
  readonly words: string;
  readonly seconds: number;
}

/** An open task with the verdict of the kernel as it was. */
export interface OpenTask {
  readonly evaluation: Evaluation;
  readonly task: EvaluationTask;
  readonly baseline: CorrectVerdict;
  readonly syntaxCheck: SyntaxCheck;
}

/** Opens a task of the red team and judges its own kernel, which has to be correct. */
export async function openTask(
  evaluator: Evaluator,
  syntaxCheck: SyntaxCheck,
  name: string,
): Promise<OpenTask> {
  const task = readTask(name);
  const { signal } = new AbortController();
  const evaluation = await evaluator.open(task, signal);
  const baseline = await judge(evaluation, task, task.baseline);
  if (baseline.kind !== "correct") throw new Error(`the kernel of ${name} is ${describeVerdict(baseline)}`);
  return { evaluation, task, baseline, syntaxCheck };
}

/** Judges a candidate as a session does: the scan, then what its runs show. */
export async function answerTo(open: OpenTask, entry: RedTeamEntry): Promise<Answer> {
  const started = performance.now();
  const told = open.syntaxCheck(entry.file, entry.text, open.task.baseline[entry.file]);
  const stop = told.find(({ severity }) => severity === "error");
  const scan = told.map(({ source }) => source.replace("trick ", "")).join(", ");
  // What the scan stops is run all the same, unless nothing else is expected to stop it.
  const isEnough = entry.kind === "honest" || entry.caughtBy.includes("scan");
  const stopped =
    stop && isEnough ? { stoppedBy: "scan", words: stop.message } : await ranAgainst(open, entry);
  const needsReview = stopped.stoppedBy === "nothing" && told.length > 0;
  return {
    ...stopped,
    ...(needsReview && { stoppedBy: "review" }),
    scan,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  };
}

/** The quick check, the comparison, and for a winner the full check. */
async function ranAgainst(
  { evaluation, task, baseline }: OpenTask,
  entry: RedTeamEntry,
): Promise<Pick<Answer, "stoppedBy" | "words">> {
  const tree = { ...task.baseline, [entry.file]: entry.text };
  try {
    for (const tier of ["quick", "full"] as const) {
      const verdict = await judge(evaluation, task, tree, tier);
      if (verdict.kind !== "correct") return { stoppedBy: nameOf(verdict), words: describeVerdict(verdict) };
      // An honest kernel need not win, but it has to pass every check.
      if (entry.kind === "honest") continue;
      const comparison = compareVerdicts(verdict, baseline);
      // What is expected to fall by its results is judged to the end, though it would not have won.
      const isEnough = entry.caughtBy.includes("no gain") || tier === "full";
      if (comparison.kind !== "better" && isEnough)
        return { stoppedBy: "no gain", words: comparison.sentence };
    }
    return { stoppedBy: "nothing", words: "" };
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
    return { stoppedBy: thrown.code, words: thrown.message };
  }
}

async function judge(
  evaluation: Evaluation,
  task: EvaluationTask,
  tree: SourceTree,
  tier: Tier = "full",
): Promise<Verdict> {
  const { signal } = new AbortController();
  const failed = verdictOfCompile(await evaluation.compile(tree, signal));
  if (failed !== undefined) return failed;
  const checked = await evaluation.check({ tree, tier, counters: true, signal });
  return verdictOfCheck(checked, { task, tree, tier, identity: { sha256: sha256Hex } });
}

/** One word for what a verdict other than correct is about. */
function nameOf(verdict: Exclude<Verdict, CorrectVerdict>): string {
  if (verdict.kind === "did-not-run") return verdict.findings[0]?.kind ?? verdict.kind;
  if (verdict.kind !== "wrong") return verdict.kind;
  const failed = verdict.cases.find(({ passed }) => !passed);
  return failed?.findings[0]?.kind ?? "wrong values";
}

/** The architecture of a task that needs one, which ends its name. */
const ownArchitecture = /-(sm_\d+)$/;

function readTask(name: string): EvaluationTask {
  const read = (file: string): string => readFileSync(join(taskFolder(name), file), "utf8");
  const file = name.startsWith("triton") ? "kernel.py" : "kernel.cu";
  const spec = parseKernelSpec(read(`${file}.kernel.json`));
  if (!spec.ok) throw new Error(`the spec of ${name} cannot be read: ${JSON.stringify(spec.problem)}`);
  return {
    spec: spec.value,
    specFolder: "",
    target: { kind: "vgpu", architecture: ownArchitecture.exec(name)?.[1] ?? "sm_80" },
    baseline: { [file]: read(file) },
  };
}
