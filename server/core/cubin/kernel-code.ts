import { at } from "../base/known";
import { fail, type Outcome, succeed } from "../base/outcome";
import { type CubinProblem, UnreadableCubin } from "./byte-reader";
import { type Elf, readElf, sectionReader } from "./elf";
import { decodeInstructions, type Instruction } from "./instruction";
import { readFunctionInfo } from "./kernel-info";
import { type LineRow, readLineTable } from "./line-table";
import { codeBlocks, type CodeBlock } from "./schedule/flow";

/** An instruction and the source line that it comes from: the innermost one of inlined code. */
export interface PlacedInstruction extends Instruction {
  readonly file: string;
  /** One-based; 0 where the compiler names none. */
  readonly line: number;
  /** The lines of the calls that it was inlined for, from the inside out. */
  readonly callers: readonly number[];
}

/** The machine code of one kernel, as it is laid out and scheduled. */
export interface KernelMachineCode {
  /** 90 for sm_90. */
  readonly architecture: number;
  readonly instructions: readonly PlacedInstruction[];
  readonly blocks: readonly CodeBlock[];
  /** Local memory of a thread: registers that did not fit, arrays, and frames of what is called. */
  readonly localBytes: number;
}

/** Instructions of a kernel at most: more is no kernel but an attack on whoever reads it. */
const mostInstructions = 1 << 18;

/** The machine code of a kernel by its mangled name. Hostile bytes end in a problem; nothing is thrown. */
export function readMachineCode(bytes: Uint8Array, kernel: string): Outcome<KernelMachineCode, CubinProblem> {
  try {
    return machineCodeOf(bytes, kernel);
  } catch (thrown) {
    if (thrown instanceof UnreadableCubin) return fail(thrown.problem);
    throw thrown;
  }
}

function machineCodeOf(bytes: Uint8Array, kernel: string): Outcome<KernelMachineCode, CubinProblem> {
  const elf = readElf(bytes);
  const section = elf.sectionsByName.get(`.text.${kernel}`);
  if (section === undefined)
    return fail({ kind: "malformed", message: `the cubin has no machine code of ${kernel}` });
  const number = elf.sections.indexOf(section);
  const decoded = [...decodeInstructions(sectionReader(elf, section), elf.architecture)];
  if (decoded.length > mostInstructions)
    return fail({ kind: "too-large", message: `${kernel} has ${decoded.length} instructions` });
  const instructions = withFarBranches(decoded);
  return succeed({
    architecture: elf.architecture,
    instructions: placed(instructions, readLineTable(elf).get(number) ?? []),
    blocks: codeBlocks(instructions),
    localBytes: localBytesOf(elf, kernel),
  });
}

function localBytesOf(elf: Elf, kernel: string): number {
  const symbol = elf.symbols.find(({ name, isEntry }) => isEntry && name === kernel);
  const info = symbol === undefined ? undefined : readFunctionInfo(elf).get(symbol.index);
  return Math.max(info?.frameBytes ?? 0, info?.minimumStackBytes ?? 0);
}

/** The assembler writes some branches as calls of what never returns: they become branches again. */
function withFarBranches(code: readonly Instruction[]): readonly Instruction[] {
  const blocks = codeBlocks(code);
  const blockAt = new Map(blocks.map(({ start }, number) => [start, number]));
  return code.map((instruction) => {
    const { called, ...rest } = instruction;
    const target = called === undefined ? undefined : blockAt.get(called / bytesOfOne);
    if (called === undefined || target === undefined || returns(code, blocks, target)) return instruction;
    return { ...rest, target: called, conditional: false };
  });
}

const bytesOfOne = 16;

/** Whether a return can be reached from a block. */
function returns(code: readonly Instruction[], blocks: readonly CodeBlock[], from: number): boolean {
  const reached = new Set([from]);
  for (const number of reached) {
    const { end, next } = at(blocks, number);
    if (at(code, end - 1).operation.name === "RET") return true;
    for (const each of next) reached.add(each);
  }
  return false;
}

/** Gives each instruction the line of the last row at or before its address. */
function placed(code: readonly Instruction[], rows: readonly LineRow[]): readonly PlacedInstruction[] {
  let next = 0;
  let place: Omit<LineRow, "address"> = { file: "", line: 0, callers: [] };
  return code.map((instruction) => {
    for (let row = rows[next]; row !== undefined && row.address <= instruction.offset; row = rows[++next])
      place = row;
    const { file, line, callers } = place;
    return { ...instruction, file, line, callers };
  });
}
