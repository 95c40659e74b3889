/** Whether the baseline with exactly these hunks compiles and checks correct. */
type TryHunks = (hunks: readonly string[]) => Promise<boolean>;

/** Says that no further subset may be tried. */
interface TrialBudget {
  readonly isSpent: () => boolean;
}

/** Which hunks must be taken together. */
export interface HunkNeeds {
  /** For each hunk the others that it does not work without; a hunk that stands alone has none. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** True when the budget ended first: hunks that were not found out about then need all others. */
  readonly bounded: boolean;
}

/**
 * Finds out which hunks need each other by trying subsets: each hunk alone first; then, for a hunk that fails
 * alone, pairs with it, and then the smallest subset with it that is known to hold is reduced one hunk at a
 * time until every further removal fails. Each subset is tried once. All hunks together are known to hold:
 * that is what was proposed.
 */
export async function findNeeds(
  hunks: readonly string[],
  tryHunks: TryHunks,
  budget: TrialBudget,
): Promise<HunkNeeds> {
  const trials = new Trials(hunks, tryHunks, budget);
  const needs: Record<string, readonly string[]> = {};
  for (const hunk of hunks) if ((await trials.holds([hunk])) === true) needs[hunk] = [];
  let bounded = false;
  for (const hunk of hunks) {
    if (needs[hunk] !== undefined) continue;
    const found = await smallestWith(hunk, hunks, trials);
    bounded ||= found === undefined;
    needs[hunk] = (found ?? hunks).filter((other) => other !== hunk);
  }
  return { needs, bounded };
}

/**
 * A subset with the hunk that holds and from which no single hunk can be left out; undefined when the budget
 * ends. Pairs are tried first: they are the commonest case, and leaving hunks out one by one does not lead to
 * them where the others are pairs as well.
 */
async function smallestWith(
  hunk: string,
  hunks: readonly string[],
  trials: Trials,
): Promise<readonly string[] | undefined> {
  for (const other of hunks) {
    if (other === hunk) continue;
    const holds = await trials.holds([hunk, other]);
    if (holds === undefined) return undefined;
    if (holds) return [hunk, other];
  }
  let subset = trials.smallestKnownWith(hunk);
  for (let before = subset.length + 1; subset.length < before;) {
    before = subset.length;
    const reduced = await reduceOnce(hunk, subset, trials);
    if (reduced === undefined) return undefined;
    subset = reduced;
  }
  return subset;
}

/** Leaves out each hunk without which the rest still holds; undefined when the budget ends. */
async function reduceOnce(
  hunk: string,
  from: readonly string[],
  trials: Trials,
): Promise<readonly string[] | undefined> {
  let subset = from;
  for (const other of from) {
    if (other === hunk) continue;
    const fewer = subset.filter((each) => each !== other);
    const holds = await trials.holds(fewer);
    if (holds === undefined) return undefined;
    if (holds) subset = fewer;
  }
  return subset;
}

/** The subsets that were tried, and what came of it. */
class Trials {
  private readonly known = new Map<string, { readonly subset: readonly string[]; readonly holds: boolean }>();

  constructor(
    private readonly all: readonly string[],
    private readonly tryHunks: TryHunks,
    private readonly budget: TrialBudget,
  ) {
    this.note(all, true);
  }

  /** Undefined when the budget does not allow to find out. */
  async holds(subset: readonly string[]): Promise<boolean | undefined> {
    const known = this.known.get(keyOf(subset));
    if (known !== undefined) return known.holds;
    if (this.budget.isSpent()) return undefined;
    const holds = await this.tryHunks(subset);
    this.note(subset, holds);
    return holds;
  }

  smallestKnownWith(hunk: string): readonly string[] {
    let smallest = this.all;
    for (const { subset, holds } of this.known.values())
      if (holds && subset.includes(hunk) && subset.length < smallest.length) smallest = subset;
    return smallest;
  }

  private note(subset: readonly string[], holds: boolean): void {
    this.known.set(keyOf(subset), { subset, holds });
  }
}

function keyOf(subset: readonly string[]): string {
  return [...subset].sort().join("\n");
}
