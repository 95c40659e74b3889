import type { SourceTree } from "../../../core/judge/candidate";
import type { Finding } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest, Evaluation } from "../../../core/ports/evaluator";
import { differentEnds, saidBefore } from "./match-runs";
import { type ProgramRan, type ProgramRunOutcome, type ProgramRuns, whyNot } from "./program-run";

type Checked = Extract<CheckOutcome, { readonly kind: "checked" }>;

/** The program as it was, run twice; whatever differs between the two is no result. */
interface Original {
  readonly first: ProgramRan;
  readonly again: ProgramRan;
}

/** A program that takes longer is not run once more for each candidate. */
const mostSeconds = 40;
const manner = { plain: true, limitSeconds: mostSeconds } as const;

/**
 * What the user's program says of a candidate whose device code alone differs: the recorded launches were
 * replayed with it, and the program is run with it as a whole. Neither gets input or files.
 */
class OwnVerdict {
  private original: Promise<Original | string> | undefined;

  /** `file`: of the program, which its findings name. */
  constructor(
    private readonly runs: ProgramRuns,
    private readonly baseline: SourceTree,
    private readonly file: string,
  ) {}

  /** The outcome of a full check, with what the program then prints otherwise, and how it ends. */
  async joined(outcome: CheckOutcome, { tree, tier, signal }: CheckRequest): Promise<CheckOutcome> {
    if (tier !== "full" || outcome.kind !== "checked") return outcome;
    const isClean = outcome.cases.every(({ passed, findings }) => passed && findings.length === 0);
    const isOriginal = JSON.stringify(tree) === JSON.stringify(this.baseline);
    if (!isClean || isOriginal) return outcome;
    const original = await this.ofOriginal(signal);
    if (typeof original === "string") return told(outcome, [`its program was not run with it: ${original}`]);
    const now = await this.runs.run(tree, signal, manner);
    if (now.kind === "did-not-run")
      return against(outcome, [this.finding("exit", `the program does not end by itself: ${now.reason}`)]);
    if (now.kind !== "ran") return told(outcome, [`its program was not run with it: ${whyNot(now)}`]);
    const found = await this.differences(original, now, signal);
    if (found.length > 0) return against(outcome, found);
    return told(outcome, ["its program ends and prints as before", ...saidBefore(original.first)]);
  }

  /** What the order of blocks decides is no result either. */
  private async differences(
    { first, again }: Original,
    now: ProgramRan,
    signal: AbortSignal,
  ): Promise<readonly Finding[]> {
    const found = differentEnds(first, again, now);
    if (found.length === 0) return [];
    const turned = await this.runs.run(this.baseline, signal, { ...manner, blocks: "descending" });
    const left = turned.kind === "ran" ? differentEnds(first, turned, now) : found;
    return left.map(({ kind, message }) => this.finding(kind, message));
  }

  private ofOriginal(signal: AbortSignal): Promise<Original | string> {
    this.original ??= this.runOriginal(signal);
    this.original.catch(() => {
      this.original = undefined;
    });
    return this.original;
  }

  private async runOriginal(signal: AbortSignal): Promise<Original | string> {
    const run = (): Promise<ProgramRunOutcome> => this.runs.run(this.baseline, signal, manner);
    const first = await run();
    if (first.kind !== "ran") return whyNot(first);
    const again = await run();
    return again.kind === "ran" ? { first, again } : whyNot(again);
  }

  private finding(kind: string, message: string): Finding {
    return { kind, file: this.file, line: 0, message };
  }
}

function told(outcome: Checked, remarks: readonly string[]): Checked {
  const [first, ...others] = outcome.cases;
  if (first === undefined) return outcome;
  return { ...outcome, cases: [{ ...first, remarks: [...(first.remarks ?? []), ...remarks] }, ...others] };
}

function against(outcome: Checked, findings: readonly Finding[]): Checked {
  const [first, ...others] = outcome.cases;
  if (first === undefined) return outcome;
  const failed = { ...first, passed: false, findings: [...first.findings, ...findings] };
  return { ...outcome, cases: [failed, ...others] };
}

/** Judges by the recorded launches and then by the program itself. `file`: of the program. */
export function withOwnVerdict(
  inner: Evaluation,
  { runs, baseline, file }: { runs: ProgramRuns; baseline: SourceTree; file: string },
): Evaluation {
  const own = new OwnVerdict(runs, baseline, file);
  return {
    compile: (tree, signal) => inner.compile(tree, signal),
    code: (tree, signal) => inner.code(tree, signal),
    check: async (request) => own.joined(await inner.check(request), request),
    ...(inner.challenge && { challenge: inner.challenge.bind(inner) }),
    close: () => inner.close(),
  };
}
