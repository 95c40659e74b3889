import { invariant } from "../../base/assert";
import type { Instruction } from "../instruction";

/** A stretch of machine code that is entered at its start and left at its end alone. */
export interface CodeBlock {
  /** Indices of its instructions: from `start` up to but without `end`. */
  readonly start: number;
  readonly end: number;
  /** Indices of the blocks that may run next. */
  readonly next: readonly number[];
}

/** Control does not go on behind these. */
const ends = new Set(["EXIT", "RET", "BRX", "BRXU", "JMX", "JMXU", "RTT", "KILL"]);
const branches = new Set(["BRA", "JMP", "CALL"]);
const bytesOfOne = 16;
/** The register that is always true. */
const always = 7;

/**
 * The control-flow graph of one code section. A branch that names a second condition beside its guard is
 * taken to go both ways; calls go on behind themselves; where indirect branches go is not known.
 */
export function codeBlocks(code: readonly Instruction[]): readonly CodeBlock[] {
  const leaders = new Set([0]);
  for (const [index, instruction] of code.entries()) {
    for (const offset of [instruction.target, instruction.together, instruction.called])
      if (offset !== undefined) leaders.add(offset / bytesOfOne);
    if (endsBlock(instruction)) leaders.add(index + 1);
  }
  const starts = [...leaders]
    .filter((index) => Number.isInteger(index) && index >= 0 && index < code.length)
    .sort((a, b) => a - b);
  const numbers = new Map(starts.map((start, number) => [start, number]));
  return starts.map((start, number) => {
    const end = starts[number + 1] ?? code.length;
    const last = code[end - 1];
    invariant(last !== undefined, "a block has an instruction");
    return { start, end, next: successors(last, end).flatMap((index) => numbers.get(index) ?? []) };
  });
}

function endsBlock({ operation, target }: Instruction): boolean {
  return target !== undefined || branches.has(operation.name) || ends.has(operation.name);
}

/** Indices of the instructions that may follow the last one of a block, which ends before `end`. */
function successors(
  { operation, predicate, target, conditional }: Instruction,
  end: number,
): readonly number[] {
  const taken = target === undefined ? [] : [target / bytesOfOne];
  const isCertain = predicate.register === always && !predicate.negated && !conditional;
  const leaves = ends.has(operation.name) || (branches.has(operation.name) && target !== undefined);
  return leaves && isCertain ? taken : [...taken, end];
}
