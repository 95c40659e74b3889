import { addDriver, addResume, blockSignature } from "../library/driver";
import { Library } from "../library/library";
import { addBlockRunner } from "../library/warp/scheduling";
import { library } from "../library/table";
import type { PtxModule } from "../ptx/module";
import { type ImportedFunction, ModuleBuilder } from "../wasm/module";
import { emitBlock } from "./block-code";
import { type CodeBlock, gridDependence } from "../analyse/blocks";
import { type PointerList, searchBlock } from "./warp/emit-calls";
import { LaneCodes } from "./lane-code";
import { type BlockPlan, planBlocks } from "../analyse/plan";
import { StaticArea, type StaticConstant } from "./static-area";
import type { Program } from "../flatten/program";
import type { SourceLines } from "../analyse/source-lines";
import type { MemorySite, WarpContext } from "./emitters/warp-emitter";

export interface CompileOptions {
  /** Count instructions, sectors, wavefronts by source line. Code compiled without is not slowed down. */
  readonly counters: boolean;
  /**
   * Keep track of which bytes were written and find reads of bytes that never were. Out-of-bounds and
   * misaligned accesses are always found.
   */
  readonly detectors: boolean;
  /** Record which bytes of each allocation are touched, and by how many threads: for probing. Slow. */
  readonly accesses?: boolean;
  /**
   * Made by Triton, which writes a program for a whole block: see `pauses.ts` for how its warps take turns.
   * Redundant loads are no race, and findings speak of what Triton has.
   */
  readonly triton?: boolean;
  /**
   * Bytes of stack a thread has for calls, and as much again for frames of recursive functions and alloca: 16
   * KiB when left out.
   */
  readonly stackBytes?: number;
  /**
   * Ask for code that several threads of the host can run on one shared memory (`DeviceMemory` with
   * `shared`). It is generated when that cannot change the result: `KernelCode.spread` says so. Kernels with
   * float atomics, atomics whose result is used, loops that wait for other threads, clocks or text output,
   * and code with counters or detectors, stay on one thread.
   */
  readonly spread?: boolean;
  /**
   * Multiply and add by the processor's own instruction where the engine has it. With `false` the same
   * results come of plain instructions, as on other engines.
   */
  readonly fuses?: boolean;
  /** As a GPU computes when left out. */
  readonly arithmetic?: WarpContext["arithmetic"];
  /** The memory is a shared one, whether the kernel can be spread or not. */
  readonly sharedMemory?: boolean;
}

export interface KernelCode {
  readonly module: WebAssembly.Module;
  readonly ptx: PtxModule;
  readonly blocks: readonly CodeBlock[];
  readonly sites: readonly MemorySite[];
  readonly lines: SourceLines;
  readonly constants: readonly StaticConstant[];
  /** Module variables whose addresses the code needs; `isspacep.const` asks for all constant ones. */
  readonly symbols: ReadonlySet<string>;
  /** Functions of the driver's that the kernel calls: `vprintf`, `malloc` … */
  readonly systemCalls: ReadonlySet<string>;
  readonly staticBytes: number;
  readonly warpBytes: number;
  /** True when its threads may wait for each other in loops. */
  readonly spins: boolean;
  /** Instructions in the blocks of code in which they may wait so. */
  readonly spinning: ReadonlySet<CodeBlock["instructions"][number]>;
  /** What it has to do with the grids before and behind it (programmatic dependent launches). */
  readonly dependence: ReturnType<typeof gridDependence>;
  /** What lanes look at that wait in a block of code. */
  readonly waits: BlockPlan["waits"];
  /** The barriers by the block of code that ends in each. */
  readonly barriers: BlockPlan["barriers"];
  /** Where calls come back to, and where the call stacks lie. */
  readonly returns: BlockPlan["returns"];
  readonly stack: BlockPlan["stack"];
  readonly readsClock: boolean;
  /** Its blocks can be spread over threads, and its memory has to be a shared one. */
  readonly spread: boolean;
  /** Where the arguments stand in the static area, and how many bytes they take. */
  readonly parametersAt: number;
  readonly parameterBytes: number;
  readonly dynamicSharedAt: number;
  /** Size of the WebAssembly module, for the bench. */
  readonly wasmBytes: number;
}

const imports: readonly ImportedFunction[] = [
  { name: "locate", parameters: ["i32", "i32", "i32", "i64"], results: ["i32"] },
  { name: "access", parameters: ["i32", "i32", "i32"], results: [] },
  { name: "exact", parameters: ["i32", "i32", "i32", "f64", "f64", "f64"], results: ["f64"] },
  { name: "fault", parameters: ["i32", "i32", "i32", "i32"], results: [] },
  { name: "clock", parameters: [], results: ["i64"] },
  { name: "uninitialized", parameters: ["i32", "i32", "i32"], results: [] },
  { name: "absent", parameters: ["i32", "i32", "i32", "i32"], results: [] },
  { name: "order", parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  { name: "race", parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  { name: "renumber", parameters: [], results: [] },
  { name: "texture", parameters: Array.from({ length: 11 }, () => "i32"), results: ["i64"] },
  { name: "tensor", parameters: Array.from({ length: 12 }, () => "i32"), results: ["i64"] },
  { name: "surface", parameters: Array.from({ length: 7 }, () => "i32"), results: ["i32"] },
  {
    name: "system",
    parameters: ["i32", "i32", "i32", "i32", "i64", "i64", "i64", "i64", "i64"],
    results: ["i64"],
  },
];

const importedGlobals = [
  "static",
  "shared",
  "sharedBytes",
  "localBytes",
  "sites",
  "blocks",
  "shadow",
  "fuel",
  "reuse",
].map((name) => ({ name, type: "i32" as const, mutable: name === "fuel" || name === "shared" }));

/** What code is generated from. */
interface KernelSource {
  readonly ptx: PtxModule;
  readonly program: Program;
  readonly blocks: readonly CodeBlock[];
  /** Functions that calls through registers may reach, by signature. */
  readonly pointers: ReadonlyMap<string, PointerList>;
  readonly lines: SourceLines;
  readonly options: CompileOptions;
}

/** One search for all calls of a signature, made when the first is met. */
function pointerSearch(
  module: ModuleBuilder,
  known: Map<string, number>,
  { key, list }: { readonly key: string; readonly list: PointerList },
): number {
  const index =
    known.get(key) ??
    module.add({ parameters: ["i64"], results: ["i32"] }, (_, [address = []]) => searchBlock(list, address));
  known.set(key, index);
  return index;
}

/** True when several threads of the host may run the kernel's blocks at the same time. */
function canSpread({ options, program }: KernelSource, plan: BlockPlan): boolean {
  const isPlain =
    options.spread === true && !options.counters && !options.detectors && options.accesses !== true;
  return isPlain && program.systemCalls.size === 0 && plan.spreads();
}

/** What the code of all blocks shares, and what is found out while it is emitted. */
interface Shared {
  readonly kernel: WarpContext;
  readonly functions: Library;
  readonly area: StaticArea;
  readonly sites: MemorySite[];
  readsClock: boolean;
}

function sharedContext(source: KernelSource, plan: BlockPlan, module: ModuleBuilder): Shared {
  const { ptx, program, options } = source;
  const functions = new Library(module, library, options);
  const area = new StaticArea(program.parameterBytes);
  const sites: MemorySite[] = [];
  const searches = new Map<string, number>();
  const kernel: WarpContext = {
    registers: program.registers,
    slotOf: plan.slotOf,
    require: (name) => functions.require(name),
    importOf: (name) => {
      shared.readsClock ||= name === "clock";
      return module.imported(name);
    },
    constant: (bits, wide) => area.add(`${wide}:${BigInt.asUintN(64, bits)}`, { bits, wide }),
    symbolConstant: (symbol, offset) =>
      area.add(`${symbol}+${offset}`, { bits: BigInt(offset), wide: true, symbol }),
    constantVariables: [...ptx.variables.values()].filter(({ space }) => space === "const"),
    parametersAt: area.parametersAt,
    dynamicSharedAt: program.sharedBytes,
    fuses: functions.fuses,
    timesLeft: plan.timesLeft,
    calls: {
      stack: plan.stack,
      localStart: program.localBytes,
      pointerSearch: (key) => pointerSearch(module, searches, { key, list: source.pointers.get(key) ?? [] }),
    },
    used: plan.used,
    addSite: (site) => sites.push(site) - 1,
    spinsAt: plan.spinsAt,
    counters: options.counters,
    detectors: options.detectors,
    accesses: options.accesses === true,
    spread: canSpread(source, plan),
    ...(options.arithmetic === "exact-sums" && { sumsAt: area.reserveSums() }),
    ...(options.arithmetic && { arithmetic: options.arithmetic }),
  };
  const shared: Shared = { kernel, functions, area, sites, readsClock: false };
  return shared;
}

/** Emits two versions of each block, for whole warps and for some of their lanes, and what runs them. */
function emitCode(source: KernelSource, plan: BlockPlan, module: ModuleBuilder): Shared {
  const { program, blocks, options } = source;
  const shared = sharedContext(source, plan, module);
  const { kernel, functions } = shared;
  const lanes = new LaneCodes();
  const version = (masked: boolean): number[] =>
    blocks.map((block, index) =>
      module.add(blockSignature, (builder, [warp = []]) =>
        emitBlock({ segments: [], ...plan.parts[index], kernel, block, index, masked, lanes }, builder, warp),
      ),
    );
  module.setTable([...version(false), ...version(true)]);
  const runWarp = addDriver(module, blocks.length);
  module.export(
    "run_blocks",
    addBlockRunner(module, {
      runWarp,
      warpBytes: plan.warpBytes,
      spinsAt: plan.spinsAt,
      spinBytes: plan.spins.bytes,
      reservedShared: program.reservedShared,
      ...(options.detectors
        ? {
            begun: functions.require("race_begin"),
            opened: functions.require("race_barrier"),
            keepsTurn: options.triton === true,
          }
        : {}),
    }),
  );
  module.export("resume_warp", addResume(module));
  return shared;
}

/**
 * Generates and compiles the WebAssembly module of a kernel. Throws a RefusalError for what is not
 * implemented.
 */
export function generateCode(source: KernelSource): KernelCode {
  const { ptx, program, blocks, lines, options } = source;
  const plan = planBlocks(blocks, program, options);
  const module = new ModuleBuilder(imports, importedGlobals);
  const { kernel, area, sites, readsClock } = emitCode(source, plan, module);
  const bytes = module.build(kernel.spread || options.sharedMemory === true);
  return {
    module: new WebAssembly.Module(bytes),
    ptx,
    blocks,
    sites,
    lines,
    constants: area.constants,
    symbols: new Set([...program.symbols, ...area.constants.flatMap(({ symbol }) => symbol ?? [])]),
    systemCalls: program.systemCalls,
    staticBytes: area.end,
    warpBytes: plan.warpBytes,
    spins: plan.spins.spins.size > 0,
    spinning: new Set(
      blocks.flatMap(({ instructions }, index) => (plan.spins.spins.has(index) ? instructions : [])),
    ),
    dependence: gridDependence(blocks),
    waits: plan.waits,
    barriers: plan.barriers,
    returns: plan.returns,
    stack: plan.stack,
    readsClock,
    spread: kernel.spread,
    parametersAt: area.parametersAt,
    parameterBytes: program.parameterBytes,
    dynamicSharedAt: program.sharedBytes,
    wasmBytes: bytes.length,
  };
}
