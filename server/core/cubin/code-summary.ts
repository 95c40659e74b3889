import { ByLine } from "./by-line";
import type { FunctionCode, LineCode, Spills } from "./cubin";
import type { Instruction } from "./instruction";
import type { LineRow } from "./line-table";
import type { InstructionClass } from "./opcode-table";

type CodeFacts = Omit<FunctionCode, "name" | "registers" | "stackBytes">;

interface Tally {
  readonly file: string;
  readonly line: number;
  instructions: number;
  readonly mix: Partial<Record<InstructionClass, number>>;
  readonly opcodes: Record<string, number>;
  staticStallCycles: number;
  widestGlobalAccess: number;
  spillInstructions: number;
  loopDepth: number;
}

interface MutableSpills {
  storeBytes: number;
  loadBytes: number;
  storeInstructions: number;
  loadInstructions: number;
}

/** What is known beside the instructions of one code section. */
interface CodeContext {
  /** In the order of addresses. */
  readonly rows: readonly LineRow[];
  readonly spillOffsets: readonly number[];
}

/**
 * Sums a code section by source line. The line of an instruction is that of the last row at or before its
 * address.
 */
export function summarizeCode(instructions: Iterable<Instruction>, context: CodeContext): CodeFacts {
  const tallies = new ByLine<Tally>();
  const whole = tallyFor("", 0);
  const spills: MutableSpills = { storeBytes: 0, loadBytes: 0, storeInstructions: 0, loadInstructions: 0 };
  const spillOffsets = new Set(context.spillOffsets);
  const loops = new LoopFinder();
  const rows = new RowCursor(context.rows);
  for (const instruction of instructions) {
    const row = rows.at(instruction.offset);
    const tally = tallies.at(row.file, row.line, () => tallyFor(row.file, row.line));
    const spilled = spillOffsets.has(instruction.offset);
    for (const each of [tally, whole]) addTo(each, instruction, spilled);
    if (spilled) addSpill(spills, instruction);
    loops.visit(instruction, tally);
  }
  loops.finish();
  const lines = tallies.sorted();
  return {
    spills: spills satisfies Spills,
    instructions: whole.instructions,
    mix: whole.mix,
    staticStallCycles: whole.staticStallCycles,
    lines: lines satisfies LineCode[],
  };
}

function tallyFor(file: string, line: number): Tally {
  return {
    file,
    line,
    instructions: 0,
    mix: {},
    opcodes: {},
    staticStallCycles: 0,
    widestGlobalAccess: 0,
    spillInstructions: 0,
    loopDepth: 0,
  };
}

function addTo(tally: Tally, { operation, control, width }: Instruction, spilled: boolean): void {
  tally.instructions += 1;
  tally.mix[operation.class] = (tally.mix[operation.class] ?? 0) + 1;
  tally.opcodes[operation.name] = (tally.opcodes[operation.name] ?? 0) + 1;
  tally.staticStallCycles += control.stall;
  if (spilled) tally.spillInstructions += 1;
  if (operation.class === "load-global" || operation.class === "store-global")
    tally.widestGlobalAccess = Math.max(tally.widestGlobalAccess, width);
}

function addSpill(spills: MutableSpills, { operation, width }: Instruction): void {
  if (operation.class === "store-local") {
    spills.storeBytes += width;
    spills.storeInstructions += 1;
  } else if (operation.class === "load-local") {
    spills.loadBytes += width;
    spills.loadInstructions += 1;
  }
}

const nowhere: LineRow = { address: 0, file: "", line: 0, callers: [] };

/** Walks the rows along with growing addresses. */
class RowCursor {
  private next = 0;
  private current = nowhere;

  constructor(private readonly rows: readonly LineRow[]) {}

  at(address: number): LineRow {
    for (
      let row = this.rows[this.next];
      row !== undefined && row.address <= address;
      row = this.rows[++this.next]
    )
      this.current = row;
    return this.current;
  }
}

/**
 * A loop is the code from the target of a backward branch to that branch. Depths come from two marks per loop
 * in one array of differences, so the work is linear in the code, however the branches cross.
 */
class LoopFinder {
  private readonly headers = new Map<number, number>();
  private readonly visited: { readonly offset: number; readonly tally: Tally }[] = [];

  visit(instruction: Instruction, tally: Tally): void {
    this.visited.push({ offset: instruction.offset, tally });
    const { target, offset } = instruction;
    // A branch to itself is the compiler's padding behind the last exit, not a loop.
    if (target !== undefined && target >= 0 && target < offset)
      this.headers.set(target, Math.max(offset, this.headers.get(target) ?? 0));
  }

  /** Several branches back to one place are one loop, which ends at the last of them. */
  finish(): void {
    const change = new Map<number, number>();
    for (const [header, last] of this.headers) {
      change.set(header, (change.get(header) ?? 0) + 1);
      change.set(last + 16, (change.get(last + 16) ?? 0) - 1);
    }
    let depth = 0;
    for (const { offset, tally } of this.visited) {
      depth += change.get(offset) ?? 0;
      tally.loopDepth = Math.max(tally.loopDepth, depth);
    }
  }
}
