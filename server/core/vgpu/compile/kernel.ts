import { invariant } from "../../base/assert";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { staticLayout, warpLayout } from "../layout";
import { Library } from "../library/library";
import { library } from "../library/table";
import { addDriver, addResume, blockSignature } from "../library/driver";
import type { Refusal } from "../opcodes/table";
import type { Parameter, PtxFunction, PtxModule, SourceLine } from "../ptx/module";
import { type FunctionBuilder, type ImportedFunction, ModuleBuilder } from "../wasm/module";
import type { Wasm } from "../wasm/code";
import { emitBlock } from "./block-code";
import { type CodeBlock, splitBlocks } from "./blocks";
import { analyzeLiveness } from "./liveness";
import { type Program, flattenProgram } from "./program";
import { RefusalError } from "./refusal";
import { cutSegments } from "./segments";
import { planSlots } from "./slots";
import { SourceLines } from "./source-lines";
import type { MemorySite, WarpContext } from "./warp-emitter";

export interface CompileOptions {
  /** Count instructions, sectors, wavefronts by source line. Code compiled without is not slowed down. */
  readonly counters: boolean;
  /** Keep track of which bytes were written and find reads of bytes that never were. Out-of-bounds and misaligned accesses are always found. */
  readonly detectors: boolean;
}

/** A kernel ready to be launched. */
export interface CompiledKernel {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Bytes of static shared memory. */
  readonly sharedBytes: number;
  /** Bytes of local memory a thread needs. */
  readonly localBytes: number;
  readonly maxThreads?: readonly [number, number, number];
  readonly requiredThreads?: readonly [number, number, number];
  /** `.file` table of the module. */
  readonly files: ReadonlyMap<number, string>;
  readonly options: CompileOptions;
  /** What `launch` needs; no one else looks inside. */
  readonly code: KernelCode;
}

export interface KernelCode {
  readonly module: WebAssembly.Module;
  readonly ptx: PtxModule;
  readonly blocks: readonly CodeBlock[];
  readonly sites: readonly MemorySite[];
  readonly lines: SourceLines;
  readonly constants: readonly StaticConstant[];
  readonly symbols: ReadonlySet<string>;
  readonly staticBytes: number;
  readonly warpBytes: number;
  readonly parametersAt: number;
  readonly dynamicSharedAt: number;
  /** Size of the WebAssembly module, for the bench. */
  readonly wasmBytes: number;
}

/** A vector of equal lanes in the static area: bits, or the address of a module variable known at launch. */
export interface StaticConstant {
  readonly at: number;
  readonly wide: boolean;
  readonly bits: bigint;
  readonly symbol?: string;
}

const imports: readonly ImportedFunction[] = [
  { name: "locate", parameters: ["i32", "i32", "i32", "i64"], results: ["i32"] },
  { name: "exact", parameters: ["i32", "i32", "i32", "f64", "f64", "f64"], results: ["f64"] },
  { name: "fault", parameters: ["i32", "i32", "i32", "i32"], results: [] },
  { name: "uninitialized", parameters: ["i32", "i32", "i32"], results: [] },
];

const importedGlobals = ["static", "shared", "sharedBytes", "localBytes", "sites", "blocks", "shadow", "fuel"]
  .map((name) => ({ name, type: "i32" as const, mutable: name === "fuel" }));

/** The most static shared memory plus locals that a kernel may ask for; more is refused as absurd. */
const maximumLocalBytes = 1 << 20;

/**
 * Compiles one entry of a module to WebAssembly. Anything that is not implemented ends in a refusal that names it; nothing is guessed.
 */
export function compileKernel(ptx: PtxModule, entryName: string, options: CompileOptions): Outcome<CompiledKernel, Refusal> {
  const entry = ptx.functions.get(entryName);
  if (!entry?.isEntry || !entry.hasBody) return fail({ reason: `refused: the module has no kernel ${entryName}` });
  const lines = new SourceLines(ptx);
  const at = (location: number | undefined): Partial<SourceLine> => (location === undefined ? {} : lines.of(location) ?? {});
  const program = flattenProgram(ptx, entry);
  if (!program.ok) return fail({ reason: program.problem.reason, ...at(program.problem.location) });
  if (program.value.localBytes > maximumLocalBytes) return fail({ reason: "refused: more than 1 MiB of local memory a thread" });
  const blocks = splitBlocks(program.value);
  if (!blocks.ok) return fail({ reason: blocks.problem.reason, ...at(blocks.problem.location) });
  try {
    return succeed(generate({ ptx, entry, program: program.value, blocks: blocks.value, lines, options }));
  } catch (thrown) {
    if (thrown instanceof RefusalError) return fail({ reason: thrown.reason, ...at(thrown.location) });
    throw thrown;
  }
}

interface Source {
  readonly ptx: PtxModule;
  readonly entry: PtxFunction;
  readonly program: Program;
  readonly blocks: readonly CodeBlock[];
  readonly lines: SourceLines;
  readonly options: CompileOptions;
}

/** Constants and parameters in the static area. */
class StaticArea {
  readonly constants: StaticConstant[] = [];
  private readonly known = new Map<string, number>();
  end: number;

  constructor(start: number) {
    this.end = Math.ceil(start / 16) * 16;
  }

  add(key: string, constant: Omit<StaticConstant, "at">): number {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const at = this.end;
    this.known.set(key, at);
    this.constants.push({ ...constant, at });
    this.end += constant.wide ? 256 : 128;
    return at;
  }
}

function generate(source: Source): CompiledKernel {
  const { ptx, entry, program, blocks, lines, options } = source;
  const liveness = analyzeLiveness(blocks, program.registers.length);
  const slots = planSlots(blocks, liveness, program.registers);
  const module = new ModuleBuilder(imports, importedGlobals);
  const functions = new Library(module, library);
  const parameterBytes = entry.parameters.reduce((end, parameter) => Math.max(end, parameter.offset + parameter.size), 0);
  const area = new StaticArea(staticLayout.end + parameterBytes + 16);
  const sites: MemorySite[] = [];
  const kernel: WarpContext = {
    registers: program.registers,
    slotOf: (register) => {
      const offset = slots.offsets[register] ?? -1;
      invariant(offset >= warpLayout.registers, "a register that leaves its segment has a place");
      return offset;
    },
    require: (name) => functions.require(name),
    importOf: (name) => module.imported(name),
    constant: (bits, wide) => area.add(`${wide}:${BigInt.asUintN(64, bits)}`, { bits, wide }),
    symbolConstant: (symbol, offset) => area.add(`${symbol}+${offset}`, { bits: BigInt(offset), wide: true, symbol }),
    parametersAt: staticLayout.end,
    dynamicSharedAt: program.sharedBytes,
    addSite: (site) => sites.push(site) - 1,
    counters: options.counters,
    detectors: options.detectors,
  };
  const segments = blocks.map((block, index) => cutSegments(block, liveness, index));
  const version = (masked: boolean): number[] => blocks.map((block, index) => module.add(blockSignature, (builder: FunctionBuilder, [warp = []]: readonly Wasm[]) =>
    emitBlock({ kernel, block, index, segments: segments[index] ?? [], masked }, builder, warp)));
  module.setTable([...version(false), ...version(true)]);
  module.export("run_warp", addDriver(module, blocks.length));
  module.export("resume_warp", addResume(module));
  const bytes = module.build();
  return {
    name: entry.name,
    parameters: entry.parameters,
    sharedBytes: program.sharedBytes,
    localBytes: program.localBytes,
    ...(entry.maxThreads ? { maxThreads: entry.maxThreads } : {}),
    ...(entry.requiredThreads ? { requiredThreads: entry.requiredThreads } : {}),
    files: ptx.files,
    options,
    code: {
      module: new WebAssembly.Module(bytes), ptx, blocks, sites, lines, constants: area.constants, symbols: program.symbols,
      staticBytes: area.end, warpBytes: slots.warpBytes, parametersAt: staticLayout.end, dynamicSharedAt: program.sharedBytes, wasmBytes: bytes.length,
    },
  };
}
