import { gpuOfTarget } from "../timing/gpu-model";
import { OperationalError } from "../base/operational-error";
import type { SourceTree, Stage } from "../judge/candidate";
import { describeFamily } from "../base/instruction-families";
import { modelledBound } from "../timing/bound";
import { type LaunchProfile, timesOf } from "../timing/launch-profile";
import { formatTarget } from "../timing/target";
import type {
  CheckedCase,
  CorrectVerdict,
  Evidence,
  Finding,
  JudgedLaunch,
  Tier,
  Verdict,
} from "../judge/verdict";
import type { CheckOutcome, CommandTask, CompileOutcome, EvaluationTask } from "../ports/evaluator";
import type { Identity } from "../ports/identity";
import { isCommandTask, treeDigest } from "./dependencies";

/** What ties a verdict to its task and its tree. */
interface VerdictContext {
  readonly task: EvaluationTask | CommandTask;
  readonly tree: SourceTree;
  readonly tier: Tier;
  readonly identity: Pick<Identity, "sha256">;
}

/** The verdict of a compilation that did not succeed; undefined when it did. */
export function verdictOfCompile(outcome: CompileOutcome): Verdict | undefined {
  if (outcome.kind === "compiled") return undefined;
  if (outcome.kind === "did-not-compile")
    return { kind: "did-not-compile", diagnostics: outcome.diagnostics };
  if (outcome.kind === "did-not-run") return outcome;
  return { kind: "timed-out", stage: "compile", limitSeconds: outcome.limitSeconds };
}

/**
 * The verdict of a check. `correct` needs at least one case, every case passed and counters; a runner that
 * says "checked" without them breaks the protocol (OperationalError `worker-protocol`) and proves nothing.
 */
export function verdictOfCheck(outcome: CheckOutcome, context: VerdictContext): Verdict {
  if (outcome.kind === "scored")
    return { kind: "scored", tier: context.tier, score: outcome.score, evidence: evidenceOf(context, {}) };
  if (outcome.kind !== "checked") return outcome;
  const { task } = context;
  if (isCommandTask(task)) throw protocolError("a target with a command was judged as a kernel");
  const { cases, facts, counters, bound, proofs } = outcome;
  if (cases.length === 0) throw protocolError("no case was run");
  const missing = missingFamily(outcome, task);
  if (missing || !cases.every(isClean))
    return {
      ...{ kind: "wrong", tier: context.tier, cases: withFinding(cases, missing), facts },
      ...(proofs && { proofs }),
    };
  if (!counters) throw protocolError("the counters that were asked for are missing");
  if (!bound || !Number.isFinite(bound.nanoseconds))
    throw protocolError("the modelled bound is missing or no number");
  return {
    kind: "correct",
    tier: context.tier,
    cases,
    facts,
    counters,
    bound,
    ...detailsOf(outcome, task),
    evidence: evidenceOf(context, outcome.profiledShape.sizes),
  };
}

/**
 * What the spec requires of the machine code and is not in it. Code that could not be read decides nothing.
 */
function missingFamily(
  { facts }: Extract<CheckOutcome, { kind: "checked" }>,
  { spec, specFolder }: EvaluationTask,
): Finding | undefined {
  if (!facts.some(({ machineCode }) => machineCode !== undefined)) return undefined;
  const found = new Set(facts.flatMap(({ families = [] }) => families));
  const missing = spec.requires?.find((family) => !found.has(family));
  if (missing === undefined) return undefined;
  return {
    kind: "missing-instructions",
    file: specFolder === "" ? spec.file : `${specFolder}/${spec.file}`,
    line: 0,
    message: `the spec requires "${missing}", ${describeFamily(missing)}, and the machine code for ${facts[0]?.architecture ?? "the target"} has none`,
  };
}

function withFinding(cases: readonly CheckedCase[], finding: Finding | undefined): readonly CheckedCase[] {
  if (finding === undefined) return cases;
  return cases.map((each, index) =>
    index === 0 ? { ...each, passed: false, findings: [...each.findings, finding] } : each,
  );
}

/** Each launch with its own bound, without its counters, which the log has by line. */
function launchesOf(launches: readonly LaunchProfile[], { target }: EvaluationTask): readonly JudgedLaunch[] {
  const gpu = gpuOfTarget(target);
  return launches.map((launch) => {
    const { counters: _, times: __, ...shape } = launch;
    return { ...shape, times: timesOf(launch), bound: modelledBound([launch], gpu) };
  });
}

/** What a claim about this tree is bound to. */
function evidenceOf(
  context: Pick<VerdictContext, "task" | "tree" | "identity">,
  sizes: Readonly<Record<string, number>>,
): Evidence {
  const { task } = context;
  return {
    sourceDigest: treeDigest(context.tree, context.identity),
    target: isCommandTask(task) ? `command:${task.name}` : formatTarget(task.target),
    specDigest: context.identity.sha256(JSON.stringify(isCommandTask(task) ? task.command : task.spec)),
    sizes,
  };
}

/** The one stage that a verdict stands for. `faster` is the loop's to give: it takes a comparison. */
export function stageOf(verdict: Verdict): Stage {
  switch (verdict.kind) {
    case "did-not-parse":
      return "proposed";
    case "did-not-compile":
      return "parsed";
    case "timed-out":
      return verdict.stage === "compile" ? "parsed" : "compiled";
    case "refused":
    case "did-not-run":
      return "compiled";
    case "wrong":
      return "launched";
    case "scored":
    case "correct":
      return "correct";
  }
}

/** A case that passed its comparison and did nothing that a correct kernel never does. */
function isClean(checked: CheckedCase): boolean {
  return checked.passed && checked.mismatch === undefined;
}

function protocolError(what: string): OperationalError {
  return new OperationalError("worker-protocol", {
    forUser: `the runner reported a finished check, but ${what}`,
  });
}

/** What a correct verdict tells where it is known. */
function detailsOf(
  outcome: Extract<CheckOutcome, { readonly kind: "checked" }>,
  task: EvaluationTask,
): Partial<CorrectVerdict> {
  const { launches, shapeBounds, shapeCosts, simulatedNanoseconds, measured, proofs, protections } = outcome;
  return {
    ...(launches && { launches: launchesOf(launches, task) }),
    ...(shapeBounds && { shapeBounds }),
    ...(shapeCosts && { shapeCosts }),
    ...(simulatedNanoseconds !== undefined && { simulatedNanoseconds }),
    ...(measured && { measured }),
    ...(proofs && { proofs }),
    ...(protections && { protections }),
  };
}
