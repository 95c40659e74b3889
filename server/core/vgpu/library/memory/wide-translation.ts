import { siteLayout, staticLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  choose,
  get,
  getGlobal,
  i32,
  lane as extractLane,
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
import { evenWords } from "../../wasm/shuffles";
import { globals, vectorLocals, wordLocals } from "../library";
import { doubtOf, firstBits, nextActive, packedOrScratch, scratch, unaligned } from "./found-addresses";

/** Of `translate_wide`. */
interface WideParts {
  readonly addresses: Wasm;
  readonly addend: Wasm;
  readonly bytes: Wasm;
  readonly site: Wasm;
}

/** Local vectors of the fast path. */
type WideVectors = Readonly<Record<(typeof wideVectors)[number], number>>;
export const wideVectors = [
  "shift",
  "limit",
  "outside",
  "low",
  "high",
  "packed",
  "expected",
  "step",
  "word",
] as const;

/** Sets the vectors for a site's window: addresses are compared as offsets from its start. */
export function prepareWide(v: WideVectors, { addend, bytes, site }: WideParts): Wasm {
  return [
    set(v.shift, op("i64x2.splat", op("i64.sub", addend, load("i64.load", site, siteLayout.low)))),
    set(
      v.limit,
      op(
        "i64x2.splat",
        op("i64.sub", load("i64.load", site, siteLayout.limit), op("i64.extend_i32_u", bytes)),
      ),
    ),
    set(v.outside, splat32(0)),
  ];
}

/** Lanes whose offsets from the window's start lie outside of it, as signs. */
function outsideOf(v: WideVectors, offsets: number): Wasm {
  return op("v128.or", get(offsets), op("i64x2.sub", get(v.limit), get(offsets)));
}

/** Sets four lanes' offsets from the window's start. */
function fourOffsets(v: WideVectors, at: number): Wasm {
  return [
    set(v.low, op("i64x2.add", load("v128.load", get(at)), get(v.shift))),
    set(v.high, op("i64x2.add", load("v128.load", get(at), 16), get(v.shift))),
    set(v.word, shuffle(get(v.low), get(v.high), evenWords)),
  ];
}

/**
 * Linear address of lane 0 if packed; 0 if the scratch vector holds the addresses; -1: take the slow path.
 */
export function wideFastPath(builder: FunctionBuilder, v: WideVectors, parts: WideParts): Wasm {
  const { addresses, bytes, site } = parts;
  const { at, end, to } = wordLocals(builder, "at", "end", "to");
  const linear = load("i32.load", site, siteLayout.linear);
  const check = (offsets: number): Wasm =>
    set(v.outside, op("v128.or", get(v.outside), outsideOf(v, offsets)));
  return [
    set(v.packed, splat32(-1)),
    set(v.low, op("i64x2.add", load("v128.load", addresses), get(v.shift))),
    set(
      v.expected,
      op(
        "i32x4.add",
        op("i32x4.splat", op("i32.wrap_i64", extractLane("i64x2.extract_lane", 0, get(v.low)))),
        op(
          "i32x4.mul",
          load("v128.load", getGlobal(globals.static), staticLayout.lane),
          op("i32x4.splat", bytes),
        ),
      ),
    ),
    set(v.step, op("i32x4.splat", op("i32.shl", bytes, i32(2)))),
    set(at, addresses),
    set(end, op("i32.add", addresses, i32(256))),
    set(to, getGlobal(globals.static)),
    loop(
      fourOffsets(v, at),
      check(v.low),
      check(v.high),
      set(v.packed, op("v128.and", get(v.packed), op("i32x4.eq", get(v.word), get(v.expected)))),
      set(v.expected, op("i32x4.add", get(v.expected), get(v.step))),
      store("v128.store", get(to), op("i32x4.add", get(v.word), op("i32x4.splat", linear)), scratch),
      set(to, op("i32.add", get(to), i32(16))),
      branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(32))), get(end))),
    ),
    choose("i32", op("i64x2.bitmask", get(v.outside)), i32(-1), packedOrScratch(builder, v.packed, bytes)),
  ];
}

/** 0 with the addresses of the active lanes in the scratch vector; -1: take the slow path. */
export function wideMaskedPath(
  builder: FunctionBuilder,
  v: WideVectors,
  { addresses, bytes, site, mask }: WideParts & { readonly mask: Wasm },
): Wasm {
  const { at, to } = wordLocals(builder, "at", "to");
  const lanes = vectorLocals(builder, "bits", "active", "any");
  const check = (offsets: number, half: "low" | "high"): Wasm =>
    set(
      v.outside,
      op(
        "v128.or",
        get(v.outside),
        op("v128.and", outsideOf(v, offsets), op(`i64x2.extend_${half}_i32x4_s`, get(lanes.active))),
      ),
    );
  return [
    set(lanes.bits, firstBits),
    set(lanes.any, splat32(0)),
    set(at, addresses),
    set(to, getGlobal(globals.static)),
    loop(
      nextActive(lanes, mask),
      fourOffsets(v, at),
      check(v.low, "low"),
      check(v.high, "high"),
      set(v.word, op("i32x4.add", get(v.word), op("i32x4.splat", load("i32.load", site, siteLayout.linear)))),
      store("v128.store", get(to), get(v.word), scratch),
      set(lanes.any, op("v128.or", get(lanes.any), op("v128.and", get(v.word), get(lanes.active)))),
      set(to, op("i32.add", get(to), i32(16))),
      branchIf(
        0,
        op("i32.lt_u", tee(at, op("i32.add", get(at), i32(32))), op("i32.add", addresses, i32(256))),
      ),
    ),
    doubtOf(op("i64x2.bitmask", get(v.outside)), unaligned(get(lanes.any), bytes)),
  ];
}
