/**
 * How the compiler scheduled an instruction, from bits 9 to 25 of its fourth word (sm_70 and later). The
 * hardware checks no other dependencies than these. Layout: J. Jia et al., "Dissecting the NVIDIA Volta GPU
 * Architecture via Microbenchmarking", arXiv 1804.06826, section 2.1.
 */
export interface ControlCode {
  /** Cycles until the warp's next instruction may issue. */
  readonly stall: number;
  /** Steers the choice among ready warps; kept as it is, since descriptions differ in which value yields. */
  readonly yieldBit: number;
  /** The scoreboard, 0 to 5, that is released when the result is there. */
  readonly written?: number;
  /** The scoreboard that is released when the operands have been read. */
  readonly read?: number;
  /** The scoreboards that have to be free before it issues, ascending. */
  readonly waits: readonly number[];
}

const none = 7;
const scoreboards = [0, 1, 2, 3, 4, 5] as const;

/** `word`: the fourth of an instruction's four words of 32 bits. */
export function readControlCode(word: number): ControlCode {
  const field = (from: number, bits: number): number => (word >>> from) & ((1 << bits) - 1);
  const [written, read, mask] = [field(14, 3), field(17, 3), field(20, 6)];
  return {
    stall: field(9, 4),
    yieldBit: field(13, 1),
    ...(written === none ? {} : { written }),
    ...(read === none ? {} : { read }),
    waits: scoreboards.filter((board) => ((mask >>> board) & 1) === 1),
  };
}
