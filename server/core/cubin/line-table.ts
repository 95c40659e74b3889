import { type ByteReader, type TextBudget, UnreadableCubin } from "./byte-reader";
import { type Elf, relocationsOf, sectionNamed, sectionReader } from "./elf";
import { type LineHeader, readFileEntry, readLineHeader } from "./line-header";

/** From this address on, until the next row of the same function, code comes from this line. */
export interface LineRow {
  readonly address: number;
  readonly file: string;
  /** One-based; 0 where the compiler attributes the code to no line. */
  readonly line: number;
  /** Of inlined code the lines of the calls around it, from the inside out, `mostCallers` at most. */
  readonly callers: readonly number[];
}

interface MachineState {
  address: number;
  file: number;
  line: number;
  /** Number of the row of the call that code was inlined for; 0 for none. */
  caller: number;
}

/** Calls around inlined code that are told at most, the innermost ones. */
export const mostCallers = 8;

/** Rows by the section that holds the code, in the order of addresses. */
export type LineTable = ReadonlyMap<number, readonly LineRow[]>;

interface Tables {
  readonly rows: Map<number, LineRow[]>;
  readonly texts: TextBudget;
  /** Rows of all units so far. */
  emitted: number;
  /** Section and offset that an address operand at this byte of `.debug_line` stands for. */
  readonly targets: ReadonlyMap<number, { readonly section: number; readonly offset: number }>;
}

const standard = {
  extended: 0,
  copy: 1,
  advanceAddress: 2,
  advanceLine: 3,
  setFile: 4,
  addConstant: 8,
  fixedAdvance: 9,
} as const;
/** Rows of all units at most: a row for each of two million instructions, 32 MiB of code. */
const rowLimit = 1 << 21;
/** `inlinedCall` is NVIDIA's own. */
const extended = { endSequence: 1, setAddress: 2, defineFile: 3, inlinedCall: 0x90 } as const;
const nobody: readonly number[] = [];
const start: MachineState = { address: 0, file: 1, line: 1, caller: 0 };

/**
 * Runs every line program of `.debug_line` and gives the rows by section of code. An empty table where the
 * cubin has no line information.
 */
export function readLineTable(elf: Elf): LineTable {
  const section = sectionNamed(elf, ".debug_line");
  const rows = new Map<number, LineRow[]>();
  if (section === undefined) return rows;
  const targets = new Map(
    relocationsOf(elf, ".debug_line").flatMap((relocation) => {
      const symbol = elf.symbols[relocation.symbol];
      return symbol
        ? [
            [
              section.offset + relocation.offset,
              { section: symbol.section, offset: symbol.value + relocation.addend },
            ] as const,
          ]
        : [];
    }),
  );
  const reader = sectionReader(elf, section);
  const tables: Tables = { rows, targets, texts: elf.texts, emitted: 0 };
  while (!reader.atEnd) new LineMachine(readLineHeader(elf, reader), tables).run();
  for (const list of rows.values()) list.sort((a, b) => a.address - b.address);
  return rows;
}

/** The state machine of DWARF 5, section 6.2.2, over one unit. */
class LineMachine {
  private state: MachineState = { ...start };
  private section: number | undefined;
  /** Of this sequence: the rows by their numbers, which begin at 1. */
  private ofSequence: LineRow[] = [];

  constructor(
    private readonly header: LineHeader,
    private readonly tables: Tables,
  ) {}

  run(): void {
    const { program } = this.header;
    while (!program.atEnd) {
      const opcode = program.u8();
      if (opcode >= this.header.opcodeBase) this.special(opcode - this.header.opcodeBase);
      else if (opcode === standard.extended) this.extended(program);
      else this.standard(opcode, program);
    }
  }

  private special(adjusted: number): void {
    this.advance(Math.floor(adjusted / this.header.lineRange));
    this.state.line += this.header.lineBase + (adjusted % this.header.lineRange);
    this.emit();
  }

  private standard(opcode: number, program: ByteReader): void {
    switch (opcode) {
      case standard.copy:
        this.emit();
        break;
      case standard.advanceAddress:
        this.advance(program.uleb());
        break;
      case standard.advanceLine:
        this.state.line += program.sleb();
        break;
      case standard.setFile:
        this.state.file = program.uleb();
        break;
      case standard.addConstant:
        this.advance(Math.floor((255 - this.header.opcodeBase) / this.header.lineRange));
        break;
      case standard.fixedAdvance:
        this.state.address += program.u16();
        break;
      default:
        for (let left = this.header.operandCounts[opcode - 1] ?? 0; left > 0; left--) program.uleb();
    }
  }

  /**
   * Unknown extended opcodes are skipped by their length. NVIDIA's 0x90 says for which call the code behind
   * it was inlined, by the number of the call's row, and names what was called.
   */
  private extended(program: ByteReader): void {
    const operation = program.slice(program.uleb());
    if (operation.atEnd) return;
    switch (operation.u8()) {
      case extended.endSequence:
        this.state = { ...start };
        this.section = undefined;
        this.ofSequence = [];
        break;
      case extended.setAddress:
        this.setAddress(operation);
        break;
      case extended.defineFile:
        this.defineFile(operation);
        break;
      case extended.inlinedCall:
        this.state.caller = operation.uleb();
        break;
      default:
        break;
    }
  }

  private defineFile(operation: ByteReader): void {
    const name = operation.text();
    this.header.files.push(this.tables.texts.spend(readFileEntry(operation, name, this.header.directories)));
  }

  private setAddress(operation: ByteReader): void {
    const target = this.tables.targets.get(operation.position);
    const written = operation.u64();
    this.section = target?.section;
    this.state.address = target ? target.offset : written;
  }

  private advance(operations: number): void {
    this.state.address += operations * this.header.minimumInstructionLength;
    if (!Number.isSafeInteger(this.state.address))
      throw new UnreadableCubin({
        kind: "malformed",
        message: "a line table advances beyond every program",
        offset: this.header.program.position,
      });
  }

  private emit(): void {
    if (this.section === undefined) return;
    if (++this.tables.emitted > rowLimit)
      throw new UnreadableCubin({
        kind: "too-large",
        message: `the line tables have more than ${rowLimit} rows`,
      });
    const rows = this.tables.rows.get(this.section) ?? [];
    this.tables.rows.set(this.section, rows);
    const row = {
      address: this.state.address,
      file: this.header.files[this.state.file] ?? "",
      line: Math.max(0, this.state.line),
      callers: this.callers(),
    };
    rows.push(row);
    this.ofSequence.push(row);
  }

  private callers(): readonly number[] {
    const call = this.ofSequence[this.state.caller - 1];
    return call === undefined ? nobody : [call.line, ...call.callers].slice(0, mostCallers);
  }
}
