import { OperationalError } from "../../../core/base/operational-error";
import type { KernelProof, WitnessSizes } from "../../../core/judge/proof";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest, EvaluationTask } from "../../../core/ports/evaluator";
import { isOpen, refutedBy, triedInVain } from "../../../core/proof/refute";
import type { LookedAt } from "../../../core/proof/report";
import { smallerSizes } from "../../../core/workload/cases/smaller-sizes";
import { type PlannedCase, type ResolvedShape, resolveShape } from "../evaluation/case-shapes";
import type { KernelSession, RunOutcome } from "../evaluation/kernel-runner";
import type { CaseJudge } from "./case-judge";

/** A launch that is made to refute something takes no more memory and no longer than this. */
const mostBytes = 32 * 1024 * 1024;
const limitSeconds = 5;

/** Findings of a run that was ended by them, which a proof asks about. */
const asked: ReadonlySet<string> = new Set(["out-of-bounds", "misaligned"]);

/** What is being checked. */
interface Checked {
  readonly session: KernelSession;
  readonly request: CheckRequest;
}

/**
 * Refutes what is not decided for all sizes: by what the cases showed, then by launches at other sizes at
 * which it may be otherwise. What no launch shows stays undecided.
 */
export class WitnessSearch {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /** What holds for all sizes of a kernel whose cases ran to their ends. */
  async ofCases(
    lookedAt: readonly LookedAt[],
    cases: readonly CheckedCase[],
    checked: Checked,
  ): Promise<readonly KernelProof[]> {
    const proofs: KernelProof[] = [];
    for (const looked of lookedAt) {
      const shown = cases
        .filter(({ shape }) => shape.heldOut !== true)
        .reduce(
          (proof, { shape, findings }) =>
            refutedBy({ ...looked, proof }, { sizes: shape.sizes, findings }, this.listed),
          looked.proof,
        );
      const isRight = checked.request.tier === "full" && cases.every(({ passed }) => passed);
      proofs.push(isRight ? await this.searched({ ...looked, proof: shown }, checked) : shown);
    }
    return proofs;
  }

  /** The outcome of a run that a bad access ended, with what it refutes. */
  async ofFailed(
    outcome: CheckOutcome,
    { shape, variant }: PlannedCase,
    { session, request }: Checked,
  ): Promise<CheckOutcome> {
    if (outcome.kind !== "did-not-run" || this.task.spec.run.kind !== "launch") return outcome;
    if (shape.shape.heldOut === true || !outcome.findings.some(({ kind }) => asked.has(kind))) return outcome;
    const least = outcome.smallest && this.resolved(outcome.smallest.sizes);
    const planned = { shape: least ?? shape, variant };
    const manner = { detectors: true, proof: true, limitSeconds, signal: request.signal };
    const again = await this.judge.runOnOthers(planned, session, manner);
    if (again.kind !== "did-not-run" || again.lookedAt === undefined) return outcome;
    const launch = { sizes: planned.shape.shape.sizes, findings: again.findings };
    return { ...outcome, proofs: again.lookedAt.map((looked) => refutedBy(looked, launch, this.listed)) };
  }

  private get listed(): readonly WitnessSizes[] {
    return this.task.spec.shapes.filter(({ heldOut }) => heldOut !== true).map(({ sizes }) => sizes);
  }

  private async searched(looked: LookedAt, checked: Checked): Promise<KernelProof> {
    let { proof } = looked;
    let tried = 0;
    for (const sizes of looked.suspects) {
      if (!isOpen(proof)) break;
      const before = { ...looked, proof };
      const after = await this.shownAt(sizes, before, checked);
      if (after === undefined) continue;
      tried += 1;
      proof = after === proof ? proof : ((await this.least(sizes, before, checked)) ?? after);
    }
    return triedInVain(proof, tried);
  }

  /** What smaller sizes refute of a proof, the smallest that do; undefined where none do. */
  private async least(
    sizes: WitnessSizes,
    looked: LookedAt,
    checked: Checked,
  ): Promise<KernelProof | undefined> {
    const search = smallerSizes(sizes, this.listed);
    let least: KernelProof | undefined;
    let step = search.next();
    while (!step.done) {
      const after = await this.shownAt(step.value, looked, checked);
      const isRefuted = after !== undefined && after !== looked.proof;
      if (isRefuted) least = after;
      step = search.next(isRefuted);
    }
    return least;
  }

  /** The proof after a launch at some sizes; undefined where there can be none. */
  private async shownAt(
    sizes: WitnessSizes,
    looked: LookedAt,
    checked: Checked,
  ): Promise<KernelProof | undefined> {
    const shape = this.resolved(sizes);
    const run = shape && (await this.launched(shape, checked));
    if (run?.kind !== "ran" && run?.kind !== "did-not-run") return undefined;
    return refutedBy(looked, { sizes, findings: run.findings }, this.listed);
  }

  /** A shape of sizes that nobody wrote; undefined where they give none, or too much memory. */
  private resolved(sizes: WitnessSizes): ResolvedShape | undefined {
    const [first] = this.task.spec.shapes;
    if (first === undefined) return undefined;
    const { heldOut: _, weight: __, ...rest } = first;
    try {
      const shape = resolveShape(this.task.spec, { ...rest, sizes });
      const bytes = [...shape.inputs, ...shape.outputs].reduce((sum, tensor) => sum + tensor.bytes, 0);
      return bytes <= mostBytes ? shape : undefined;
    } catch (thrown) {
      if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return undefined;
      throw thrown;
    }
  }

  private async launched(shape: ResolvedShape, checked: Checked): Promise<RunOutcome | undefined> {
    const { signal } = checked.request;
    try {
      const manner = { detectors: true, limitSeconds, signal };
      return await this.judge.runOnOthers({ shape, variant: "declared" }, checked.session, manner);
    } catch (thrown) {
      signal.throwIfAborted();
      // A reference that cannot take such sizes, or inputs that cannot be drawn for them, tell nothing.
      if (thrown instanceof OperationalError) return undefined;
      throw thrown;
    }
  }
}
