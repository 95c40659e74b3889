import type { TypeName } from "../ptx/types";

/**
 * The words that the slots of the opcode table hold whose meaning somebody asks for: a comparison with any
 * other word does not compile. Types are left out, which are values (`Matched.types`); so are slots that mean
 * nothing to the virtual GPU, and shapes, which are numbers.
 */
export const modifierWords = {
  vector: ["v2", "v4", "v8"],
  saturate: ["sat", "satfinite"],
  out: ["cc"],
  rounding: ["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna"],
  flush: ["ftz"],
  part: ["lo", "hi", "wide"],
  relu: ["relu"],
  kind: [
    "approx",
    "full",
    "fractional",
    "range",
    "cvt",
    "alias",
    "async",
    "sync",
    "arrive",
    "red",
    "warp",
    "idx",
    "commit_group",
    "wait_group",
    "wait_all",
  ],
  nan: ["NaN"],
  xorsign: ["xorsign"],
  absolute: ["abs"],
  amount: ["shiftamt"],
  mode: [
    "clamp",
    "wrap",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "up",
    "down",
    "bfly",
    "idx",
    "all",
    "any",
    "uni",
    "ballot",
  ],
  half: ["lo", "hi"],
  combine: ["or", "and", "xor", "add", "min", "max"],
  direction: ["l", "r", "to"],
  comparison: [
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "lo",
    "ls",
    "hi",
    "hs",
    "equ",
    "neu",
    "ltu",
    "leu",
    "gtu",
    "geu",
    "num",
    "nan",
  ],
  test: ["finite", "infinite", "number", "notanumber", "normal", "subnormal"],
  finite: ["satfinite"],
  space: [
    "global",
    "shared",
    "shared::cta",
    "shared::cluster",
    "local",
    "const",
    "param",
    "param::entry",
    "param::func",
  ],
  weak: ["weak", "volatile", "relaxed", "acquire", "release"],
  scope: ["cta", "cluster", "gpu", "sys"],
  cache: ["ca", "cg", "cs", "lu", "cv", "wb", "wt"],
  hint: ["L2::cache_hint"],
  target: ["shared", "shared::cta", "shared::cluster", "global"],
  bulk: ["bulk"],
  done: ["mbarrier::complete_tx::bytes", "bulk_group"],
  level: ["L1", "L2", "L2::evict_last", "L2::evict_normal", "cta", "gl", "sys", "level", "grad"],
  semantics: ["sc", "acq_rel", "acquire", "release", "relaxed"],
  operation: ["and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max", "popc"],
  sync: ["sync"],
  aligned: ["aligned"],
  action: [
    "arrive",
    "init",
    "inval",
    "expect_tx",
    "complete_tx",
    "arrive_drop",
    "test_wait",
    "try_wait",
    "pending_count",
    "wait",
    "launch_dependents",
  ],
  increment: ["noinc"],
  origin: ["global", "shared::cta"],
  dimensions: ["1d", "2d", "3d", "4d", "5d"],
  multicast: ["multicast::cluster"],
  count: ["x1", "x2", "x4", "popc"],
  transpose: ["trans"],
  matrix: ["a", "b", "c", "d"],
  layout: ["row", "col"],
  layoutA: ["row", "col"],
  layoutB: ["row", "col"],
  sparse: ["sp", "sp::ordered_metadata"],
  transaction: ["expect_tx"],
  parity: ["parity"],
  nc: ["nc"],
  plusOne: ["po"],
  scale: ["shr7", "shr15"],
  geometry: ["1d", "2d", "3d", "a1d", "a2d", "cube"],
  component: ["r", "g", "b", "a"],
  query: ["width", "height", "depth"],
  boundary: ["trap", "clamp", "zero"],
} as const;

/** The modifiers of an instruction by the names of their slots. */
export type Modifiers = {
  readonly [Slot in keyof typeof modifierWords]?: (typeof modifierWords)[Slot][number];
} & {
  /** Rows, columns and depth of a matrix instruction: `m16n8k16`. */
  readonly shape?: string;
  /** Formats of the matrices of such an instruction, by which the library names its products. */
  readonly a?: TypeName;
  readonly b?: TypeName;
  readonly c?: TypeName;
  readonly d?: TypeName;
} & SyntheticModifiers;

/** What the compiler of the virtual GPU notes at instructions of its own. */
interface SyntheticModifiers {
  /** Bits that a part of a parameter is shifted by in its register. */
  readonly shift?: number;
  /** Bytes of a function's frame. */
  readonly bytes?: number;
  /** Function of the driver's. */
  readonly name?: string;
  /** Functions that a call through a register may reach: the key of their list. */
  readonly pointers?: string;
  /** The call keeps the registers that are live behind it. */
  readonly saves?: boolean;
}
