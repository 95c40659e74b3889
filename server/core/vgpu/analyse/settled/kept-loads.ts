import { at } from "../../../base/known";
import type { CodeBlock } from "../blocks";
import { successorsOf } from "../liveness";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { rolesOf } from "../../flatten/roles";

/** A way out of a block that is taken only where a word holds a number. */
interface Guard {
  readonly from: number;
  readonly to: number;
  /** Where the word was loaded from, and how many bits it has. */
  readonly address: ProgramOperand;
  readonly bits: number | undefined;
  readonly number: ProgramOperand;
}

/** What an instruction is. */
interface Kinds {
  /** A load of one number of global memory. */
  readonly isPlainLoad: (instruction: ProgramInstruction) => boolean;
  /** A store that other threads may see. */
  readonly isSharedStore: (instruction: ProgramInstruction) => boolean;
}

/**
 * Loads of a word that was found to hold a certain number on every way to them, by the same address
 * (`if (level[v] != depth) return; … level[v] + 1`), and that number: it is there still, unless somebody has
 * stored there since. Only those in blocks that store.
 */
export function keptLoads(
  blocks: readonly CodeBlock[],
  { isPlainLoad, isSharedStore }: Kinds,
): ReadonlyMap<ProgramInstruction, ProgramOperand> {
  const guards = blocks.flatMap((block, from) => guardsOf(block, from, isPlainLoad));
  const kept = new Map<ProgramInstruction, ProgramOperand>();
  for (const [index, { instructions }] of blocks.entries())
    for (const load of instructions.some(isSharedStore) ? instructions.filter(isPlainLoad) : []) {
      const guard = guards.find((each) => isOf(each, load) && covers(blocks, each, index));
      if (guard !== undefined) kept.set(load, guard.number);
    }
  return kept;
}

function guardsOf(
  block: CodeBlock,
  from: number,
  isPlainLoad: (instruction: ProgramInstruction) => boolean,
): readonly Guard[] {
  const asked = askedBy(block);
  if (asked === undefined) return [];
  const before = block.instructions.slice(0, asked.index);
  const load = lastWriter(before, asked.tested);
  const [, address] = load?.operands ?? [];
  if (load === undefined || address === undefined || !isPlainLoad(load)) return [];
  const behind = block.instructions.slice(block.instructions.indexOf(load) + 1);
  if (behind.some((each) => rolesOf(each).writes.includes(registerOf(address) ?? -1))) return [];
  return [{ from, to: asked.to, address, bits: load.matched.types.type?.bits, number: asked.number }];
}

/** What a block asks at its end: whether a register equals a number, and where it leads if so. */
interface Asked {
  /** Of the comparison, among the block's instructions. */
  readonly index: number;
  readonly tested: number;
  readonly number: ProgramOperand;
  readonly to: number;
}

function askedBy({ instructions, terminator }: CodeBlock): Asked | undefined {
  if (terminator.kind !== "branch" || terminator.taken === terminator.otherwise) return undefined;
  const asked = lastWriter(instructions, terminator.register);
  if (asked?.matched.instruction.opcode !== "setp" || asked.operands.length !== 3 || asked.guard)
    return undefined;
  const how = asked.matched.modifiers["comparison"];
  const [, tested, number] = asked.operands;
  if ((how !== "eq" && how !== "ne") || tested?.kind !== "register" || number === undefined) return undefined;
  const isTakenWhereEqual = (how === "eq") !== terminator.negated;
  return {
    index: instructions.indexOf(asked),
    tested: tested.register,
    number,
    to: isTakenWhereEqual ? terminator.taken : terminator.otherwise,
  };
}

function lastWriter(
  instructions: readonly ProgramInstruction[],
  register: number,
): ProgramInstruction | undefined {
  return instructions.findLast((each) => rolesOf(each).writes.includes(register));
}

function registerOf(address: ProgramOperand | undefined): number | undefined {
  return address?.kind === "address" && address.base.kind === "register" ? address.base.register : undefined;
}

/** Whether a load is of the word that was asked for. */
function isOf({ address, bits }: Guard, { operands, matched }: ProgramInstruction): boolean {
  const [, from] = operands;
  if (address.kind !== "address" || from?.kind !== "address") return false;
  const register = registerOf(address);
  const isSame = register !== undefined && register === registerOf(from) && address.offset === from.offset;
  return isSame && bits === matched.types.type?.bits;
}

/** Whether every way to a block leads by a guard, behind which nobody changes the address. */
function covers(blocks: readonly CodeBlock[], guard: Guard, block: number): boolean {
  if (reached(blocks, 0, guard).has(block)) return false;
  const register = registerOf(guard.address);
  return [...reached(blocks, guard.to)].every((each) =>
    at(blocks, each).instructions.every((instruction) =>
      rolesOf(instruction).writes.every((written) => written !== register),
    ),
  );
}

/** Blocks that control may come to, itself included. `without`: a way that is not gone. */
function reached(
  blocks: readonly CodeBlock[],
  start: number,
  without?: Pick<Guard, "from" | "to">,
): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [start];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (found.has(block)) continue;
    found.add(block);
    for (const next of successorsOf(at(blocks, block).terminator))
      if (without === undefined || block !== without.from || next !== without.to) open.push(next);
  }
  return found;
}
