/**
 * Where everything lies in the linear memory of a launch. One warp is a block of bytes: a header, the vectors that change with the warp,
 * and its registers. A 32-bit register is 32 lanes of 4 bytes, a 64-bit one 32 lanes of 8; a predicate is a 32-bit register of 0 or -1.
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
  /** What the warp asks of a barrier: see `barrierLayout`. */
  barrierId: 16,
  barrierCount: 20,
  barrierKind: 24,
  /** Lanes for which a barrier reduction's predicate holds, and where its result goes (a register's linear address). */
  barrierBits: 28,
  barrierResult: 32,
  warpIndex: 36,
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
  registers: 1600,
} as const;

/** Marks on a lane's block number. They sort after all numbers, so that lanes that can run come first. */
export const pcFlags = {
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
} as const;

/** What `run_warp` returns. */
export const warpStates = { done: 0, yielded: 1, barrier: 2, stuck: 3 } as const;

/** Byte offsets in the static area of a launch. */
export const staticLayout = {
  ntid: 0,
  nctaid: 12,
  ctaid: 24,
  dynamicShared: 36,
  totalShared: 40,
  warpCount: 44,
  /** 32 linear addresses: what the last address translation found. */
  addresses: 128,
  /** A vector of zeroes to read and a vector to throw away, each 256 bytes. */
  trash: 256,
  lane: 512,
  /** Work space of matrix instructions: B as 32 rows of 8, then one row of A, in 32-bit elements. */
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
  end: 3136,
} as const;

/** Bytes of one memory instruction's record: the window that its last access fell into, and its counters. */
export const siteLayout = {
  low: 0,
  limit: 8,
  linear: 16,
  requests: 24,
  sectors: 32,
  sectorsIdeal: 40,
  bytes: 48,
  wavefronts: 56,
  wavefrontsIdeal: 64,
  ways: 72,
  locals: 80,
  /** Not zero once an uninitialised read of this instruction has been reported. */
  reported: 88,
  size: 96,
} as const;

/** Counters of one code block: executions, sum of active lanes, and for the branch at its end how often it diverged. */
export const blockLayout = { executions: 0, lanes: 8, divergent: 16, size: 24 } as const;

/**
 * Device addresses: windows of the generic address space (PTX ISA section 6.4). Global memory maps linearly from its base, which lies far
 * below what Linux hands to programs, so that a program can reserve the same addresses for memory that host and kernels share.
 */
export const addressWindows = {
  global: 0x2000_0000_0000n,
  shared: 0x0a00_0000_0000n,
  local: 0x0b00_0000_0000n,
} as const;
