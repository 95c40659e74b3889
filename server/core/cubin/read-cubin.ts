import { fail, type Outcome, succeed } from "../base/outcome";
import { type CubinProblem, UnreadableCubin } from "./byte-reader";
import { summarizeCode } from "./code-summary";
import type { Cubin, CubinKernel, FunctionCode } from "./cubin";
import { type Elf, type ElfSymbol, readElf, sectionReader } from "./elf";
import { decodeInstructions } from "./instruction";
import { type FunctionInfo, readFunctionInfo } from "./kernel-info";
import { type LineTable, readLineTable } from "./line-table";

/**
 * From sm_90 the section of static shared memory begins with what the system reserves, and this section marks
 * such cubins.
 */
const reservedSection = ".nv.shared.reserved.0";
const reservedBytes = 1024;
const codePrefix = ".text.";

/**
 * Reads kernels, resources, instruction mix and line table of a cubin (ELF64 of ptxas 11 to 13, sm_75 to
 * sm_121). Hostile bytes end in a problem; the work is linear in the size of the file, and nothing is thrown.
 */
export function readCubin(bytes: Uint8Array): Outcome<Cubin, CubinProblem> {
  try {
    return succeed(cubinOf(readElf(bytes)));
  } catch (thrown) {
    if (thrown instanceof UnreadableCubin) return fail(thrown.problem);
    throw thrown;
  }
}

interface Module {
  readonly elf: Elf;
  readonly lines: LineTable;
  readonly info: ReadonlyMap<number, FunctionInfo>;
}

function cubinOf(elf: Elf): Cubin {
  const module: Module = { elf, lines: readLineTable(elf), info: readFunctionInfo(elf) };
  const kernels: CubinKernel[] = [];
  const functions: FunctionCode[] = [];
  let budget = elf.bytes.byteLength;
  for (const symbol of ownersOfCode(elf)) {
    budget -= elf.sections[symbol.section]?.size ?? 0;
    if (budget < 0)
      throw new UnreadableCubin({ kind: "malformed", message: "the code sections of the cubin overlap" });
    if (symbol.isEntry) kernels.push(kernelOf(module, symbol));
    else functions.push(functionOf(module, symbol));
  }
  return { architecture: elf.architecture, kernels: kernels.sort(byName), functions: functions.sort(byName) };
}

function byName(a: FunctionCode, b: FunctionCode): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The function that each code section is named after; other functions in it are parts of that one. */
function ownersOfCode(elf: Elf): ElfSymbol[] {
  const owners = new Map<number, ElfSymbol>();
  for (const symbol of elf.symbols) {
    if (symbol.isFunction && elf.sections[symbol.section]?.name === codePrefix + symbol.name)
      owners.set(symbol.section, symbol);
  }
  return [...owners.values()];
}

function functionOf({ elf, lines, info }: Module, symbol: ElfSymbol): FunctionCode {
  const section = elf.sections[symbol.section];
  if (section === undefined)
    throw new UnreadableCubin({ kind: "malformed", message: `${symbol.name} lies in no section` });
  const known = info.get(symbol.index);
  if (known?.registers === undefined)
    throw new UnreadableCubin({
      kind: "malformed",
      message: `no record says how many registers ${symbol.name} takes`,
    });
  const instructions = decodeInstructions(sectionReader(elf, section), elf.architecture);
  return {
    name: symbol.name,
    registers: known.registers,
    stackBytes: known.frameBytes ?? 0,
    ...summarizeCode(instructions, {
      rows: lines.get(symbol.section) ?? [],
      spillOffsets: known.spillOffsets ?? [],
    }),
  };
}

function kernelOf(module: Module, symbol: ElfSymbol): CubinKernel {
  const known = module.info.get(symbol.index);
  const threads = known?.requiredThreads ?? known?.maximumThreads;
  return {
    ...functionOf(module, symbol),
    cumulativeStackBytes: known?.minimumStackBytes ?? 0,
    ...sharedMemoryOf(module.elf, symbol),
    barriers: known?.barriers ?? barriersInFlags(module.elf, symbol),
    ...(threads === undefined ? {} : { maximumThreads: threads }),
    parameterBytes: known?.parameterBytes ?? 0,
    parameters: known?.parameters ?? [],
  };
}

/**
 * Toolkit 12 writes no record of the barriers: it counts them from bit 20 of the flags of the code section.
 */
function barriersInFlags(elf: Elf, symbol: ElfSymbol): number {
  return ((elf.sections[symbol.section]?.flags ?? 0) >>> 20) & 0x7f;
}

function sharedMemoryOf(elf: Elf, symbol: ElfSymbol): { sharedBytes: number; reservedSharedBytes: number } {
  const size = elf.sectionsByName.get(`.nv.shared.${symbol.name}`)?.size ?? 0;
  const reservedSharedBytes = elf.sectionsByName.has(reservedSection) ? Math.min(size, reservedBytes) : 0;
  return { sharedBytes: size - reservedSharedBytes, reservedSharedBytes };
}
