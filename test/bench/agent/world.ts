/** A made-up kernel: what rewrites do to its terms, and what a model believes of them. */
export interface World {
  readonly name: string;
  readonly rewrites: readonly Rewrite[];
  /** The least bound of all sets of rewrites, in nanoseconds. */
  readonly best: number;
}

interface Rewrite {
  readonly name: string;
  /** The term that the model believes it lowers. */
  readonly believed: Term;
  readonly term: Term;
  /** What the term is multiplied with. */
  readonly factor: number;
  /** With this other rewrite it does so; alone it costs. */
  readonly needs?: string;
  readonly usesShared: boolean;
  /** It makes the kernel wrong. */
  readonly isWrong: boolean;
  /** A case that it makes wrong and that no ordinary check has, as the scripted evaluator marks it. */
  readonly rare?: string;
}

const terms = ["dram", "issue", "latency"] as const;
type Term = (typeof terms)[number];

const start: Readonly<Record<Term, number>> = { dram: 60_000, issue: 52_000, latency: 45_000 };
const rewriteNames = ["vector", "tile", "unroll", "registers", "shuffle", "pipeline", "swizzle"] as const;
/** What a rewrite costs that needs another one. */
const alone = 1.15;

/** A world from a number: the same one each time. */
export function worldOf(seed: number): World {
  const random = generator(seed);
  const pick = (): Term => terms[Math.floor(random() * terms.length)] ?? "dram";
  const rewrites = rewriteNames.map((name, index): Rewrite => {
    const term = pick();
    const partner = rewriteNames[(index + 1 + Math.floor(random() * 5)) % rewriteNames.length];
    const needs = random() < 0.35 ? partner : undefined;
    return {
      name,
      term,
      believed: random() < 0.7 ? term : pick(),
      factor: needs === undefined ? 0.6 + random() * 0.55 : 0.35 + random() * 0.3,
      ...(needs === undefined ? {} : { needs }),
      usesShared: random() < 0.4,
      isWrong: needs === undefined && random() < 0.12,
    };
  });
  const world = { name: `world ${seed}`, rewrites };
  const best = Math.min(
    ...subsets(rewrites.map(({ name }) => name)).map((used) => costOf(world, used).bound),
  );
  return { ...world, best };
}

/** Rare faults: sizes of one remainder, inputs of one kind. */
const rareFaults = [
  ...["n%7=3", "n%16=5", "n%37=11", "n%101=40", "x all 0", "x all -200"],
  ...["x all 1", "x from -8 to 8, sorted", "infinite", "tiny"],
] as const;
/** The share of rewrites that have one. */
const rareShare = 0.35;

/** The same world with rare faults in some of its rewrites; its best version is one without. */
export function withRareFaults(world: World, seed: number): World {
  const random = generator(seed + 1000);
  const rewrites = world.rewrites.map((rewrite): Rewrite => {
    const [isFaulty, which] = [random() < rareShare, random()];
    const rare = rareFaults[Math.floor(which * rareFaults.length)];
    return isFaulty && !rewrite.isWrong && rare !== undefined ? { ...rewrite, rare } : rewrite;
  });
  const sound = rewrites.filter(({ rare }) => rare === undefined).map(({ name }) => name);
  const best = Math.min(...subsets(sound).map((used) => costOf({ rewrites }, used).bound));
  return { name: `${world.name} with rare faults`, rewrites, best };
}

/** The bound of a version and the term that binds it; infinite when it is wrong. */
function costOf(
  { rewrites }: Pick<World, "rewrites">,
  used: readonly string[],
): { readonly bound: number; readonly binding: Term } {
  const applied = rewrites.filter(({ name }) => used.includes(name));
  if (applied.some(({ isWrong }) => isWrong)) return { bound: Number.POSITIVE_INFINITY, binding: "dram" };
  const cost = { ...start };
  for (const { term, factor, needs } of applied)
    cost[term] *= needs === undefined || used.includes(needs) ? factor : alone;
  const binding = terms.reduce((most, each) => (cost[each] > cost[most] ? each : most));
  return { bound: Math.round(cost[binding]), binding };
}

/** The text of a version, with the marks of the scripted evaluator. */
export function textOf(world: World, used: readonly string[]): string {
  const { bound, binding } = costOf(world, used);
  const wavefronts = world.rewrites.filter(
    ({ name, usesShared }) => usesShared && used.includes(name),
  ).length;
  const marks = Number.isFinite(bound) ? [`// bound ${bound}`, `// binding ${binding}`] : ["// wrong"];
  const rare = world.rewrites.flatMap(({ name, rare: fault }) =>
    fault !== undefined && used.includes(name) ? [`// fails ${fault}`] : [],
  );
  return [...marks, ...rare, `// shared ${wavefronts}`, `// uses ${[...used].sort().join(" ")}`, ""].join(
    "\n",
  );
}

function subsets(names: readonly string[]): readonly (readonly string[])[] {
  return names.reduce<readonly (readonly string[])[]>(
    (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
    [[]],
  );
}

/** Numbers from 0 to below 1 (a linear congruential generator; Numerical Recipes). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
