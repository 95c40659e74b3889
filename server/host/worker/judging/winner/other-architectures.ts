import { OperationalError } from "../../../../core/base/operational-error";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import { capabilityOf, compiledArchitectures } from "../../../../core/timing/gpu-model";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { KernelRunner } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import { type CaseJudge, type CaseOutcome, isRight } from "../case-judge";

/** What a source asks for where its code is another one on another architecture. */
const asks = /\b__CUDA_ARCH(?:_[A-Z0-9_]+)?__\b|\b__CUDA_ARCH_[A-Z0-9_]+\b/;
/** Numbers that such a condition compares with: 750 is 7.5. */
const values = /\b(?:[5-9]|1[0-4])\d{2}\b/g;
/** The lines of a condition that goes on behind a backslash count as one. */
const continued = /\\\r?\n/g;

/** Most further architectures that a candidate is compiled for. */
const mostCompiled = 2;

/**
 * A candidate with code for some architectures, where the kernel as it was has the same for all: on a newer
 * GPU than the target it has to be right, too, or to say that it is not made for it. Older ones are not
 * asked: kernels that need what is new are empty there as a rule.
 */
export class OtherArchitectures {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
    private readonly runnerFor: ((architecture: string) => KernelRunner) | undefined,
  ) {}

  /** A case with wrong values on another architecture, and else what cannot be said of others. */
  async check(planned: PlannedCase, { tree, signal }: CheckRequest): Promise<Elsewhere> {
    const remarks: string[] = [];
    for (const architecture of architecturesOf(this.task, tree)) {
      const told = await this.checkOn(architecture, { planned, tree, signal });
      if (typeof told === "string") remarks.push(told);
      else if (told !== undefined) return { wrong: told, remarks };
    }
    return { remarks };
  }

  /** What is wrong there, or a remark where it is not made for it; undefined where nothing is to be said. */
  private async checkOn(architecture: string, asked: Asked): Promise<CheckedCase | string | undefined> {
    const own = await this.run(architecture, asked.tree, asked);
    if (own === undefined || isRight(own)) return undefined;
    const before = await this.run(architecture, this.task.baseline, asked);
    if (before === undefined || !isRight(before)) return undefined;
    const asIt = "it asks for the architecture (__CUDA_ARCH__), as the kernel as it was does not";
    if (own.kind !== "judged") return `${asIt}: compiled for ${architecture} it does not run here`;
    const { mismatch, findings } = own.checked;
    // Empty where it is not made for a GPU: its host code may launch another kernel there.
    if (mismatch?.isUnstored === true && mismatch.wrong === mismatch.total)
      return `${asIt}: compiled for ${architecture} it writes nothing`;
    const { specFolder, spec, target } = this.task;
    const finding = {
      kind: "other-architecture",
      file: inFolder(specFolder, spec.file),
      line: 0,
      message: `compiled for ${architecture} its results are wrong, though they are right for ${target.architecture}: ${asIt}, which is right on both`,
    };
    return { ...own.checked, findings: [finding, ...findings] };
  }

  private async run(
    architecture: string,
    tree: SourceTree,
    { planned, signal }: Asked,
  ): Promise<CaseOutcome | undefined> {
    const runner = this.runnerFor?.(architecture);
    if (runner === undefined) return undefined;
    const session = runner.start(tree);
    try {
      return await this.judge.run(planned, session, { counters: false, detectors: false, signal });
    } catch (thrown) {
      signal.throwIfAborted();
      // No compiler for that architecture, for instance: it says nothing of the candidate.
      if (thrown instanceof OperationalError) return undefined;
      throw thrown;
    } finally {
      await session.close();
      await runner.close();
    }
  }
}

/** What other architectures come to. */
interface Elsewhere {
  readonly wrong?: CheckedCase;
  readonly remarks: readonly string[];
}

interface Asked {
  readonly planned: PlannedCase;
  readonly tree: SourceTree;
  readonly signal: AbortSignal;
}

/** Newer architectures than the target on other sides of conditions that the kernel as it was has not. */
function architecturesOf({ spec, target, baseline }: EvaluationTask, tree: SourceTree): readonly string[] {
  if (spec.dialect !== "cuda") return [];
  const before = new Set(Object.values(baseline).flatMap(conditionsIn));
  const added = Object.values({ ...baseline, ...tree })
    .flatMap(conditionsIn)
    .filter((line) => !before.has(line));
  if (added.length === 0) return [];
  const bounds = added.flatMap((line) => [...line.matchAll(values)].map(([value]) => Number(value)));
  const own = numberOf(target.architecture);
  const newer = compiledArchitectures().filter((architecture) => numberOf(architecture) > own);
  // What it is compared with stands elsewhere.
  if (bounds.length === 0) return [...new Set([...newer.slice(0, 1), ...newer.slice(-1)])];
  const sides = new Map<string, string>();
  for (const architecture of newer) {
    const side = sideOf(architecture, bounds);
    if (side !== sideOf(target.architecture, bounds) && !sides.has(side)) sides.set(side, architecture);
  }
  return [...sides.values()].slice(0, mostCompiled);
}

function conditionsIn(text: string): readonly string[] {
  return text
    .replace(continued, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => asks.test(line));
}

/** Whether an architecture is below, at or above each number. */
function sideOf(architecture: string, bounds: readonly number[]): string {
  return bounds.map((bound) => Math.sign(numberOf(architecture) - bound)).join();
}

/** `800` of `sm_80`, as `__CUDA_ARCH__` says it. */
function numberOf(architecture: string): number {
  return Math.round(Number(capabilityOf(architecture)) * 100);
}
