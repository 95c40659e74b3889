import type { CheckedCase, Finding } from "../../../core/judge/verdict";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { CheckOutcome } from "../../../core/ports/evaluator";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { CaseJudge } from "./case-judge";
import { type FailedRun, type Ran, outcomeOf } from "../evaluation/failed-run";

interface SeenCase {
  readonly planned: PlannedCase;
  readonly run: Ran;
  readonly session: KernelSession;
  /** Another session of the same candidate, in a process of its own. */
  readonly anew: () => KernelSession;
  readonly signal: AbortSignal;
}

/** What a case's launches were handed, and how many cases had been run before it. */
interface Handed {
  readonly text: string;
  readonly after: number;
}

interface FailedCase {
  readonly planned: PlannedCase;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** Without its launches host code is done at once, unless it waits for what they write. */
const withheldSeconds = 10;

/**
 * Finds host code that computes with the inputs: what it hands to launches beside inputs (scalars, grids,
 * code, contents of buffers) may not differ between two seeds of one shape, unless it did in the kernel as it
 * was.
 */
export class HiddenDependence {
  private readonly seen = new Map<ResolvedShape, Handed>();
  private readonly cases: PlannedCase[] = [];
  private isTold = false;
  /** Whether the baseline was seen to depend on its inputs: then any candidate may. */
  private isExcused = false;

  constructor(
    private readonly judge: CaseJudge,
    private readonly file: string,
  ) {}

  /** The case, with a finding where its launches were handed other things than another seed's. */
  async added(checked: CheckedCase, seen: SeenCase): Promise<CheckedCase> {
    const { planned, run, session, signal } = seen;
    const { shape } = planned;
    const before = this.seen.get(shape);
    if (run.handed === undefined || this.isTold || this.isExcused) return checked;
    if (this.judge.baseline.sessions.has(session)) return checked;
    this.seen.set(shape, { text: run.handed, after: this.cases.length });
    this.cases.push(planned);
    if (before === undefined || before.text === run.handed) return checked;
    if (await this.isWarmUp(before, seen)) return checked;
    const earlier = this.cases[before.after] ?? planned;
    if (await this.baselineDepends([earlier, planned, planned], signal)) return checked;
    this.isTold = true;
    return { ...checked, passed: false, findings: [...checked.findings, this.finding()] };
  }

  /**
   * What a failed run comes to. One that was too long has this fault where it is the reason: what the
   * launches are handed is compared for two seeds without running them.
   */
  async outcome(failed: FailedRun, { planned, session, signal }: FailedCase): Promise<CheckOutcome> {
    if (session.withholds !== true || (failed.kind !== "timed-out" && failed.kind !== "refused"))
      return outcomeOf(failed);
    const manner = { withheld: true, limitSeconds: withheldSeconds, signal };
    const one = await this.judge.runOnOthers(planned, session, manner);
    const other = await this.judge.runOnOthers(planned, session, manner);
    if (one.kind !== "ran" || other.kind !== "ran" || one.handed === other.handed) return outcomeOf(failed);
    if (await this.baselineDepends([planned, planned], signal)) return outcomeOf(failed);
    const finding = this.finding();
    return { kind: "did-not-run", reason: finding.message, findings: [finding] };
  }

  /**
   * Whether an earlier call is handed other things because the program was not warm yet (scratch memory that
   * it keeps): a later call on other inputs is handed what this one was, and a new process what that one was.
   */
  private async isWarmUp(
    before: Handed,
    { planned, run, session, anew, signal }: SeenCase,
  ): Promise<boolean> {
    const later = await this.judge.runOnOthers(planned, session, { signal });
    if (later.kind !== "ran" || later.handed !== run.handed) return false;
    const fresh = anew();
    try {
      for (const earlier of this.cases.slice(0, before.after))
        await this.judge.runOnOthers(earlier, fresh, { signal });
      const again = await this.judge.runOnOthers(planned, fresh, { signal });
      return again.kind === "ran" && again.handed === before.text;
    } finally {
      await fresh.close();
    }
  }

  /**
   * Whether what the baseline is handed depends on the inputs, too: on the patterns that told the candidate's
   * apart, since an input of one element may be the same in two draws of zeros and ones.
   */
  private async baselineDepends(cases: readonly PlannedCase[], signal: AbortSignal): Promise<boolean> {
    const handed = new Set<string | undefined>();
    for (const planned of cases) {
      const run = await this.judge.baseline.runOnNew(planned, signal);
      handed.add(run.kind === "ran" ? run.handed : undefined);
      this.isExcused = handed.size > 1 || handed.has(undefined);
      if (this.isExcused) break;
    }
    return this.isExcused;
  }

  private finding(): Finding {
    return {
      kind: "host-computed",
      file: this.file,
      line: 0,
      message:
        "what the host code hands to its launches (scalars, grids, code or contents of buffers) depends on the values of the inputs, and did not in the original: work may not move out of the kernel, where it is not counted",
    };
  }
}
