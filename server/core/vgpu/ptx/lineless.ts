import type { Instruction, Operand, Statement } from "./module";

/** No reader of a register is known behind a statement. */
const NONE = -2;

/**
 * Gives a line to code that the compiler says belongs to none (`.loc` with line 0): expansions of a 64-bit
 * division, constants, what was hoisted. It works for what reads its result, so it counts for the next line
 * that does, or else for the next line of the text. Only code behind all lines keeps the line before.
 * @param lineless Indices of the statements in question; these are replaced.
 * @param registers How many the function has; operands name them by numbers below it.
 */
export function placeLineless(
  statements: Statement[],
  lineless: ReadonlySet<number>,
  registers: number,
): void {
  if (lineless.size === 0) return;
  const readers = new Readers(registers);
  let next: number | undefined;
  let left = lineless.size;
  for (let index = statements.length - 1; index >= 0 && left > 0; index -= 1) {
    const statement = statements[index];
    if (statement?.kind !== "instruction") continue;
    const { instruction } = statement;
    let { location } = instruction;
    if (lineless.has(index)) {
      left -= 1;
      location = readers.ofResult(instruction) ?? next ?? location;
      statements[index] = { kind: "instruction", instruction: { ...instruction, location } };
    } else next = location;
    readers.pass(instruction, location);
  }
}

/**
 * For each register the line of the nearest instruction behind that reads it. By the order of operands: the
 * first is the result unless it is an address.
 */
class Readers {
  private readonly lines: Int32Array;

  constructor(registers: number) {
    this.lines = new Int32Array(registers).fill(NONE);
  }

  /** The line that reads what an instruction writes; undefined where nothing behind it does. */
  ofResult({ operands: [result] }: Instruction): number | undefined {
    return result && result.kind !== "address" ? this.find(result) : undefined;
  }

  /** Goes from behind an instruction, which has this line, to before it. */
  pass({ guard, operands }: Instruction, line: number): void {
    operands.forEach((operand, index) =>
      this.note(operand, index === 0 && operand.kind !== "address" ? NONE : line),
    );
    if (guard) this.lines[guard.register] = line;
  }

  /** The line of the first register of an operand that has one. */
  private find(operand: Operand): number | undefined {
    switch (operand.kind) {
      case "register":
      case "negated": {
        const line = this.lines[operand.register];
        return line === NONE ? undefined : line;
      }
      case "vector":
      case "list":
        for (const element of operand.elements) {
          const line = this.find(element);
          if (line !== undefined) return line;
        }
        return undefined;
      case "pair":
        return this.find(operand.first) ?? this.find(operand.second);
      case "address":
        return this.find(operand.base);
      default:
        return undefined;
    }
  }

  private note(operand: Operand, line: number): void {
    switch (operand.kind) {
      case "register":
      case "negated":
        this.lines[operand.register] = line;
        break;
      case "address":
        this.note(operand.base, line);
        break;
      case "vector":
      case "list":
        for (const element of operand.elements) this.note(element, line);
        break;
      case "pair":
        this.note(operand.first, line);
        this.note(operand.second, line);
        break;
      default:
        break;
    }
  }
}
