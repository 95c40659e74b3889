import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import { at, known } from "../../../../core/base/known";
import type { PlainProbeArgument, ProbedKernel } from "../../../../core/ports/prober";
import { plainIndex } from "../../../../core/workload/probe/fitting/fit-last-row";
import type { Extents, ProbeContent, ProbeObservation } from "../../../../core/workload/probe/observation";
import type { Probes } from "../../../../core/workload/probe/judge-probe";
import type { Setting, TiedSizes } from "../../../../core/workload/probe/settings";
import type { SizeRelation } from "../../../../core/workload/probe/shapes/size-relations";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { DataType, SizeExpression } from "../../../../core/workload/spec";
import {
  type ArgumentLayout,
  plainLayout,
  probeArguments,
  tiedWithNumber,
  withNumber,
} from "./arguments/argument-layout";
import type { PlannedArgument } from "./arguments/planned-argument";
import { recordContent, valueFor, withNumberIn } from "./arguments/record-plan";
import { type ContentVariant, variedContent } from "./variants/content-variants";
import { mergedObservation } from "./variants/merged-observation";

export type { PlannedArgument };

/** A launch whose grid is known under every setting. */
export interface PlannedLaunch {
  readonly block: Extents;
  readonly grid: (sizes: Setting) => Extents | undefined;
  readonly dynamicSharedBytes: number;
}

/** Warp-level instructions of one probe, and of a launch with the sizes of a shape. */
const instructionBudget = 1_000_000;
const shapeBudget = { brief: 4_000_000, grown: 12_000_000, whole: 40_000_000 };
/**
 * What a search may use in all: launches, and warp-level instructions.
 * Counted, not timed, so that a busy machine finds the same.
 */
const searchBudget = { launches: 120, instructions: 10_000_000 };
/** A kernel without sizes has all of its work in every probe: it gets so many times the instructions. */
const fixedWork = 16;
/** And so many times more where it found nothing with that. */
const patientWork = 8;
/** What buffers hold: floats that are positive and small, whole numbers that are likely indices. */
const floatContent: ProbeContent = { kind: "constant", value: 0.75 };

/** What is found in a launch of fewer threads than the kernel is made for. */
const tooFewThreads = /^uninitialised read.*shared memory|^undefined shuffle.*which the block does not have/;

/** Launches one kernel on roomy buffers, as often as is asked. */
export class ProbeSession {
  /** What whole-number buffers hold where that is not the plain index. */
  readonly contents = new Map<string, ProbeContent>();
  /** What buffers hold in all probes, where the kernel would do nothing with other values. */
  readonly held = new Map<string, number>();
  /** Contents in the place of the plain ones: each probe is a launch with each of them. */
  variants: readonly ContentVariant[] = [new Map()];
  /** Sizes that are computed from others. */
  tied: TiedSizes = new Map();
  /** What has to hold of sizes and others. */
  relations: readonly SizeRelation[] = [];
  /** A search with usual sizes has found nothing, as each thread has much work. */
  isPatient = false;
  private left: { launches: number; instructions: number };

  constructor(
    readonly kernel: ProbedKernel,
    public planned: readonly PlannedArgument[],
    public layout: ArgumentLayout = plainLayout(planned),
  ) {
    this.left = this.whole();
  }

  private get work(): number {
    return (isSizeless(this.planned) ? fixedWork : 1) * (this.isPatient ? patientWork : 1);
  }

  private whole(): { launches: number; instructions: number } {
    return { ...searchBudget, instructions: this.work * searchBudget.instructions };
  }

  /** From now on the kernel is passed these. */
  arrange(planned: readonly PlannedArgument[], layout: ArgumentLayout): void {
    this.planned = planned;
    this.layout = layout;
  }

  /** Takes a whole number for no size from now on: it is always passed as this value. */
  fix(name: string, value: number): void {
    this.planned = withNumberIn(this.planned, name, value).map((each) =>
      each.kind === "size" && each.name === name
        ? { kind: "value", name, dtype: each.dtype, value, isFixed: true }
        : each,
    );
    this.layout = withNumber(this.layout, name, value);
    this.tied = tiedWithNumber(this.tied, name, value);
  }

  /** Whether the budget of the search is used up. */
  get isSpent(): boolean {
    return this.left.launches <= 0 || this.left.instructions <= 0;
  }

  /** Begins another search, with a budget of its own. It may take longer where each thread has much work. */
  renew(isPatient = this.isPatient): void {
    this.isPatient = isPatient;
    this.left = this.whole();
  }

  /**
   * Probes under each setting, and no further once one of them has faults. The problem: why one of them gave
   * nothing.
   */
  async series(launch: PlannedLaunch, settings: readonly Setting[]): Promise<Outcome<Probes, string>> {
    const observations: ProbeObservation[] = [];
    for (const sizes of settings) {
      const seen = await this.once(launch, sizes);
      if (!seen.ok) return seen;
      observations.push(seen.value);
      if (seen.value.faults.length > 0) break;
    }
    return succeed({ settings: settings.slice(0, observations.length), observations });
  }

  /** The problem is also that the budget of the search is used up. */
  async once(launch: PlannedLaunch, sizes: Setting): Promise<Outcome<ProbeObservation, string>> {
    const grid = launch.grid(sizes);
    if (grid === undefined) return fail("the grid cannot be worked out");
    if (this.isSpent) return fail("the search for its launch took too many probes");
    const seen = await this.launch(launch, sizes, { grid, budget: this.work * instructionBudget });
    this.left.launches -= 1;
    this.left.instructions -= seen.ok ? seen.value.warpInstructions : this.work * instructionBudget;
    return seen;
  }

  /**
   * Whether a launch reads shared memory that it has not written, or lanes that its block does not have: it
   * is then for a block of more threads.
   */
  async isForMoreThreads(launch: PlannedLaunch, sizes: Setting): Promise<boolean> {
    const grid = launch.grid(sizes);
    if (grid === undefined) return false;
    const budget = this.work * instructionBudget;
    const seen = await this.launch(launch, sizes, { grid, budget, isWatched: true });
    if (!seen.ok) return false;
    return seen.value.faults.some(({ message }) => tooFewThreads.test(message));
  }

  /**
   * A launch with sizes that are to become a shape; no search has to pay for it. A `brief` one, or a `grown`
   * one, of much work is cut.
   */
  async shape(
    launch: PlannedLaunch,
    sizes: Setting,
    length: keyof typeof shapeBudget,
  ): Promise<Outcome<ProbeObservation, string>> {
    const grid = launch.grid(sizes);
    if (grid === undefined) return fail("the grid cannot be worked out");
    return this.launch(launch, sizes, { grid, budget: shapeBudget[length] });
  }

  private async launch(
    { block, dynamicSharedBytes }: PlannedLaunch,
    sizes: Setting,
    {
      grid,
      budget,
      isWatched = false,
    }: { readonly grid: Extents; readonly budget: number; readonly isWatched?: boolean },
  ): Promise<Outcome<ProbeObservation, string>> {
    const observations: ProbeObservation[] = [];
    for (const variant of this.variants) {
      const seen = await this.kernel.run({
        ...{ grid, block, dynamicSharedBytes, isWatched, instructionBudget: budget },
        arguments: probeArguments(this.layout, sizes, (name) => this.argument(name, { sizes, variant })),
      });
      if (!seen.ok) return seen;
      observations.push(seen.value);
    }
    return succeed(mergedObservation(observations));
  }

  private argument(
    name: string,
    { sizes, variant }: { readonly sizes: Setting; readonly variant: ContentVariant },
  ): PlainProbeArgument {
    const planned = known(
      this.planned.find((each) => each.name === name),
      "a planned argument",
    );
    if (planned.kind === "size")
      return { kind: "scalar", value: sizes[planned.name] ?? 1, dtype: planned.dtype };
    if (planned.kind === "value")
      return { kind: "scalar", value: valueFor(planned, sizes), dtype: planned.dtype };
    const { dtype } = planned.type;
    if (planned.holds !== undefined)
      return {
        ...{ kind: "buffer", name: planned.name, dtype },
        content: { kind: "constant", value: sizes[planned.holds] ?? 1 },
      };
    const held = this.held.get(planned.name);
    const { values } = planned;
    const plain: ProbeContent = values === undefined ? plainContent(dtype) : { kind: "cycle", values };
    const usual = held === undefined ? plain : { kind: "constant" as const, value: held };
    const content = variedContent(variant.get(planned.name), this.contents.get(planned.name)) ?? usual;
    const { record } = planned;
    const filled = record && content.kind !== "record" ? recordContent(record, content, sizes) : content;
    return { kind: "buffer", name: planned.name, dtype, content: filled };
  }
}

/** Whether nothing that a kernel is passed is a size; one that is kept at a number is one still. */
export function isSizeless(planned: readonly PlannedArgument[]): boolean {
  return planned.every((each) => each.kind === "buffer" || (each.kind === "value" && each.isFixed !== true));
}

/** The buffers of which it is known that they hold a size. */
export function countedBuffers({ planned }: Pick<ProbeSession, "planned">): ReadonlySet<string> {
  return new Set(
    planned.flatMap((each) => (each.kind === "buffer" && each.holds !== undefined ? each.name : [])),
  );
}

/** What a buffer holds in a probe where nothing else is tried. */
export function plainContent(dtype: DataType): ProbeContent {
  if (dtype.includes("float")) return floatContent;
  return { kind: "constant", value: dtype === "bool" ? 1 : plainIndex };
}

/** The whole number that values of this type are, or lead to, where nothing else is tried. */
export function plainNumber(dtype: DataType): number {
  const content = plainContent(dtype);
  return content.kind === "constant" ? Math.trunc(content.value) : plainIndex;
}

/** A grid by its expressions; undefined when one of them does not work out. */
export function gridOf(expressions: readonly SizeExpression[], sizes: Setting): Extents | undefined {
  const extents = [0, 1, 2].flatMap((axis) => {
    const outcome = evaluateSizeExpression(expressions[axis] ?? 1, sizes);
    return outcome.ok && outcome.value >= 1 ? [outcome.value] : [];
  });
  return extents.length === 3 ? [at(extents, 0), at(extents, 1), at(extents, 2)] : undefined;
}
