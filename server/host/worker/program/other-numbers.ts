import { known } from "../../../core/base/known";
import type { SourceTree } from "../../../core/judge/candidate";
import type { LastContent } from "../../../core/ports/entry-programs";
import type { ContentJudge } from "./content-judge";
import { matchContents } from "./last-contents";
import type { ProgramRan, ProgramRuns } from "./program-run";

/** A candidate's run that left what the program as it was leaves. */
interface RightProgram {
  readonly before: ProgramRan;
  readonly now: ProgramRan;
  readonly tree: SourceTree;
  readonly about: Parameters<typeof matchContents>[2];
  readonly signal: AbortSignal;
}

/** What a run with other numbers says against a candidate. */
interface Blindness {
  /** `wrong`: its results are not those of the original; `unseen`: it is not seen that they are. */
  readonly kind: "wrong" | "unseen";
  readonly why: string;
}

/**
 * A program has one input, so that whoever knows its results can leave out the work. So it is run with other
 * numbers than its host code hands to its kernels, the same for both: where the original leaves other results
 * then, the candidate has to leave these.
 */
export class OtherNumbers {
  private original: Promise<ProgramRan | undefined> | undefined;

  constructor(
    private readonly baseline: SourceTree,
    private readonly runs: ProgramRuns,
    private readonly contents: ContentJudge,
    /** The original's atomic sums are not rounded. */
    private readonly exactSums = false,
  ) {}

  /** Undefined where nothing speaks against the candidate, or the original does not bear other numbers. */
  async of({ before, now, tree, about, signal }: RightProgram): Promise<Blindness | undefined> {
    const original = await this.ofOriginal(before, signal);
    if (original === undefined) return undefined;
    const moved = matchContents(contentsOf(before), contentsOf(original), about);
    if (!moved.ok || (await this.contents.judge(moved.value, signal))?.passed !== false) return undefined;
    const ran = await this.runs.run(tree, signal, { shaken: true, plain: true });
    if (ran.kind !== "ran") return undefined;
    if (shakenOf(ran).digest === shakenOf(original).digest) {
      const paired = matchContents(contentsOf(original), contentsOf(ran), about);
      const isWrong = paired.ok && (await this.contents.judge(paired.value, signal))?.passed === false;
      return isWrong ? { kind: "wrong", why: wrong } : undefined;
    }
    return areEqual(contentsOf(now), contentsOf(ran)) ? { kind: "unseen", why: unseen } : undefined;
  }

  private ofOriginal(before: ProgramRan, signal: AbortSignal): Promise<ProgramRan | undefined> {
    this.original ??= this.runOriginal(before, signal);
    this.original.catch(() => {
      this.original = undefined;
    });
    return this.original;
  }

  /** Undefined where it faults with other numbers, or ends in another way. */
  private async runOriginal(before: ProgramRan, signal: AbortSignal): Promise<ProgramRan | undefined> {
    const { exactSums } = this;
    const ran = await this.runs.run(this.baseline, signal, { shaken: true, exactSums, plain: true });
    if (ran.kind !== "ran" || shakenOf(ran).bytes === 0) return undefined;
    const isAsBefore =
      ran.outcome.program.code === before.outcome.program.code &&
      ran.run.findings.length <= before.run.findings.length;
    return isAsBefore ? ran : undefined;
  }
}

const wrong =
  "with other numbers than the program hands to its kernels the candidate leaves other results than the original";
const unseen =
  "it does not hand the numbers to its kernels that the original does, and leaves the same results where these are others";

function contentsOf({ outcome }: ProgramRan): readonly LastContent[] {
  return outcome.program.lastContents;
}

function shakenOf({ outcome }: ProgramRan): { readonly bytes: number; readonly digest: string } {
  return known(outcome.traffic.shaken, "what was changed");
}

/** Whether kernels have left the same bytes. */
function areEqual(some: readonly LastContent[], others: readonly LastContent[]): boolean {
  const [left, right] = [some, others].map((contents) =>
    contents
      .filter(({ writers }) => writers.length > 0)
      .map(({ shown, content }) => Buffer.from(shown ?? content).toString("base64")),
  );
  return JSON.stringify(left) === JSON.stringify(right);
}
