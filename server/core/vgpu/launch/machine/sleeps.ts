import { at } from "../../../base/known";
import type { CodeBlock } from "../../analyse/blocks";
import { successorsOf } from "../../analyse/liveness";
import { planSpins } from "../../analyse/spinning";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { rolesOf } from "../../flatten/roles";
import { strongComponents } from "../../flatten/strong-components";

/** The longest that an instruction may be told to sleep (PTX ISA section 9.7.13, nanosleep). */
const longestNanoseconds = 1_000_000;

/**
 * Nanoseconds for which each instruction puts its warp to sleep: a constant, or the most it can be. Sleep in
 * a loop that waits for other threads counts nothing: how often it is gone around is no property of the
 * program.
 */
export function sleepsOf(blocks: readonly CodeBlock[]): ReadonlyMap<ProgramInstruction, number> {
  const sleeping = [...blocks.entries()].filter(([, { instructions }]) => instructions.some(isSleep));
  if (sleeping.length === 0) return new Map();
  const waiting = waitingBlocks(blocks);
  return new Map(
    sleeping
      .filter(([index]) => !waiting.has(index))
      .flatMap(([, { instructions }]) => instructions.filter(isSleep))
      .map((instruction) => [instruction, nanosecondsOf(instruction, blocks)]),
  );
}

function isSleep({ matched }: ProgramInstruction): boolean {
  return matched.instruction.opcode === "nanosleep";
}

/** Blocks of code on a cycle with one that looks at what other threads do. */
function waitingBlocks(blocks: readonly CodeBlock[]): ReadonlySet<number> {
  const { spins } = planSpins(blocks);
  const components = strongComponents(blocks.keys(), (index) => successorsOf(at(blocks, index).terminator));
  return new Set(components.filter((members) => members.some((each) => spins.has(each))).flat());
}

function nanosecondsOf({ operands: [operand] }: ProgramInstruction, blocks: readonly CodeBlock[]): number {
  const constant = constantOf(operand);
  if (constant !== undefined) return constant;
  if (operand?.kind !== "register") return longestNanoseconds;
  const { register } = operand;
  const writers = blocks
    .flatMap(({ instructions }) => instructions)
    .filter((instruction) => rolesOf(instruction).writes.includes(register));
  const values = writers.map(({ matched, operands }) =>
    matched.instruction.opcode === "mov" ? constantOf(operands[1]) : undefined,
  );
  return Math.max(0, ...values.map((value) => value ?? longestNanoseconds));
}

function constantOf(operand: ProgramOperand | undefined): number | undefined {
  return operand?.kind === "integer" ? Math.min(longestNanoseconds, Number(operand.value)) : undefined;
}
