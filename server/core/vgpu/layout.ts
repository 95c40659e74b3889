import { type SiteSlot, siteSlots } from "../timing/counter-rows";
import { reuseClasses } from "../timing/reuse";

/**
 * Layout of a launch's linear memory. A warp is a block of bytes: a header, the vectors that change with the
 * warp, and its registers. A 32-bit register is 32 lanes of 4 bytes, a 64-bit one 32 lanes of 8 bytes; a
 * predicate is a 32-bit register of 0 or -1.
 */
export const lanes = 32;

/** Byte offsets in a warp's block. */
export const warpLayout = {
  /** Next code block, while all active lanes agree. */
  pc: 0,
  /** Bit mask of the active lanes. */
  active: 4,
  /** Bit mask of the lanes that have not exited. */
  live: 8,
  /** Linear address of lane 0's local memory. */
  localBase: 12,
  /** The warp's barrier request: barrier number, thread count (-1: all), and one of `barrierKinds`. */
  barrierId: 16,
  barrierCount: 20,
  barrierKind: 24,
  /** For a barrier reduction: mask of the lanes whose predicate holds. */
  barrierBits: 28,
  warpIndex: 36,
  /** The warp's state in the block's scheduler: one of `warpTurns`. */
  turn: 40,
  /** Bit mask of the warp's lanes at the start of a block. */
  lanesAtStart: 44,
  /** 1 after a turn in which the warp's lanes only waited, until one of them observes a change. */
  spun: 48,
  /** 32 lanes of 0 or -1: `active` as a vector. */
  mask: 64,
  /** Next code block of each lane during divergence; see `pcFlags`. */
  lanePc: 192,
  tidX: 320,
  tidY: 448,
  tidZ: 576,
  laneId: 704,
  warpId: 832,
  laneMaskEqual: 960,
  laneMaskLess: 1088,
  laneMaskLessEqual: 1216,
  laneMaskGreater: 1344,
  laneMaskGreaterEqual: 1472,
  /** For each lane: bytes of its call stack in use, and the end of its local memory in use. */
  stackTop: 1600,
  localTop: 1728,
  /**
   * The warp's part in the detectors (see `library/races/race-words.ts`). `known`: its vector clock, the last
   * interval of each warp of the block that happened before. `copies`: the same for groups of asynchronous
   * copies. `interval`: its current interval. `floor`: the first interval after the last block-wide barrier.
   * `first`, `end`: the stretch of the block's intervals. `waitedAt`: the interval in which it last waited
   * for copies. `joined`: the first interval after all its lanes last synchronised.
   */
  known: 1856,
  copies: 1984,
  interval: 2112,
  floor: 2116,
  first: 2120,
  end: 2124,
  waitedAt: 2128,
  joined: 2132,
  /**
   * First interval of the block. Nonzero `isAhead`: this warp's vector clock is ahead of the last block-wide
   * barrier.
   */
  begin: 2136,
  isAhead: 2140,
  /**
   * The last interval of each warp of the block whose stores to shared memory a bulk copy sees, since a
   * `fence.proxy.async` has followed them.
   */
  proxied: 2144,
  registers: 2272,
} as const;

/** Marks on a lane's block number. A marked number sorts after all others, so runnable lanes come first. */
export const pcFlags = {
  /** Spins in a waiting loop: the other lanes run first. */
  parked: 0x1000_0000,
  /** Waits for the other lanes of a warp-wide instruction. */
  gathering: 0x2000_0000,
  /** Waits at a block-wide barrier. */
  barrier: 0x4000_0000,
  exited: 0x7fff_ffff,
} as const;

/** Results of a code block other than the next block's number. */
export const signals = {
  /** The active lanes have diverged; their `lanePc` is written. */
  diverged: -1,
  /** The active lanes wait at a barrier; their `lanePc` is where they continue. */
  barrier: -2,
  /** The active lanes have exited. */
  exit: -3,
  /** A warp-wide instruction waits for other lanes. */
  gather: -4,
  /** The active lanes spin in a waiting loop. */
  spin: -5,
  /** The whole warp lets other warps run first; its header holds where it continues. */
  pause: -6,
} as const;

/** What `run_warp` returns. */
export const warpStates = { done: 0, yielded: 1, barrier: 2, stuck: 3, spinning: 4 } as const;

/** Kinds of barrier requests; negative ones are of the cluster's barrier. */
export const barrierKinds = {
  clusterArrive: -2,
  clusterWait: -1,
  sync: 0,
  arrive: 1,
  and: 2,
  or: 3,
  popc: 4,
} as const;

/**
 * Shared memory of the blocks of a cluster: that of rank r lies this number of bytes times r + 1 above the
 * own addresses, in the window of shared memory as in 32 bits.
 */
export const clusterStride = 0x0100_0000;

/**
 * States of a warp: runs; waits at the block-wide barrier; waits at a barrier that the host handles; has
 * ended.
 */
export const warpTurns = { runs: 0, waits: 1, asks: 2, ended: 3 } as const;

/**
 * Results of `run_blocks`: all blocks ended; the fuel is used up; the host has to open barriers; a warp is
 * stuck; every runnable warp of the block waits for other blocks.
 */
export const blockStates = { finished: 0, yielded: 1, barrier: 2, stuck: 3, spinning: 4 } as const;

/** Byte offsets in the static area of a launch. */
export const staticLayout = {
  ntid: 0,
  nctaid: 12,
  ctaid: 24,
  dynamicShared: 36,
  totalShared: 40,
  warpCount: 44,
  /** Blocks left after the current one, and 1 while a block is running. */
  blocksLeft: 48,
  atWork: 52,
  /**
   * Linear addresses: the first warp, the end of the last one, the next warp to run, and the warp that ran
   * last.
   */
  firstWarp: 56,
  endOfWarps: 60,
  nextWarp: 64,
  lastWarp: 68,
  /**
   * Incremented when a block starts and when a barrier opens: barriers order what lies between different
   * values.
   */
  epoch: 72,
  /** Visits of a code block by waiting lanes before others get a turn. */
  patience: 76,
  /** Number of the multiprocessor to which the current block is assigned. */
  multiprocessor: 80,
  /** Address of a cooperative launch's workspace (low and high half); zero in an ordinary launch. */
  workspace: 84,
  /** Lanes that `activemask` finds together; the others find each other. */
  together: 92,
  /** Nonzero while the grid before, beside which this one has begun, has not run. */
  gridBefore: 96,
  /** Blocks of a cluster by axis, and 1 where the launch says so: else each block is a cluster of its own. */
  clusterSize: 100,
  explicitCluster: 112,
  /** 32 linear addresses: the result of the last address translation. */
  addresses: 128,
  /** A vector of zeroes to read, and a vector for discarded writes, 256 bytes each. */
  trash: 256,
  lane: 512,
  /** Work space of matrix instructions: B as at most 32 rows of 8 units of 32 bits. */
  matrix: 640,
  /** A second vector of linear addresses: targets of an asynchronous copy. */
  targets: 1920,
  /** Up to 128 distinct numbers, for counting. */
  distinct: 2048,
  /** A 16-bit count for each of the 32 banks, for counting. */
  banks: 2560,
  /** 64-bit addresses of a fragment's elements, and two vectors of halves. */
  fragment: 2624,
  halves: 2880,
  /** Threads that have arrived at each of the 16 barriers without waiting (`barrier.arrive`). */
  arrived: 3136,
  /**
   * A as at most 16 rows of 32 units of 32 bits, and the registers of A and B after doubling their elements.
   */
  matrixRows: 3200,
  matrixDoubled: 5248,
  /** For the detectors: interval and info of the other party of each lane's conflict. */
  otherIntervals: 6784,
  otherInfos: 6912,
  /**
   * First interval of the launch; nonzero after the first fence; nonzero after the first asynchronous copy.
   */
  launchFloor: 7040,
  fences: 7044,
  copying: 7048,
  /**
   * `acquired`: nonzero after any acquire between blocks. `extended`: nonzero after a block has used up a
   * stretch of intervals. `hidden`: nonzero after an atomic has replaced a recorded writer.
   */
  acquired: 7052,
  extended: 7056,
  hidden: 7060,
  /**
   * For the counters: address of the stamps (32 bits for each word of shared memory, and one for all else),
   * and the last stamp used.
   */
  stamps: 7064,
  lastStamp: 7068,
  /**
   * For products with a sparse A: the metadata register, B as at most 64 rows of 8 units of 32 bits, and the
   * registers of B after doubling their elements.
   */
  sparseMetadata: 7072,
  sparseUnits: 7200,
  sparseDoubled: 9248,
  /** For products of a warpgroup: four registers of A and two of B. */
  groupLeft: 10272,
  groupRight: 10784,
  /**
   * For copies of tensors: linear addresses of the lanes' maps; of each piece its shared and its global
   * address and which bytes lie inside; of the copying lane the barrier's address and the bytes in all.
   */
  tensorMaps: 11040,
  tensorShared: 11168,
  tensorGlobal: 11296,
  tensorInside: 11552,
  tensorBarriers: 11680,
  tensorBytes: 11808,
  end: 11936,
} as const;

/** Bytes of stamps beyond those of shared memory. */
export const stampsBeyond = 16;

const slotsAt = 24;
const reuseAt = slotsAt + 8 * siteSlots.length;

/** Record of one memory instruction (site): its cached window, then its counters. */
export const siteLayout = {
  low: 0,
  limit: 8,
  linear: 16,
  ...slotOffsets(slotsAt),
  /**
   * Sectors by reuse distance: first touches, then the classes for reuse by the same block and by other
   * blocks.
   */
  reuseFirst: reuseAt,
  reuseSame: reuseAt + 8,
  reuseOthers: reuseAt + 8 + 8 * reuseClasses,
  size: reuseAt + 8 + 16 * reuseClasses,
} as const;

/** The slots of the counter catalogue, one after the other. */
function slotOffsets(first: number): Readonly<Record<SiteSlot, number>> {
  const offsets = siteSlots.map((slot, index) => [slot, first + 8 * index]);
  return Object.fromEntries(offsets) as Record<SiteSlot, number>;
}

/**
 * Byte offsets in the header of the area that records the last touch of each sector of global memory. Time is
 * counted in touches. A slot stands for one touch; its bit is set until the same sector is touched again.
 */
export const reuseLayout = {
  /** The next slot. */
  now: 0,
  /** The slot at which the current block began. */
  blockStart: 4,
  /** Number of slots. */
  slots: 8,
  /** Number of sectors. */
  sectors: 12,
  /**
   * Linear addresses: one entry for each sector (slot + 1, and `dirty`), bits of slots, and counts of set
   * bits for each 1024 and each 65,536 slots.
   */
  entries: 16,
  bits: 20,
  groups: 24,
  regions: 28,
  header: 64,
  /** Mark on an entry: stored to since the sector last agreed with DRAM. */
  dirty: 0x8000_0000,
} as const;

/**
 * Counters of one code block: executions, the sum of active lanes, and how often the branch at its end
 * diverged.
 */
export const blockLayout = { executions: 0, lanes: 8, divergent: 16, size: 24 } as const;

/**
 * Windows of the generic address space (PTX ISA section 6.4). Global memory maps linearly from its base,
 * which lies far below what Linux gives to programs, so that a program can reserve the same addresses for
 * memory that host and kernels share.
 */
export const addressWindows = {
  global: 0x2000_0000_0000n,
  shared: 0x0a00_0000_0000n,
  local: 0x0b00_0000_0000n,
  function: 0x0c00_0000_0000n,
  parameter: 0x0d00_0000_0000n,
} as const;

/** The addresses of allocations: as many as WebAssembly's linear memory has bytes. */
export const addressWindow = { base: addressWindows.global, bytes: 4_294_967_296n } as const;
