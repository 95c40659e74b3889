import type { CodeBlock } from "../../vgpu/analyse/blocks";
import { mustGet } from "../../base/known";
import { entails } from "../decide/entails";
import { type Form, minus, constantForm, shifted, substituted, symbolForm, symbolsOf } from "../decide/form";
import type { Symbols } from "../decide/symbols";
import type { Access } from "../follow/execute";
import type { Walked } from "../prove";
import { barrierLoops, intervalsOf, type Reached } from "./intervals";
import { dividedBranch, isUniformCondition } from "./uniform";

/** Pairs that are looked at before a kernel is given up. */
const mostPairs = 150;

/** What is known of the pairs of accesses to shared memory that no barrier keeps apart. */
export interface RaceAnswer {
  readonly asked: number;
  readonly open: number;
  /** Why the first of them is not decided, or all; left out where there is none. */
  readonly why?: string;
  readonly access?: Access;
}

/** An access of one thread between two barriers. */
interface Instance {
  readonly access: Access;
  readonly reached: Reached;
}

/** Whether two threads of a block may access the same shared memory between the same two barriers. */
export function racesOf(walked: Walked): RaceAnswer | undefined {
  const shared = walked.accesses.filter((access) => mayBeShared(walked, access));
  if (!shared.some(({ isWrite }) => isWrite)) return undefined;
  const { blocks, graph } = walked.walk;
  const unclear = shared.find(({ address, bytes }) => bytes === 0 || address?.kind !== "number");
  if (unclear) return undecided("its address is not followed", unclear);
  const copy = shared.find(({ instruction }) => instruction.matched.traits.access === "copy");
  if (copy) return undecided("a copy may still be under way behind a barrier", copy);
  const loops = barrierLoops(blocks, graph);
  const { symbols } = walked.machine;
  const divided = dividedBranch(blocks, graph, (block) => {
    const condition = walked.branches.get(block);
    return condition !== undefined && isUniformCondition(symbols, condition, loops);
  });
  if (divided !== undefined) return undecided("threads may come to different barriers");
  if (!blocks.every(isPlainBarrier)) return undecided("a barrier is not one of the whole block");
  const intervals = intervalsOf(blocks, graph);
  if (intervals === undefined) return undecided("a loop may go round twice between barriers");
  const pairs = intervals.flatMap((interval) => pairsOf(shared, interval));
  if (pairs.length > mostPairs) return undecided(`there are ${pairs.length} pairs of accesses`);
  const open = pairs.filter((pair) => !isApart(walked, pair));
  const access = open[0]?.[0].access;
  return {
    ...{ asked: pairs.length, open: open.length },
    ...(access && { why: "two threads were not shown to stay apart", access }),
  };
}

function undecided(why: string, access?: Access): RaceAnswer {
  return { asked: 0, open: 0, why, ...(access && { access }) };
}

function mayBeShared({ machine }: Walked, { space, address }: Access): boolean {
  if (space.startsWith("shared")) return true;
  if (space !== "generic") return false;
  const base = address?.kind === "number" ? address.base : undefined;
  return base === undefined || machine.regions.get(base)?.space !== "global";
}

/** `bar.sync 0` of all threads. */
function isPlainBarrier(code: CodeBlock): boolean {
  if (code.terminator.kind !== "barrier") return true;
  const { matched, operands, guard } = code.terminator.instruction;
  const [name] = operands;
  const isFirst = operands.length === 1 && name?.kind === "integer" && name.value === 0n;
  return guard === undefined && matched.family === "barrier" && matched.modifiers.kind === "sync" && isFirst;
}

/** Pairs of accesses of which one writes, each once. */
function pairsOf(
  shared: readonly Access[],
  interval: readonly Reached[],
): readonly (readonly [Instance, Instance])[] {
  const instances = interval.flatMap((reached) =>
    shared.filter(({ block }) => block === reached.block).map((access) => ({ access, reached })),
  );
  return instances.flatMap((one, index) =>
    instances
      .slice(index)
      .filter(({ access }) => access.isWrite || one.access.isWrite)
      .filter(({ access }) => !(access.isAtomic && one.access.isAtomic))
      .map((other) => [one, other] as const),
  );
}

/** Whether no two different threads make both accesses of a pair to a common byte. */
function isApart({ machine, surroundings }: Walked, [a, b]: readonly [Instance, Instance]): boolean {
  const { symbols } = machine;
  const threads = threadsOf(surroundings);
  const [one, other] = [placed(symbols, threads, a), placed(symbols, threads, b)];
  if (one === undefined || other === undefined || one.space !== other.space) return false;
  const apart = minus(one.offset, other.offset);
  const facts = [
    ...symbols.facts,
    ...one.facts,
    ...other.facts,
    // Were they together, the second would begin before the first ends, and the other way round.
    shifted(apart, b.access.bytes - 1),
  ];
  const goal = shifted(apart, -a.access.bytes);
  // The newest facts count most where there are too many.
  const knowledge = (more: readonly Form[]) => ({
    facts: [...more, ...[...facts].reverse()],
    isNonNegative: symbols.isNonNegative,
  });
  const isDifferent = ({ same, apart }: Difference): boolean =>
    // Threads along an axis of one cannot differ there.
    entails(knowledge([]), minus(constantForm(0), apart)) ||
    entails(knowledge([...same, shifted(apart, -1)]), goal);
  const [z, y, x] = threads;
  const orders = z && y && x ? [threads, [z, x, y]] : [];
  return orders.some((order) => differences(order, one, other).every(isDifferent));
}

/** An access with symbols of its own for all that may differ between threads. */
interface Placed {
  readonly space: string;
  readonly offset: Form;
  readonly facts: readonly Form[];
  readonly own: (form: Form) => Form;
}

function placed(
  symbols: Symbols,
  threads: readonly Form[],
  { access, reached }: Instance,
): Placed | undefined {
  const { address, state } = access;
  if (address?.kind !== "number" || address.base === undefined) return undefined;
  const replacements = new Map<number, Form>();
  const count = symbols.count;
  for (let symbol = 0; symbol < count; symbol += 1) {
    const { isUniform, counts } = symbols.of(symbol);
    if (isUniform === true) continue;
    const round = counts === undefined ? undefined : reached.rounds.get(counts);
    if (round === undefined) continue;
    const start = round.from === "first" ? constantForm(0) : symbolForm(symbol);
    replacements.set(symbol, shifted(start, round.more));
  }
  const before = [...symbols.facts];
  const isLeft = (symbol: number): boolean =>
    symbols.of(symbol).isUniform === true || replacements.has(symbol);
  for (const symbol of closure(before, [address.form, ...state.facts, ...threads], isLeft))
    replacements.set(symbol, symbols.copy(symbol));
  const own = (form: Form): Form => substituted(form, replacements);
  const always = before.filter((form) => [...symbolsOf(form)].some((symbol) => replacements.has(symbol)));
  return {
    space: address.base.startsWith("shared") ? "shared" : address.base,
    offset: own(address.form),
    facts: [...state.facts, ...always].map(own),
    own,
  };
}

/** Symbols in some forms, and in the facts about them. */
function closure(
  facts: readonly Form[],
  forms: readonly Form[],
  isLeft: (symbol: number) => boolean,
): ReadonlySet<number> {
  const found = new Set(forms.flatMap((form) => [...symbolsOf(form)]).filter((symbol) => !isLeft(symbol)));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const fact of facts) {
      const own = [...symbolsOf(fact)].filter((symbol) => !isLeft(symbol));
      if (own.some((symbol) => found.has(symbol))) for (const symbol of own) found.add(symbol);
    }
  }
  return found;
}

/** Where a thread stands along each axis, the last one first. */
function threadsOf({ specials }: Walked["surroundings"]): readonly Form[] {
  return ["z", "y", "x"].map((axis) => mustGet(specials, `%tid.${axis}`));
}

/** A way in which two threads differ: by at least one, and not in what is zero. */
interface Difference {
  readonly apart: Form;
  readonly same: readonly Form[];
}

/**
 * The ways in which two threads of a block differ: along the first of some axes, or not there but along the
 * next.
 */
function differences(threads: readonly Form[], one: Placed, other: Placed): readonly Difference[] {
  const ways: Difference[] = [];
  let same: readonly Form[] = [];
  for (const thread of threads) {
    const apart = minus(one.own(thread), other.own(thread));
    const back = minus(constantForm(0), apart);
    ways.push({ apart, same }, { apart: back, same });
    same = [...same, apart, back];
  }
  return ways;
}
