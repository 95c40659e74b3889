import { type SiteSlot, siteSlots } from "../timing/counter-rows";
import { reuseClasses } from "../timing/reuse";

/**
 * Where everything lies in the linear memory of a launch. One warp is a block of bytes: a header, the vectors
 * that change with the warp, and its registers. A 32-bit register is 32 lanes of 4 bytes, a 64-bit one 32
 * lanes of 8; a predicate is a 32-bit register of 0 or -1.
 */
export const lanes = 32;

/** Byte offsets in a warp's block. */
export const warpLayout = {
  /** Block (of code) to run next while all active lanes agree. */
  pc: 0,
  /** Bit mask of the lanes that run now. */
  active: 4,
  /** Bit mask of the lanes that have not exited. */
  live: 8,
  /** Linear address of lane 0's local memory. */
  localBase: 12,
  /** What the warp asks of a barrier: its number, how many threads (-1: all), and one of `barrierKinds`. */
  barrierId: 16,
  barrierCount: 20,
  barrierKind: 24,
  /** Lanes for which a barrier reduction's predicate holds. */
  barrierBits: 28,
  warpIndex: 36,
  /** How the block's scheduler sees the warp: see `warpTurns`. */
  turn: 40,
  /** Bit mask of the lanes that the warp has at the start of a block. */
  lanesAtStart: 44,
  /**
   * 1 once the warp has come back from a turn in which its lanes only waited, until one of them sees
   * something new.
   */
  spun: 48,
  /** 32 lanes of 0 or -1: `active` as a vector. */
  mask: 64,
  /** Next block of each lane while lanes disagree; see `pcFlags`. */
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
  /** Of each lane: bytes of its call stack in use, and the end of its local memory in use. */
  stackTop: 1600,
  localTop: 1728,
  /**
   * For the detectors (see `library/race-words.ts`): the last interval and the last group of copies of each
   * warp of the block that this one knows to be over; its own interval, the first interval after the block's
   * last full barrier, the first one and the end of the stretch that the block's intervals come from, the
   * interval in which copies were last waited for, and the first interval after all lanes of the warp last
   * synchronised.
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
   * Also for them: the first interval of the block, and not 0 when the warp knows more of others than full
   * barriers told it.
   */
  begin: 2136,
  isAhead: 2140,
  registers: 2144,
} as const;

/** Marks on a lane's block number. They sort after all numbers, so that lanes that can run come first. */
export const pcFlags = {
  /** Has spun for long: the other lanes run first. */
  parked: 0x1000_0000,
  /** Waits for the other lanes of a warp-wide instruction. */
  gathering: 0x2000_0000,
  /** Waits at a block-wide barrier. */
  barrier: 0x4000_0000,
  exited: 0x7fff_ffff,
} as const;

/** What a code block returns instead of the next block's number. */
export const signals = {
  /** `lanePc` of the active lanes has been written. */
  diverged: -1,
  /** The active lanes wait at a barrier; `lanePc` holds where they go on. */
  barrier: -2,
  /** The active lanes are done. */
  exit: -3,
  /** A warp-wide instruction waits for lanes that are elsewhere. */
  gather: -4,
  /** The active lanes have waited long for what others do. */
  spin: -5,
  /** The whole warp lets others go first; its header holds where it goes on. */
  pause: -6,
} as const;

/** What `run_warp` returns. */
export const warpStates = { done: 0, yielded: 1, barrier: 2, stuck: 3, spinning: 4 } as const;

/** Kinds of barrier requests. */
export const barrierKinds = { sync: 0, arrive: 1, and: 2, or: 3, popc: 4 } as const;

/**
 * `warpLayout.turn`: runs, waits at the block's full barrier, waits at a barrier that the host looks after,
 * or has ended.
 */
export const warpTurns = { runs: 0, waits: 1, asks: 2, ended: 3 } as const;

/**
 * What `run_blocks` returns: all blocks ended; the fuel is used up; barriers are to be opened by the host; a
 * warp is stuck; all warps of the block that can run wait for something that only other blocks can do.
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
  /** Blocks of threads still to run after the one at work, and 1 while one is at work. */
  blocksLeft: 48,
  atWork: 52,
  /**
   * Linear addresses of the first warp, of the end of the last one, of the warp whose turn is next and of the
   * one that ran last.
   */
  firstWarp: 56,
  endOfWarps: 60,
  nextWarp: 64,
  lastWarp: 68,
  /**
   * Grows at each start of a block and at each opening of a barrier: what lies between two values is not
   * ordered by barriers.
   */
  epoch: 72,
  /** Visits of a block of code by lanes that only wait, before others get a turn. */
  patience: 76,
  /** Number of the multiprocessor that the block at work is said to run on. */
  multiprocessor: 80,
  /** Low and high half of the address of the cooperative launch's workspace; zero in an ordinary launch. */
  workspace: 84,
  /** 32 linear addresses: what the last address translation found. */
  addresses: 128,
  /** A vector of zeroes to read and a vector to throw away, each 256 bytes. */
  trash: 256,
  lane: 512,
  /** Work space of matrix instructions: B as at most 32 rows of 8 units of 32 bits. */
  matrix: 640,
  /** A second vector of linear addresses: where an asynchronous copy goes. */
  targets: 1920,
  /** Up to 128 distinct numbers, while requests are counted. */
  distinct: 2048,
  /** A 16-bit count for each of the 32 banks. */
  banks: 2560,
  /** 64-bit addresses of a fragment's elements, and two vectors of halves. */
  fragment: 2624,
  halves: 2880,
  /** Threads that have arrived at each of the 16 barriers without waiting for it (`barrier.arrive`). */
  arrived: 3136,
  /**
   * A as at most 16 rows of 32 units of 32 bits, and the registers of A and B after their elements were made
   * twice as wide.
   */
  matrixRows: 3200,
  matrixDoubled: 5248,
  /** For the detectors: the other party of each lane's conflict, as interval and description. */
  otherIntervals: 6784,
  otherInfos: 6912,
  /**
   * First interval of the launch; not 0 once a kernel has executed a fence; not 0 once it has started an
   * asynchronous copy.
   */
  launchFloor: 7040,
  fences: 7044,
  copying: 7048,
  /**
   * Not 0 once a block has acquired what another one released; once a block has used up a stretch of
   * intervals; once an atomic hid a writer.
   */
  acquired: 7052,
  extended: 7056,
  hidden: 7060,
  /**
   * For the counters: address of a stamp (32 bits) for each word of shared memory and one for what is
   * elsewhere, and the last stamp in use.
   */
  stamps: 7064,
  lastStamp: 7068,
  /**
   * Products with a sparse A: the metadata register, B as at most 64 rows of 8 units of 32 bits, and the
   * registers of B after its elements were made twice as wide.
   */
  sparseMetadata: 7072,
  sparseUnits: 7200,
  sparseDoubled: 9248,
  end: 10272,
} as const;

/** Bytes of stamps beyond those of shared memory. */
export const stampsBeyond = 16;

const slotsAt = 24;
const reuseAt = slotsAt + 8 * siteSlots.length;

/** Bytes of one memory instruction's record: the window that its last access fell into, and its counters. */
export const siteLayout = {
  low: 0,
  limit: 8,
  linear: 16,
  ...slotOffsets(slotsAt),
  /**
   * Sectors by the distance of their last access: first touches, then the classes of the same block and those
   * of others.
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
 * Byte offsets in the header of the area that remembers when each sector of global memory was touched last.
 * Time is counted in touches; a slot stands for one touch and its bit is set while no later touch of the same
 * sector has been made.
 */
export const reuseLayout = {
  /** The next slot. */
  now: 0,
  /** The slot at which the block that runs now began. */
  blockStart: 4,
  /** How many slots there are. */
  slots: 8,
  /** How many sectors are watched. */
  sectors: 12,
  /**
   * Linear addresses: one entry a sector (slot + 1, and `dirty`), bits of slots, counts of set bits for each
   * 1024 and each 65,536 slots.
   */
  entries: 16,
  bits: 20,
  groups: 24,
  regions: 28,
  header: 64,
  /** Mark on an entry: stored to since it last agreed with DRAM. */
  dirty: 0x8000_0000,
} as const;

/**
 * Counters of one code block: executions, sum of active lanes, and for the branch at its end how often it
 * diverged.
 */
export const blockLayout = { executions: 0, lanes: 8, divergent: 16, size: 24 } as const;

/**
 * Device addresses: windows of the generic address space (PTX ISA section 6.4). Global memory maps linearly
 * from its base, which lies far below what Linux hands to programs, so that a program can reserve the same
 * addresses for memory that host and kernels share.
 */
export const addressWindows = {
  global: 0x2000_0000_0000n,
  shared: 0x0a00_0000_0000n,
  local: 0x0b00_0000_0000n,
  function: 0x0c00_0000_0000n,
  parameter: 0x0d00_0000_0000n,
} as const;

/** All addresses that allocations can have: as many as WebAssembly's linear memory has bytes. */
export const addressWindow = { base: addressWindows.global, bytes: 4_294_967_296n } as const;
