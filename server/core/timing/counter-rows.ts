/**
 * Every counter once. Its slot in a launch's memory, how parts are added, the tables of changes, faults and
 * lines, the shape of stored counters and docs/counters.md derive from its row. A new counter is its row and
 * the code that counts it.
 */

/** Counts that the record of a memory instruction holds in a launch's memory, 8 bytes each, in this order. */
export const siteSlots = [
  "requests",
  "sectors",
  "sectorsIdeal",
  "bytes",
  "wavefronts",
  "wavefrontsIdeal",
  "lines",
  "ways",
  "locals",
  "sharedRequests",
  "sharedBytes",
  "localBytes",
  "localSectors",
  "globalPasses",
  "globalWorst",
  "sharedPasses",
  "sharedWorst",
] as const;

export type SiteSlot = (typeof siteSlots)[number];

/** What a memory instruction does. */
export type SiteAccess = "load" | "store" | "atomic";

/** A counter of memory instructions: the sum of `slots` over those instructions that do one of `of`. */
export interface SiteSource {
  readonly slots: readonly SiteSlot[];
  readonly of: readonly SiteAccess[];
  /** The slots hold bytes, and lanes are counted: divided by the bytes of one lane's access. */
  readonly perLane?: true;
}

export interface CounterRow {
  /** Plural, as tables name it: `shared wavefronts`. */
  readonly title: string;
  /** One of what is counted, in running text: `wavefront`. */
  readonly unit: string;
  /** Ending of the unit's plural where it is not `s`. */
  readonly unitEnding?: string;
  /** The greatest of the parts instead of their sum. */
  readonly greatest?: true;
  /** One or two sentences for docs/counters.md. */
  readonly definition: string;
  /** Nsight Compute's name for the same thing. */
  readonly metric?: string;
  /** Of a counter of memory instructions. */
  readonly site?: SiteSource;
  /** Counts the instructions of a class; the name of the class in a list of shares. */
  readonly instructionClass?: string;
  /** Counts floating-point operations; their name in a list of such. */
  readonly operation?: string;
  /** Place among what is compared between two versions, the most telling first. */
  readonly comparedAs?: number;
  /** Values up to this one are alike: no change is told between them. */
  readonly harmless?: number;
  /** More than this counter, or than none at all, is a fault of the line. */
  readonly ideal?: string | 0;
  /** Stands in a row and a column of its own, where others share one with their like. */
  readonly alone?: true;
}

const load = ["load"] as const;
const store = ["store"] as const;
const atomic = ["atomic"] as const;
const loadOrStore = ["load", "store"] as const;
const any = ["load", "store", "atomic"] as const;

/** In the order of tables and logs. */
export const counterRows = {
  instructions: {
    title: "warp instructions",
    unit: "warp instruction",
    definition:
      "PTX instructions that a warp executes; those of all classes add up to it. ptxas may merge, split or drop them, so that SASS counts differ.",
    metric: "smsp__inst_executed",
    comparedAs: 5,
  },
  threadInstructions: {
    title: "thread instructions",
    unit: "thread instruction",
    definition: "The same, summed over the active lanes.",
    metric: "smsp__thread_inst_executed",
  },
  fp32Instructions: classOf("fp32", "Arithmetic on fp32."),
  fp64Instructions: classOf("fp64", "Arithmetic on fp64."),
  fp16Instructions: classOf("fp16", "Arithmetic on halves of either format, packed or not."),
  integerInstructions: classOf("integer", "Integer arithmetic."),
  moveInstructions: classOf("move and logic", "Moves, logic, shifts, selections."),
  conversionInstructions: classOf("conversion", "Conversions between types."),
  specialInstructions: classOf(
    "special function",
    "Reciprocals, roots, exponentials, logarithms, sine and cosine.",
  ),
  tensorInstructions: {
    ...classOf("tensor", "Matrix instructions of the tensor cores."),
    comparedAs: 9,
  },
  memoryInstructions: classOf("memory", "Loads, stores, atomics and copies in any space."),
  warpInstructions: classOf("shuffle and vote", "Shuffles, votes and the like."),
  controlInstructions: classOf("control", "Branches, barriers, calls, returns, fences."),
  fp16Flops: flopsOf(
    "fp16",
    "Operations of active lanes on halves: an addition or multiplication is one, a fused multiply-add two; packed halves count each.",
  ),
  fp32Flops: {
    ...flopsOf("fp32", "Operations of active lanes on fp32. Division, roots and exponentials count nothing."),
    metric: "smsp__sass_thread_inst_executed_op_fadd, _fmul and twice _ffma",
  },
  fp64Flops: flopsOf("fp64", "Operations of active lanes on fp64."),
  tensorFlops: flopsOf(
    "tensor",
    "Multiplications and additions of matrix instructions, 2 m n k by their shape; those of integer matrices too.",
  ),
  globalLoadRequests: {
    title: "global load requests",
    unit: "request",
    definition: "Loads from global memory by a warp with an active lane.",
    site: { slots: ["requests"], of: load },
  },
  globalLoadSectors: {
    title: "global load sectors",
    unit: "sector",
    definition: "Distinct 32-byte pieces that the active lanes of each global load touch.",
    metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    site: { slots: ["sectors"], of: load },
    comparedAs: 3,
    ideal: "globalLoadSectorsIdeal",
  },
  globalLoadSectorsIdeal: {
    title: "ideal global load sectors",
    unit: "sector",
    definition: "Sectors that the distinct bytes asked for would fill.",
    site: { slots: ["sectorsIdeal"], of: load },
  },
  globalStoreRequests: {
    title: "global store requests",
    unit: "request",
    definition: "Stores to global memory by a warp with an active lane.",
    site: { slots: ["requests"], of: store },
  },
  globalStoreSectors: {
    title: "global store sectors",
    unit: "sector",
    definition: "Distinct 32-byte pieces that the active lanes of each global store touch.",
    metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    site: { slots: ["sectors"], of: store },
    comparedAs: 4,
    ideal: "globalStoreSectorsIdeal",
  },
  globalStoreSectorsIdeal: {
    title: "ideal global store sectors",
    unit: "sector",
    definition: "Sectors that the distinct bytes stored would fill.",
    site: { slots: ["sectorsIdeal"], of: store },
  },
  globalBytesRequested: {
    title: "global bytes",
    unit: "byte",
    definition: "Bytes that active lanes ask for, global loads and stores.",
    site: { slots: ["bytes"], of: loadOrStore },
  },
  globalLoadBytes: {
    title: "global load bytes",
    unit: "byte",
    definition: "Bytes that active lanes load from global memory.",
    site: { slots: ["bytes"], of: load },
  },
  globalStoreBytes: {
    title: "global store bytes",
    unit: "byte",
    definition: "Bytes that active lanes store to global memory.",
    site: { slots: ["bytes"], of: store },
  },
  sharedLoadRequests: {
    title: "shared load requests",
    unit: "request",
    definition: "Loads from shared memory by a warp with an active lane.",
    site: { slots: ["sharedRequests"], of: load },
  },
  sharedStoreRequests: {
    title: "shared store requests",
    unit: "request",
    definition: "Stores to shared memory by a warp with an active lane.",
    site: { slots: ["sharedRequests"], of: store },
  },
  sharedLoadBytes: {
    title: "shared load bytes",
    unit: "byte",
    definition: "Bytes that active lanes load from shared memory.",
    site: { slots: ["sharedBytes"], of: load },
  },
  sharedStoreBytes: {
    title: "shared store bytes",
    unit: "byte",
    definition: "Bytes that active lanes store to shared memory.",
    site: { slots: ["sharedBytes"], of: store },
  },
  sharedWavefronts: {
    title: "shared wavefronts",
    unit: "wavefront",
    definition:
      "Passes through 32 banks of 4 bytes that the addresses of a shared access need; lanes that want one word share it; 8-byte accesses go by half warps, 16-byte ones by quarters.",
    metric: "derived__memory_l1_wavefronts_shared",
    site: { slots: ["wavefronts"], of: loadOrStore },
    comparedAs: 2,
    ideal: "sharedWavefrontsIdeal",
  },
  sharedWavefrontsIdeal: {
    title: "ideal shared wavefronts",
    unit: "wavefront",
    definition: "One for each such group of lanes with an active one.",
    metric: "derived__memory_l1_wavefronts_shared_ideal",
    site: { slots: ["wavefrontsIdeal"], of: loadOrStore },
  },
  sharedConflictWays: {
    title: "bank conflict ways",
    unit: "way",
    greatest: true,
    definition:
      "The most wavefronts that one group of lanes needed: 1 is free of conflicts, 0 touches no shared memory.",
    site: { slots: ["ways"], of: loadOrStore },
    comparedAs: 1,
    harmless: 1,
  },
  localRequests: {
    title: "local memory requests",
    unit: "request",
    definition: "Accesses to local memory by a warp with an active lane: register spills, local arrays.",
    site: { slots: ["locals"], of: any },
    comparedAs: 10,
  },
  localLoadRequests: {
    title: "local load requests",
    unit: "request",
    definition: "Those that load.",
    site: { slots: ["locals"], of: load },
  },
  localStoreRequests: {
    title: "local store requests",
    unit: "request",
    definition: "Those that store.",
    site: { slots: ["locals"], of: store },
  },
  localLoadBytes: {
    title: "local load bytes",
    unit: "byte",
    definition: "Bytes that active lanes load from local memory.",
    site: { slots: ["localBytes"], of: load },
  },
  localStoreBytes: {
    title: "local store bytes",
    unit: "byte",
    definition: "Bytes that active lanes store to local memory.",
    site: { slots: ["localBytes"], of: store },
  },
  localSectors: {
    title: "local sectors",
    unit: "sector",
    definition:
      "Sectors of local memory as the hardware lays it out, word w of lane l at 128 w + 4 l: the same word of neighbouring lanes lies side by side.",
    site: { slots: ["localSectors"], of: any },
    ideal: 0,
  },
  atomics: {
    title: "atomics",
    unit: "atomic",
    definition: "Atomic instructions, global and shared.",
    site: { slots: ["requests", "sharedRequests"], of: atomic },
    comparedAs: 8,
  },
  globalAtomics: {
    title: "global atomics",
    unit: "atomic",
    definition: "Atomic instructions on global memory.",
    site: { slots: ["requests"], of: atomic },
  },
  globalAtomicLanes: {
    title: "lanes of global atomics",
    unit: "lane",
    definition: "Their active lanes.",
    site: { slots: ["bytes"], of: atomic, perLane: true },
  },
  globalAtomicSectors: {
    title: "sectors of global atomics",
    unit: "sector",
    definition: "Distinct sectors that they touch in the second-level cache, where they are carried out.",
    site: { slots: ["sectors"], of: atomic },
  },
  globalAtomicPasses: {
    title: "passes of global atomics",
    unit: "pass",
    unitEnding: "es",
    definition:
      "Passes one after the other: for each instruction the greatest number of active lanes that want one address.",
    site: { slots: ["globalPasses"], of: atomic },
    comparedAs: 11,
    ideal: "globalAtomics",
  },
  globalAtomicWorst: {
    title: "most passes of a global atomic",
    unit: "pass",
    unitEnding: "es",
    greatest: true,
    definition: "The most passes of one instruction; 0 without atomics.",
    site: { slots: ["globalWorst"], of: atomic },
  },
  sharedAtomics: {
    title: "shared atomics",
    unit: "atomic",
    definition: "Atomic instructions on shared memory.",
    site: { slots: ["sharedRequests"], of: atomic },
  },
  sharedAtomicLanes: {
    title: "lanes of shared atomics",
    unit: "lane",
    definition: "Their active lanes.",
    site: { slots: ["sharedBytes"], of: atomic, perLane: true },
  },
  sharedAtomicPasses: {
    title: "passes of shared atomics",
    unit: "pass",
    unitEnding: "es",
    definition: "As for global memory.",
    site: { slots: ["sharedPasses"], of: atomic },
    comparedAs: 12,
    ideal: "sharedAtomics",
  },
  sharedAtomicWorst: {
    title: "most passes of a shared atomic",
    unit: "pass",
    unitEnding: "es",
    greatest: true,
    definition: "The most passes of one instruction; 0 without atomics.",
    site: { slots: ["sharedWorst"], of: atomic },
  },
  branches: {
    title: "branches",
    unit: "branch",
    unitEnding: "es",
    definition: "Branches that a warp executes.",
  },
  divergentBranches: {
    title: "divergent branches",
    unit: "branch",
    unitEnding: "es",
    definition: "Branches at which the active lanes of a warp went different ways.",
    comparedAs: 6,
    ideal: "predicatedBranches",
  },
  predicatedBranches: {
    title: "predicated branches",
    unit: "branch",
    unitEnding: "es",
    definition:
      "Those of them that only skip a few plain instructions: the machine code has predicates there and no branch.",
  },
  barriers: {
    title: "barriers",
    unit: "barrier",
    definition: "Barriers at which a warp waits for others of its block.",
    comparedAs: 7,
    alone: true,
  },
} as const satisfies Readonly<Record<string, CounterRow>>;

function classOf(instructionClass: string, definition: string) {
  return {
    title: `${instructionClass} instructions`,
    unit: `${instructionClass} instruction`,
    definition,
    instructionClass,
  } as const;
}

function flopsOf(operation: string, definition: string) {
  return { title: `${operation} operations`, unit: "operation", definition, operation } as const;
}
