import type { Instruction, Operand, Statement } from "./module";

/**
 * Gives a line to code that the compiler says belongs to none (`.loc` with line 0): expansions of a 64-bit
 * division, constants, what was hoisted. It works for what reads its result, so it counts for the next line
 * that does, or else for the next line of the text. Only code behind all lines keeps the line before.
 * @param lineless Indices of the statements in question; these are replaced.
 */
export function placeLineless(statements: Statement[], lineless: ReadonlySet<number>): void {
  if (lineless.size === 0) return;
  const readers = new Map<number, number>();
  let next: number | undefined;
  for (let index = statements.length - 1; index >= 0; index -= 1) {
    const statement = statements[index];
    if (statement?.kind !== "instruction") continue;
    const { instruction } = statement;
    const { writes, reads } = registersOf(instruction);
    let { location } = instruction;
    if (lineless.has(index)) {
      location = earliest(writes, readers) ?? next ?? location;
      statements[index] = { kind: "instruction", instruction: { ...instruction, location } };
    } else next = location;
    for (const register of writes) readers.delete(register);
    for (const register of reads) readers.set(register, location);
  }
}

/** The line of a reader of one of the registers. */
function earliest(writes: readonly number[], readers: ReadonlyMap<number, number>): number | undefined {
  const found = writes.find((register) => readers.has(register));
  return found === undefined ? undefined : readers.get(found);
}

interface Registers {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
}

/** By the order of operands: the first is the result unless it is an address. */
function registersOf({ guard, operands: [first, ...rest] }: Instruction): Registers {
  const others = [...rest.flatMap(registersIn), ...(guard ? [guard.register] : [])];
  const named = first ? registersIn(first) : [];
  return first?.kind === "address"
    ? { writes: [], reads: [...named, ...others] }
    : { writes: named, reads: others };
}

function registersIn(operand: Operand): readonly number[] {
  switch (operand.kind) {
    case "register":
    case "negated":
      return [operand.register];
    case "address":
      return registersIn(operand.base);
    case "vector":
    case "list":
      return operand.elements.flatMap(registersIn);
    case "pair":
      return [...registersIn(operand.first), ...registersIn(operand.second)];
    default:
      return [];
  }
}
