import { at } from "../../../base/known";
import type { CodeBlock } from "../blocks";
import { analyzeLiveness, hasBit, terminatorReads, terminatorWrites } from "../liveness";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { readsParameters, rolesOf } from "../../flatten/roles";
import { isSharedSpace } from "../../ptx/spaces";
import { agrees, type Comparison, holds, inverse } from "./agreement";
import { FixedValues, type Parameters } from "./fixed-values";
import { keptLoads } from "./kept-loads";
import { Origins } from "./origins";

/**
 * Where every thread that finds a word not done yet stores the same number to it, as frontiers do
 * (`if (level[v] == -1) level[v] = depth;`), it makes no difference which of the two values a thread reads
 * that does not wait for the others. That is shown of a kernel whose only stores to global memory are such:
 *
 * - The loaded number is compared with one that is the same in the whole launch, and nothing else is made of
 *   it. What the comparison decides is a stretch of code that stores numbers that are the same in the whole
 *   launch to that very word, and to places that are the same in the whole launch. It leaves no register
 *   behind, so that threads go on alike on both ways.
 * - All such stretches of the kernel ask the same and store the same. A word that one of them changes thus
 *   held a number that the comparison holds of, and every thread that asks finds that one or the stored one.
 *   The first to ask finds the old one and stores; what others store after that is there already.
 * - Nothing is counted, exchanged, or added to memory that the threads share: how many of them store is seen
 *   nowhere.
 *
 * A store of what depends on the loaded number, on the thread, or on data is none of these.
 */
class SettledStores {
  /** What loads find that are of a word which was compared before. */
  private readonly kept: ReadonlyMap<ProgramInstruction, ProgramOperand>;
  private readonly fixed: FixedValues;
  private readonly origins: Origins;
  /** Of memory that other threads may change. */
  private readonly loads: readonly ProgramInstruction[];
  private readonly uses: ReadonlyMap<number, number>;
  private readonly settled: Settled | undefined;
  /** The comparisons of loads whose number nothing else is made of. */
  private readonly asked = new Map<ProgramInstruction, readonly ProgramInstruction[]>();

  constructor(private readonly blocks: readonly CodeBlock[]) {
    this.kept = keptLoads(blocks, { isPlainLoad, isSharedStore });
    this.fixed = new FixedValues(blocks, this.kept);
    this.origins = new Origins(blocks);
    this.loads = blocks.flatMap(({ instructions }) => instructions).filter(isSharedLoad);
    this.uses = countUses(blocks);
    this.settled = blocks.some(isBeyond) ? undefined : this.find();
  }

  /**
   * True where a load may run at the same time as a store, whichever of the two values it gets, and no other
   * load may find one of them that is not as free: of several conflicts on a word only some are seen.
   */
  isSettled(load: ProgramInstruction, store: ProgramInstruction, where: Conflict): boolean {
    const { settled } = this;
    if (settled === undefined || !settled.stores.has(store)) return false;
    const isFree = (each: ProgramInstruction): boolean =>
      settled.loads.has(each) || this.isIndifferent(each, settled, where.parameters);
    const isElsewhere = (address: ProgramOperand | undefined): boolean =>
      this.pointersOf(address, where)?.every((pointer) => !isWithin(pointer, where)) === true;
    return (
      isFree(load) &&
      settled.kept.every((each) => this.isKept(each, settled, where)) &&
      settled.others.every(({ operands }) => isElsewhere(operands[0])) &&
      this.loads.every((each) => isFree(each) || settled.kept.includes(each) || isElsewhere(each.operands[1]))
    );
  }

  /** Whether a load finds the number that was there: no stretch changes a word here that holds it. */
  private isKept(load: ProgramInstruction, settled: Settled, where: Conflict): boolean {
    const holding = this.comparisonIn(settled.holding, where.parameters);
    const number = this.fixed.valueOf(this.kept.get(load), where.parameters);
    const pointers = this.pointersOf(load.operands[1], where) ?? [];
    const isHere = pointers.length > 0 && pointers.every((pointer) => isWithin(pointer, where));
    if (!isHere || holding === undefined || number === undefined) return false;
    return settled.bits === 32 && plainBits(load) === 32 && !holds(holding, number, settled.bits);
  }

  /** What parameters point to that an address is made of; undefined where it is made of anything else. */
  private pointersOf(
    address: ProgramOperand | undefined,
    { parameters }: Conflict,
  ): readonly bigint[] | undefined {
    const origins = this.origins.of(address);
    if (origins === undefined || origins.size === 0) return undefined;
    const isPointer = (offset: number): boolean => offset + 8 <= parameters.byteLength;
    return [...origins].filter(isPointer).map((offset) => parameters.getBigUint64(offset, true));
  }

  /** Whether all that is asked of a loaded number is answered alike before and after the store. */
  private isIndifferent(load: ProgramInstruction, settled: Settled, parameters: Parameters): boolean {
    const bits = plainBits(load);
    const holding = this.comparisonIn(settled.holding, parameters);
    const more = this.fixed.valueOf(settled.value, parameters);
    const comparisons = this.comparisonsOf(load);
    if (bits !== settled.bits || holding === undefined || more === undefined || comparisons.length === 0)
      return false;
    return comparisons.every((each) => {
      const asked = this.comparisonIn({ instruction: each, isNegated: false }, parameters);
      return asked !== undefined && agrees(asked, { holding, more, bits });
    });
  }

  /** What a comparison asks in a launch; undefined where it is none of whole numbers. */
  private comparisonIn({ instruction, isNegated }: Holding, parameters: Parameters): Comparison | undefined {
    const { modifiers, types } = instruction.matched;
    const other = this.fixed.valueOf(instruction.operands[2], parameters);
    const kind = types.type?.kind;
    if (other === undefined || kind === undefined || !wholeKinds.has(kind)) return undefined;
    const how = modifiers["comparison"] ?? "";
    const asked = { how, isUnsigned: kind === "unsigned", with: other };
    return isNegated ? inverse(asked) : asked;
  }

  /** The comparisons of a loaded number with fixed ones; none where anything else is made of it. */
  private comparisonsOf(load: ProgramInstruction): readonly ProgramInstruction[] {
    const known = this.asked.get(load);
    if (known !== undefined) return known;
    const [result] = load.operands;
    const asks = result?.kind === "register" ? this.asksOf(result.register) : [];
    this.asked.set(load, asks);
    return asks;
  }

  private asksOf(register: number): readonly ProgramInstruction[] {
    const asks = this.blocks
      .flatMap(({ instructions }) => instructions)
      .filter((each) => this.isAsked(each, register));
    return asks.length === this.uses.get(register) ? asks : [];
  }

  /** Whether an instruction compares a register with what is fixed. */
  private isAsked(instruction: ProgramInstruction, register: number): boolean {
    const { matched, operands, guard } = instruction;
    const [result, first, second] = operands;
    return (
      matched.instruction.opcode === "setp" &&
      guard === undefined &&
      operands.length === 3 &&
      result?.kind === "register" &&
      first?.kind === "register" &&
      first.register === register &&
      this.fixed.keyOf(second) !== undefined
    );
  }

  private find(): Settled | undefined {
    const stretches = this.stretches();
    if (stretches === undefined) return undefined;
    const [first] = stretches;
    if (first === undefined || stretches.some(({ key }) => key !== first.key)) return undefined;
    const within = new Set(stretches.flatMap(({ stores }) => stores));
    const all = this.blocks.flatMap(({ instructions }) => instructions).filter(isSharedStore);
    if (all.some((store) => !within.has(store))) return undefined;
    return {
      ...first,
      loads: new Set(stretches.map(({ load }) => load)),
      stores: new Set(stretches.map(({ store }) => store)),
      kept: stretches.flatMap(({ kept }) => kept),
      others: stretches.flatMap(({ store, stores }) => stores.filter((each) => each !== store)),
    };
  }

  /** Every stretch that a comparison guards and that stores; undefined where one is of another kind. */
  private stretches(): readonly Stretch[] | undefined {
    const liveness = analyzeLiveness(this.blocks, countRegisters(this.blocks));
    const found: Stretch[] = [];
    for (const [index, block] of this.blocks.entries()) {
      const { terminator } = block;
      if (terminator.kind !== "branch") continue;
      for (const side of [terminator.taken, terminator.otherwise]) {
        const other = side === terminator.taken ? terminator.otherwise : terminator.taken;
        const { instructions, terminator: end } = at(this.blocks, side);
        if (!instructions.some(isSharedStore) || end.kind !== "jump" || end.target !== other) continue;
        const isNegated = (side === terminator.taken) === terminator.negated;
        const leaves = (register: number): boolean => hasBit(at(liveness.liveIn, other), register);
        if (this.blocks.some((each, from) => from !== index && leadsTo(each, side))) return undefined;
        if (instructions.some((each) => rolesOf(each).writes.some(leaves))) return undefined;
        const stretch = this.stretchOf({ ask: terminator.register, isNegated, before: block, instructions });
        if (stretch === undefined) return undefined;
        found.push(stretch);
      }
    }
    return found;
  }

  private stretchOf({ ask, isNegated, before, instructions }: Guarded): Stretch | undefined {
    const askedAt = before.instructions.findLastIndex((each) => rolesOf(each).writes.includes(ask));
    const holding = before.instructions[askedAt];
    if (holding === undefined || this.uses.get(ask) !== 1) return undefined;
    const asked = holding.operands[1];
    const loadAt = before.instructions
      .slice(0, askedAt)
      .findLastIndex((each) => asked?.kind === "register" && rolesOf(each).writes.includes(asked.register));
    const load = before.instructions[loadAt];
    if (load === undefined || !isPlainLoad(load)) return undefined;
    const [only, ...others] = this.comparisonsOf(load);
    if (only !== holding || others.length > 0) return undefined;
    const isQuiet = (each: ProgramInstruction): boolean => isOwn(each) || this.kept.has(each);
    if (!instructions.every((each) => isSharedStore(each) || isQuiet(each))) return undefined;
    const between = [...before.instructions.slice(loadAt + 1), ...instructions];
    const stores = instructions.filter(isSharedStore);
    const [store, ...more] = stores.filter((each) => isSamePlace(load, each, between));
    if (store === undefined || more.length > 0) return undefined;
    const rest = stores.filter((each) => each !== store).map((each) => this.keyOfStore(each));
    const value = this.fixed.keyOf(store.operands[1]);
    if (value === undefined || rest.includes(undefined)) return undefined;
    const forms = [load, holding, store].flatMap(({ matched }) => matched.instruction.modifiers);
    const condition = [...forms, isNegated, this.fixed.keyOf(holding.operands[2])].join(" ");
    return {
      ...{ load, store, stores, holding: { instruction: holding, isNegated } },
      ...{ value: at(store.operands, 1), bits: plainBits(load) },
      kept: instructions.filter((each) => this.kept.has(each)),
      key: [condition, value, ...rest.toSorted()].join("; "),
    };
  }

  /** A store of what is the same in the whole launch to a place that is; undefined of any other. */
  private keyOfStore({ operands, matched: { instruction }, guard }: ProgramInstruction): string | undefined {
    const [address, value] = operands;
    if (address?.kind !== "address" || guard !== undefined) return undefined;
    const keys = [this.fixed.keyOf(address.base), this.fixed.keyOf(value)];
    return keys.includes(undefined)
      ? undefined
      : [...instruction.modifiers, address.offset, ...keys].join(" ");
  }
}

const known = new WeakMap<readonly CodeBlock[], SettledStores>();

/** Those of a kernel's code, looked for once. */
export function settledStoresOf(blocks: readonly CodeBlock[]): SettledStores {
  const before = known.get(blocks);
  if (before !== undefined) return before;
  const found = new SettledStores(blocks);
  known.set(blocks, found);
  return found;
}

/** The launch in which two accesses meet, and the allocation where: its first byte and the one behind it. */
interface Conflict {
  readonly parameters: Parameters;
  readonly from: bigint;
  readonly to: bigint;
}

function isWithin(pointer: bigint, { from, to }: Conflict): boolean {
  return pointer >= from && pointer < to;
}

/** The stretches of a kernel, which ask and store alike. */
interface Settled extends Pick<Stretch, "holding" | "value" | "bits" | "kept"> {
  readonly loads: ReadonlySet<ProgramInstruction>;
  /** Their stores to the word that was loaded. */
  readonly stores: ReadonlySet<ProgramInstruction>;
  /** Their stores to places that are the same in the whole launch. */
  readonly others: readonly ProgramInstruction[];
}

/** What holds where a stretch runs: the comparison, or that it does not hold. */
interface Holding {
  readonly instruction: ProgramInstruction;
  readonly isNegated: boolean;
}

interface Stretch {
  readonly load: ProgramInstruction;
  /** Its store to the word that was loaded, and what it stores there. */
  readonly store: ProgramInstruction;
  readonly value: ProgramOperand;
  /** All of its stores. */
  readonly stores: readonly ProgramInstruction[];
  /** Its loads, of words that were found to hold a number. */
  readonly kept: readonly ProgramInstruction[];
  readonly holding: Holding;
  readonly bits: number;
  /** Equal for stretches that ask and store the same. */
  readonly key: string;
}

/** Code that a branch leads to or around. */
interface Guarded {
  /** The predicate. */
  readonly ask: number;
  readonly isNegated: boolean;
  readonly before: CodeBlock;
  readonly instructions: readonly ProgramInstruction[];
}

/** Kinds of types that hold whole numbers. */
const wholeKinds: ReadonlySet<string> = new Set(["bits", "unsigned", "signed"]);

/** How many registers there are. */
function countRegisters(blocks: readonly CodeBlock[]): number {
  let most = 0;
  for (const { instructions, terminator } of blocks)
    for (const register of [
      ...instructions.flatMap((each) => [...rolesOf(each).reads, ...rolesOf(each).writes]),
      ...terminatorReads(terminator),
      ...terminatorWrites(terminator),
    ])
      most = Math.max(most, register + 1);
  return most;
}

/** How often each register is read. */
function countUses(blocks: readonly CodeBlock[]): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  for (const { instructions, terminator } of blocks)
    for (const register of [
      ...instructions.flatMap((instruction) => rolesOf(instruction).reads),
      ...terminatorReads(terminator),
    ])
      uses.set(register, (uses.get(register) ?? 0) + 1);
  return uses;
}

/**
 * Whether a block does what tells threads of each other beside loads and stores: adds to memory, exchanges
 * values, calls, asks the host.
 */
function isBeyond({ instructions, terminator, last }: CodeBlock): boolean {
  if (["call", "return", "table", "pause", "trap"].includes(terminator.kind)) return true;
  return [...instructions, ...(last ? [last] : [])].some(({ matched: { traits, modifiers } }) => {
    const isUpdate = traits.access === "update" && !isSharedSpace(modifiers["space"]);
    const isTold = traits.class === "warp" || traits.gathers !== undefined || traits.phase !== undefined;
    const isCopy = traits.access === "copy" || traits.orders === "copies";
    return isUpdate || isTold || isCopy || traits.asksHost;
  });
}

function leadsTo({ terminator, resumes }: CodeBlock, block: number): boolean {
  if (resumes === block) return true;
  if (terminator.kind === "jump") return terminator.target === block;
  if (terminator.kind === "barrier") return terminator.next === block;
  return terminator.kind === "branch" && (terminator.taken === block || terminator.otherwise === block);
}

/** A store that other threads may see. */
function isSharedStore({ matched: { traits, modifiers } }: ProgramInstruction): boolean {
  const space = modifiers["space"] ?? "generic";
  const isThreads = isSharedSpace(space) || space === "local" || space.startsWith("param");
  return traits.access === "store" && !isThreads;
}

/** A load of what other threads may store. */
function isSharedLoad(instruction: ProgramInstruction): boolean {
  const { traits, modifiers } = instruction.matched;
  const space = modifiers["space"] ?? "generic";
  const isApart = isSharedSpace(space) || space === "local" || space === "const" || space.startsWith("param");
  return traits.access === "load" && !isApart && !readsParameters(instruction);
}

/** What a thread does for itself alone, without memory that others may change. */
function isOwn(instruction: ProgramInstruction): boolean {
  const { traits } = instruction.matched;
  if (instruction.guard !== undefined) return false;
  return traits.access === "load" ? readsParameters(instruction) : traits.runs === "lanes";
}

/** One number of global memory, by the usual path. */
function isPlainLoad({ matched: { traits, modifiers }, guard, operands }: ProgramInstruction): boolean {
  const isGlobal = (modifiers["space"] ?? "generic") === "global";
  const isUsual = modifiers["nc"] === undefined && modifiers["vector"] === undefined;
  return traits.access === "load" && isGlobal && isUsual && guard === undefined && operands.length === 2;
}

/** Bits of a loaded whole number that agreement is decided of; 0 of another one. */
function plainBits(load: ProgramInstruction): number {
  const type = load.matched.types.type;
  if (!isPlainLoad(load) || type === undefined || !wholeKinds.has(type.kind)) return 0;
  if (type.bits === 8) return type.kind === "signed" ? 0 : 8;
  return type.bits === 32 ? 32 : 0;
}

/** Whether a store goes where a load came from. `between`: what runs after the load, the store included. */
function isSamePlace(
  load: ProgramInstruction,
  store: ProgramInstruction,
  between: readonly ProgramInstruction[],
): boolean {
  const [, from] = load.operands;
  const [to] = store.operands;
  if (from?.kind !== "address" || to?.kind !== "address") return false;
  if (from.base.kind !== "register" || to.base.kind !== "register") return false;
  const { register } = from.base;
  return (
    register === to.base.register &&
    from.offset === to.offset &&
    load.matched.types.type?.bits === store.matched.types.type?.bits &&
    store.matched.modifiers["vector"] === undefined &&
    store.guard === undefined &&
    between.every((each) => !rolesOf(each).writes.includes(register))
  );
}
