import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  choose,
  get,
  getGlobal,
  i32,
  lanes32,
  load,
  loop,
  op,
  set,
  shuffle,
  splat32,
  store,
  tee,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { evenWords, oddWords } from "../../wasm/shuffles";
import { globals, vectorLocals, wordLocals } from "../library";
import { doubtOf, firstBits, nextActive, packedOrScratch, scratch, unaligned } from "./found-addresses";

/** Parameters of `translate_shared`; `offset` is the constant part. */
interface SharedParts {
  readonly addresses: Wasm;
  readonly offset: Wasm;
  readonly bytes: Wasm;
}

/** Linear address of lane 0 if packed; 0 or -1 as `translate_wide` gives them. */
export function sharedFastPath(builder: FunctionBuilder, parts: SharedParts): Wasm {
  const { addresses, offset, bytes } = parts;
  const [vMost = 0, vPacked = 0, vExpected = 0, vWord = 0] = Array.from({ length: 4 }, () =>
    builder.local("v128"),
  );
  const at = builder.local("i32");
  const to = builder.local("i32");
  const limit = op("i32.sub", getGlobal(globals.sharedBytes), bytes);
  const body: Wasm = loop(
    set(vWord, op("i32x4.add", load("v128.load", get(at)), op("i32x4.splat", offset))),
    set(vMost, op("i32x4.max_u", get(vMost), get(vWord))),
    set(vPacked, op("v128.and", get(vPacked), op("i32x4.eq", get(vWord), get(vExpected)))),
    set(vExpected, op("i32x4.add", get(vExpected), op("i32x4.splat", op("i32.shl", bytes, i32(2))))),
    store(
      "v128.store",
      get(to),
      op("i32x4.add", get(vWord), op("i32x4.splat", getGlobal(globals.shared))),
      scratch,
    ),
    set(to, op("i32.add", get(to), i32(16))),
    branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(16))), op("i32.add", addresses, i32(128)))),
  );
  const outside = op(
    "i32.or",
    op("i32.lt_s", limit, i32(0)),
    op("v128.any_true", op("i32x4.gt_u", get(vMost), op("i32x4.splat", limit))),
  );
  return [
    set(vMost, splat32(0)),
    set(vPacked, splat32(-1)),
    set(
      vExpected,
      op(
        "i32x4.add",
        op("i32x4.splat", op("i32.add", load("i32.load", addresses), offset)),
        op(
          "i32x4.mul",
          load("v128.load", getGlobal(globals.static), staticLayout.lane),
          op("i32x4.splat", bytes),
        ),
      ),
    ),
    set(at, addresses),
    set(to, getGlobal(globals.static)),
    body,
    choose("i32", outside, i32(-1), packedOrScratch(builder, vPacked, bytes)),
  ];
}

/** 0 with the addresses of the active lanes in the scratch vector; -1: take the slow path. */
export function sharedMaskedPath(
  builder: FunctionBuilder,
  { addresses, offset, bytes, mask }: SharedParts & { readonly mask: Wasm },
): Wasm {
  const { at, to } = wordLocals(builder, "at", "to");
  const lanes = vectorLocals(builder, "bits", "active", "word", "any", "outside");
  const room = op("i32x4.splat", op("i32.sub", getGlobal(globals.sharedBytes), bytes));
  const outside = op("v128.or", get(lanes.word), op("i32x4.sub", room, get(lanes.word)));
  const gathered = (into: number, value: Wasm): Wasm =>
    set(into, op("v128.or", get(into), op("v128.and", value, get(lanes.active))));
  return [
    set(lanes.bits, firstBits),
    set(lanes.any, splat32(0)),
    set(lanes.outside, splat32(0)),
    set(at, addresses),
    set(to, getGlobal(globals.static)),
    loop(
      nextActive(lanes, mask),
      set(lanes.word, op("i32x4.add", load("v128.load", get(at)), op("i32x4.splat", offset))),
      gathered(lanes.outside, outside),
      gathered(lanes.any, get(lanes.word)),
      store(
        "v128.store",
        get(to),
        op("i32x4.add", get(lanes.word), op("i32x4.splat", getGlobal(globals.shared))),
        scratch,
      ),
      set(to, op("i32.add", get(to), i32(16))),
      branchIf(
        0,
        op("i32.lt_u", tee(at, op("i32.add", get(at), i32(16))), op("i32.add", addresses, i32(128))),
      ),
    ),
    doubtOf(op("i32x4.bitmask", get(lanes.outside)), unaligned(get(lanes.any), bytes)),
  ];
}

/** Parameters of `translate_local`. */
interface LocalParts {
  readonly warp: Wasm;
  readonly addresses: Wasm;
  readonly addend: Wasm;
  readonly bytes: Wasm;
  readonly mask: Wasm;
  /** Addresses have 32 bits. */
  readonly narrow: boolean;
}

/** 0 with the addresses of the active lanes in the scratch vector; -1: take the slow path. */
export function localPath(builder: FunctionBuilder, parts: LocalParts): Wasm {
  const { warp, addresses, bytes, mask, narrow } = parts;
  const { at, to } = wordLocals(builder, "at", "to");
  const v = vectorLocals(builder, "bits", "active", "word", "upper", "own", "low", "high", "any", "outside");
  const size = getGlobal(globals.localBytes);
  const room = op("i32x4.splat", op("i32.sub", size, bytes));
  const outside = op("v128.or", get(v.upper), op("v128.or", get(v.word), op("i32x4.sub", room, get(v.word))));
  const gathered = (into: number, value: Wasm): Wasm =>
    set(into, op("v128.or", get(into), op("v128.and", value, get(v.active))));
  const step = narrow ? 16 : 32;
  return [
    set(v.bits, firstBits),
    set(v.any, splat32(0)),
    set(v.outside, splat32(0)),
    set(
      v.own,
      op(
        "i32x4.add",
        op("i32x4.splat", load("i32.load", warp, warpLayout.localBase)),
        op("i32x4.mul", op("i32x4.splat", size), lanes32([0, 1, 2, 3])),
      ),
    ),
    set(at, addresses),
    set(to, getGlobal(globals.static)),
    loop(
      nextActive(v, mask),
      fourOffsets(v, at, parts),
      gathered(v.outside, outside),
      gathered(v.any, get(v.word)),
      store("v128.store", get(to), op("i32x4.add", get(v.word), get(v.own)), scratch),
      set(v.own, op("i32x4.add", get(v.own), op("i32x4.splat", op("i32.shl", size, i32(2))))),
      set(to, op("i32.add", get(to), i32(16))),
      branchIf(
        0,
        op("i32.lt_u", tee(at, op("i32.add", get(at), i32(step))), op("i32.add", addresses, i32(8 * step))),
      ),
    ),
    doubtOf(op("i32x4.bitmask", get(v.outside)), unaligned(get(v.any), bytes)),
  ];
}

/** Sets the lower halves of four lanes' offsets in `word`, and a sign in `upper` where the other is not 0. */
function fourOffsets(
  v: Readonly<Record<"word" | "upper" | "low" | "high", number>>,
  at: number,
  { addend, narrow }: LocalParts,
): Wasm {
  const behind = op("i64x2.splat", addend);
  const [low, high] = narrow
    ? [load("v128.load32x2_u", get(at)), load("v128.load32x2_u", get(at), 8)]
    : [load("v128.load", get(at)), load("v128.load", get(at), 16)];
  return [
    set(v.low, op("i64x2.add", low, behind)),
    set(v.high, op("i64x2.add", high, behind)),
    set(v.word, shuffle(get(v.low), get(v.high), evenWords)),
    set(v.upper, op("i32x4.ne", shuffle(get(v.low), get(v.high), oddWords), splat32(0))),
  ];
}
