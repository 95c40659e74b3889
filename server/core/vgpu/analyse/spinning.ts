import { at } from "../../base/known";
import type { CodeBlock } from "./blocks";
import { successorsOf } from "./liveness";
import type { ProgramInstruction } from "../flatten/program";
import { rolesOf } from "../flatten/roles";
import { strongComponents } from "../flatten/strong-components";

/**
 * What a warp keeps about a block of code in which its lanes may wait for something that others do. Byte
 * offsets.
 */
export const spinRecord = {
  /**
   * Lanes that ran the block last, and visits by the same lanes, seeing the same, that are left before others
   * get a turn.
   */
  lanes: 0,
  patience: 4,
  /** What each observing instruction gave each lane: 32 lanes of 8 bytes an instruction. */
  seen: 16,
  seenBytes: 256,
} as const;

/** Observing instructions of one block whose values are compared; more than these are not looked at. */
const mostObserved = 4;

/** A block of code that may spin, and where its record lies behind the registers of a warp. */
export interface Spin {
  readonly offset: number;
  readonly observed: readonly ProgramInstruction[];
}

export interface SpinPlan {
  readonly spins: ReadonlyMap<number, Spin>;
  /** Bytes of all records, a multiple of 16. */
  readonly bytes: number;
}

const ordering: ReadonlySet<string> = new Set(["volatile", "relaxed", "acquire"]);
const throughCaches: ReadonlySet<string> = new Set(["cg", "cv"]);

/**
 * True for instructions that can see what another thread did meanwhile: atomics with a result, tests of a
 * barrier object, and loads that may not be taken out of a loop (PTX ISA section 8.2). Loads of the weak kind
 * may return the same value for ever, so that no program may wait on them.
 */
function observes({ matched, operands }: ProgramInstruction, read: () => ReadonlySet<number>): boolean {
  const { traits, modifiers } = matched;
  const [result] = operands;
  if (traits.observes === undefined) return false;
  if (traits.observes === "always") return true;
  if (traits.observes === "result") return result?.kind === "register" && read().has(result.register);
  if (modifiers["space"] === "local" || modifiers["space"] === "const") return false;
  return ordering.has(modifiers["weak"] ?? "") || throughCaches.has(modifiers["cache"] ?? "");
}

/** Registers that any instruction reads. */
export function readsOf(blocks: readonly CodeBlock[]): ReadonlySet<number> {
  const found = new Set<number>();
  const note = (instruction: ProgramInstruction): void =>
    rolesOf(instruction).reads.forEach((register) => found.add(register));
  for (const { instructions, last } of blocks) {
    instructions.forEach(note);
    if (last) note(last);
  }
  return found;
}

/**
 * Finds the blocks of code in which lanes, warps or blocks of threads may wait for each other: those on a
 * cycle that observe.
 */
export function planSpins(blocks: readonly CodeBlock[]): SpinPlan {
  let known: ReadonlySet<number> | undefined;
  const read = (): ReadonlySet<number> => (known ??= readsOf(blocks));
  const candidates = blocks.map(({ instructions }) =>
    instructions.filter((instruction) => observes(instruction, read)).slice(0, mostObserved),
  );
  const spins = new Map<number, Spin>();
  let bytes = 0;
  if (candidates.every(({ length }) => length === 0)) return { spins, bytes };
  const cyclic = blocksOnCycles(blocks);
  const called = calledBlocks(blocks);
  candidates.forEach((observed, index) => {
    if (observed.length === 0 || !(cyclic.has(index) || called.has(index))) return;
    spins.set(index, { offset: bytes, observed });
    bytes += spinRecord.seen + observed.length * spinRecord.seenBytes;
  });
  return { spins, bytes };
}

/** Blocks of functions that are really called, perhaps in a loop of the caller's. */
function calledBlocks(blocks: readonly CodeBlock[]): ReadonlySet<number> {
  const own = new Set([0]);
  for (const index of own)
    for (const successor of blocks
      .slice(index, index + 1)
      .flatMap(({ terminator }) => successorsOf(terminator)))
      own.add(successor);
  return new Set([...blocks.keys()].filter((index) => !own.has(index)));
}

/** Blocks from which control can come back to themselves. */
function blocksOnCycles(blocks: readonly CodeBlock[]): ReadonlySet<number> {
  const after = blocks.map(({ terminator }) => successorsOf(terminator));
  const components = strongComponents(blocks.keys(), (index) => at(after, index));
  return new Set(
    components.flatMap((members) => {
      const [only = 0] = members;
      return members.length > 1 || after[only]?.includes(only) ? members : [];
    }),
  );
}
