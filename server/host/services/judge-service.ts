import { verdictOfCheck, verdictOfCompile } from "../../core/agent/verdict-of";
import type { LaunchProfile } from "../../core/timing/launch-profile";
import type { KernelProfile } from "../../core/words/profile";
import type { Finding, Tier, Verdict } from "../../core/judge/verdict";
import type { EvaluationTask, Evaluator } from "../../core/ports/evaluator";
import type { FileReader } from "../../core/ports/files";
import type { Identity } from "../../core/ports/identity";
import type { BuildService, JudgeService, SpecService } from "./services";
import { buildSettingsOf, readSourceTree } from "./sources/source-tree";

export interface JudgeServiceOptions {
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly files: FileReader;
  readonly evaluator: Evaluator;
  readonly identity: Pick<Identity, "sha256">;
}

/** Judges a kernel as it is on disk, in the full tier. */
export function createJudgeService(options: JudgeServiceOptions): JudgeService {
  return {
    check: async (name, { target, signal }) => {
      const spec = await options.specs.find(name, { target, signal });
      const build = await buildSettingsOf(options.builds, spec);
      const tree = await readSourceTree(options.files, spec, build);
      const task: EvaluationTask = {
        spec: spec.spec,
        specFolder: spec.specFolder,
        target,
        baseline: tree,
        build,
      };
      const judged = await judgeTree(options, { task, tier: "full" }, signal);
      const { launches, counted } = judged;
      const verdict = withComplaint(judged.verdict, spec.complaint);
      const { notes } = build;
      if (counted === undefined) return { spec, verdict, counters: undefined, profile: undefined, notes };
      const { counters, facts } = counted;
      return {
        spec,
        verdict,
        notes,
        counters,
        profile: { kernel: spec.spec.kernel, counters, profiles: launches, facts },
      };
    },
  };
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

/** What a kernel was judged to be, and what was counted, right or wrong, when it ran to its end. */
interface JudgedTree {
  readonly verdict: Verdict;
  readonly launches: readonly LaunchProfile[];
  readonly counted?: Pick<KernelProfile, "counters" | "facts">;
}

/** Judges the baseline of a task. */
export async function judgeTree(
  options: Pick<JudgeServiceOptions, "evaluator" | "identity">,
  { task, tier }: { readonly task: EvaluationTask; readonly tier: Tier },
  signal: AbortSignal,
): Promise<JudgedTree> {
  const evaluation = await options.evaluator.open(task, signal);
  try {
    const tree = task.baseline;
    const failed = verdictOfCompile(await evaluation.compile(tree, signal));
    if (failed) return { verdict: failed, launches: [] };
    const outcome = await evaluation.check({ tree, tier, counters: true, signal });
    const verdict = verdictOfCheck(outcome, { task, tree, tier, identity: options.identity });
    if (outcome.kind !== "checked") return { verdict, launches: [] };
    const { launches = [], counters, facts } = outcome;
    return { verdict, launches, ...(counters === undefined ? {} : { counted: { counters, facts } }) };
  } finally {
    await evaluation.close();
  }
}
