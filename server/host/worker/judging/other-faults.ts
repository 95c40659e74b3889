import { OperationalError } from "../../../core/base/operational-error";
import type { CheckedCase, Finding } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest } from "../../../core/ports/evaluator";
import { describeMismatch, describeShape, wrongValue } from "../../../core/words/describe";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { CaseJudge } from "./case-judge";

/** A check that ended with the case `planned`, which did not come to its end. */
export interface EndedCheck {
  readonly planned: PlannedCase;
  /** The cases that were judged before it. */
  readonly judged: readonly CheckedCase[];
  /** The cases of the plan behind it. */
  readonly left: readonly PlannedCase[];
  readonly session: KernelSession;
  readonly request: CheckRequest;
}

/** Faults of single accesses: what other shapes reach of the kernel may have faults of its own. */
const ofAccesses: ReadonlySet<string> = new Set(["out-of-bounds", "use-after-free", "misaligned"]);

/**
 * Finds what a check would tell only once the fault that ended it is mended: what earlier cases showed, and
 * what other shapes show.
 */
export class OtherFaults {
  constructor(
    private readonly judge: CaseJudge,
    /** Of the kernel. */
    private readonly file: string,
  ) {}

  /** The outcome of the case that ended a check, with the other faults behind its own. */
  async added(outcome: CheckOutcome, check: EndedCheck): Promise<CheckOutcome> {
    if (check.request.allFaults !== true || outcome.kind !== "did-not-run") return outcome;
    const isOfAccesses = outcome.findings.every(({ kind }) => ofAccesses.has(kind));
    const others = [
      ...check.judged.flatMap((checked) => faultsOf(checked, this.file)),
      ...(isOfAccesses && outcome.findings.length > 0 ? await this.ofShapes(check) : []),
    ];
    return { ...outcome, findings: onceEach([...outcome.findings, ...others]) };
  }

  /** One case of each shape that the check did not come to. */
  private async ofShapes({ planned: ended, judged, left, session, request }: EndedCheck): Promise<Finding[]> {
    const seen = new Set<ResolvedShape["shape"]>([ended.shape.shape, ...judged.map(({ shape }) => shape)]);
    const found: Finding[] = [];
    for (const planned of left) {
      if (seen.has(planned.shape.shape)) continue;
      seen.add(planned.shape.shape);
      const faults = await this.ofCase(planned, session, request.signal);
      if (faults === undefined) break;
      found.push(...faults);
    }
    return found;
  }

  /** Undefined where the case says nothing: it takes too long, or has no reference. */
  private async ofCase(
    planned: PlannedCase,
    session: KernelSession,
    signal: AbortSignal,
  ): Promise<readonly Finding[] | undefined> {
    try {
      const outcome = await this.judge.run(planned, session, { counters: false, detectors: true, signal });
      if (outcome.kind === "judged") return faultsOf(outcome.checked, this.file);
      if (outcome.kind === "no-reference") return undefined;
      return outcome.failed.kind === "did-not-run" ? outcome.failed.findings : undefined;
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof OperationalError) return undefined;
      throw thrown;
    }
  }
}

/**
 * What is wrong with a case; a wrong value beside findings may be owed to them, unless its writer is known.
 */
function faultsOf(checked: CheckedCase, file: string): readonly Finding[] {
  const { findings, mismatch, shape } = checked;
  const placed = wrongValue(checked);
  if (placed.length > 0 || findings.length > 0 || mismatch === undefined) return [...findings, ...placed];
  const message = `${describeShape(shape)}: ${describeMismatch(mismatch)}`;
  return [{ kind: "wrong-value", file, line: 0, message }];
}

/** One finding for each kind and line, the first. */
function onceEach(findings: readonly Finding[]): readonly Finding[] {
  const places = new Map<string, Finding>();
  for (const finding of findings) {
    const place = `${finding.kind} ${finding.file}:${finding.line}`;
    if (!places.has(place)) places.set(place, finding);
  }
  return [...places.values()];
}
