import { at, known } from "../../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import { readableName } from "../../../../core/base/symbols/symbol-name";
import type {
  EntryObservation,
  EntryProbeArgument,
  EntryProbeCall,
  EntryProbeFill,
  ProbedEntry,
} from "../../../../core/ports/entry-prober";
import type { ProbeContent } from "../../../../core/workload/probe/observation";
import type { Setting } from "../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { PlannedArgument } from "../probing/arguments/planned-argument";
import { plainContent } from "../probing/probe-session";
import { type ContentVariant, variedContent } from "../probing/variants/content-variants";
import { mergedObservation } from "../probing/variants/merged-observation";
import type { PlannedSymbol } from "./planned-symbol";

/** What an entry is passed for a parameter. */
export type PlannedEntryArgument = PlannedArgument | { readonly kind: "stream"; readonly name: string };

type PlannedBuffer = Extract<PlannedEntryArgument, { readonly kind: "buffer" }>;

/** The numbers of buffers that may be written: sixteenths, exact in all types. */
const [ownNumber, ownNumbers] = [0.8125, 16] as const;

/** Calls of an entry under several settings. */
export interface EntryProbes {
  readonly settings: readonly Setting[];
  readonly observations: readonly EntryObservation[];
}

/** What a search may use in all: calls, and warp-level instructions. Counted, not timed. */
const searchBudget = { calls: 220, instructions: 48_000_000 };
/**
 * Of one call of the search, which takes milliseconds where its host code waits for nothing; and of one that
 * tries a shape. Its host code was seen to end, so its time is for launches alone. On a busy machine they
 * take many times as long, and the shapes of a spec must not depend on that.
 */
const callBudget = {
  search: { instructionBudget: 1_000_000, limitSeconds: 20 },
  bound: { instructionBudget: 4_000_000, limitSeconds: 60 },
  shape: { instructionBudget: 4_000_000, limitSeconds: 240 },
  grown: { instructionBudget: 12_000_000, limitSeconds: 240 },
} as const;
type CallBudget = Pick<EntryProbeCall, "instructionBudget" | "limitSeconds">;
/**
 * An entry whose text says how large its data is has all of its work in each call: so many times as much; and
 * one that is passed no size more of it, some seconds for each call, where that is not enough.
 */
const works = { usual: 1, fixed: 16, vast: 64 } as const;

/** Calls one entry with roomy buffers, as often as is asked. */
export class EntrySession {
  /** What whole-number buffers hold where that is not the plain index. */
  readonly contents = new Map<string, ProbeContent>();
  /** Elements of the vectors, whose length their callees see, and of what is known to be one number. */
  readonly lengths = new Map<string, SizeExpression>();
  /** What code computes of the sizes; see `sizeTerms`. */
  terms: readonly string[] = [];
  /** Contents in the place of the usual ones: each call is made with each of them. */
  variants: readonly ContentVariant[] = [new Map()];
  private left = { ...searchBudget };
  private work: number = works.usual;

  constructor(
    private readonly entry: ProbedEntry,
    private readonly kernel: string,
    readonly planned: readonly PlannedEntryArgument[],
    readonly symbols: readonly PlannedSymbol[],
  ) {}

  /** Lets each call do the work of an entry whose text says how large its data is. */
  allowWork(kind: keyof typeof works): void {
    this.work = works[kind];
    this.renew();
  }

  /** Begins another search, with a budget of its own. */
  renew(): void {
    this.left = { ...searchBudget, instructions: this.work * searchBudget.instructions };
  }

  /** Whether the search has had all of its calls: each further one fails at once. */
  get isUsedUp(): boolean {
    return this.left.calls <= 0 || this.left.instructions <= 0;
  }

  /** The problem: why one of the settings gave nothing. Equal ones are one call: so are all without sizes. */
  async series(settings: readonly Setting[]): Promise<Outcome<EntryProbes, string>> {
    const observations: EntryObservation[] = [];
    const made = new Map<string, EntryObservation>();
    for (const sizes of settings) {
      const key = JSON.stringify(sizes);
      const before = made.get(key);
      const seen = before === undefined ? await this.once(sizes) : succeed(before);
      if (!seen.ok) return seen;
      made.set(key, seen.value);
      observations.push(seen.value);
    }
    return succeed({ settings, observations });
  }

  /**
   * A call of the search, or of one for the `bound` of values: with the greatest of them loops are longer.
   * The problem is also that its budget is used up.
   */
  async once(
    sizes: Setting,
    kind: "search" | "bound" = "search",
  ): Promise<Outcome<EntryObservation, string>> {
    if (this.isUsedUp) return fail("the search for its arguments took too many calls");
    const seen = await this.call(sizes, this.budgetOf(kind));
    this.left.calls -= 1;
    this.left.instructions -= seen.ok ? seen.value.warpInstructions : 0;
    return seen;
  }

  /** A call with sizes that are to become a shape. */
  shape(sizes: Setting): Promise<Outcome<EntryObservation, string>> {
    return this.call(sizes, this.budgetOf("shape"));
  }

  /** A call with a larger shape, whose sizes are known to suit. */
  grown(sizes: Setting): Promise<Outcome<EntryObservation, string>> {
    return this.call(sizes, this.budgetOf("grown"));
  }

  private budgetOf(kind: keyof typeof callBudget): CallBudget {
    const { instructionBudget, limitSeconds } = callBudget[kind];
    if (this.work === works.usual) return callBudget[kind];
    const whole = this.work * callBudget.search.instructionBudget;
    return {
      instructionBudget: Math.max(whole, instructionBudget),
      limitSeconds: Math.max(callBudget.grown.limitSeconds, limitSeconds),
    };
  }

  private async call(sizes: Setting, budget: CallBudget): Promise<Outcome<EntryObservation, string>> {
    const observations: EntryObservation[] = [];
    for (const variant of this.variants) {
      const seen = await this.entry.run({
        arguments: this.planned.map((each) => this.argument(each, { sizes, variant })),
        fills: this.symbols.map((each) => fillOf(each, sizes)),
        ...budget,
        ...(this.work === works.vast && { isVast: true }),
      });
      if (!seen.ok) return seen;
      const isLaunched = seen.value.launches.some((each) => readableName(each.kernel).name === this.kernel);
      if (!isLaunched) return fail(`it did not launch ${this.kernel}`);
      observations.push(seen.value);
    }
    const { launches, launchCount } = at(observations, 0);
    return succeed({ ...mergedObservation(observations), launches, launchCount });
  }

  private argument(
    planned: PlannedEntryArgument,
    { sizes, variant }: { readonly sizes: Setting; readonly variant: ContentVariant },
  ): EntryProbeArgument {
    switch (planned.kind) {
      case "stream":
        return { kind: "bytes" };
      case "value":
        return { kind: "number", value: planned.value };
      case "size":
        return { kind: "number", value: known(sizes[planned.name], "the value of a size") };
      case "buffer": {
        const searched = this.contents.get(planned.name);
        const content = variedContent(variant.get(planned.name), searched) ?? this.usualContent(planned);
        const elements = this.elementsOf(planned.name, sizes);
        return { kind: "buffer", content, ...(elements === undefined ? {} : { elements }) };
      }
    }
  }

  /**
   * What host code writes is seen by what has changed: what may be written holds numbers of its own, which no
   * mean or copy of the others is.
   */
  private usualContent({ name, type, isConst }: PlannedBuffer): ProbeContent {
    if (isConst || !type.dtype.includes("float")) return plainContent(type.dtype);
    const place = this.planned.findIndex((each) => each.name === name);
    return { kind: "constant", value: ownNumber + place / ownNumbers };
  }

  private elementsOf(name: string, sizes: Setting): number | undefined {
    const length = this.lengths.get(name);
    const value = length === undefined ? undefined : evaluateSizeExpression(length, sizes);
    return value?.ok === true ? value.value : undefined;
  }
}

function fillOf({ holds }: PlannedSymbol, sizes: Setting): EntryProbeFill {
  if (holds.kind === "buffer") return { kind: "buffer", content: plainContent(holds.type.dtype) };
  const numbers = holds.numbers.map((each) => {
    const { at: byte, name, dtype } = each;
    const value = each.kind === "value" ? each.value : known(sizes[name], "the value of a size");
    return { at: byte, value, dtype };
  });
  return { kind: "numbers", numbers };
}

/** Kernels that each call launches. */
export function launchedByAll(observed: readonly EntryObservation[]): readonly string[] {
  const [first = [], ...others] = observed.map(({ launches }) =>
    launches.map(({ kernel }) => readableName(kernel).name),
  );
  return [...new Set(first)].filter((kernel) => others.every((each) => each.includes(kernel)));
}
