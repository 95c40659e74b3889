import { staticLayout } from "../../layout";
import { type Wasm, choose, get, getGlobal, i32, lanes32, load, op, set } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { globals } from "../library";

/** Where a translation puts the lanes' linear addresses, in the static area. */
export const scratch = staticLayout.addresses;

/** Base address of a lane's entry in the scratch vector. */
export function scratchOf(lane: Wasm): Wasm {
  return op("i32.add", getGlobal(globals.static), op("i32.shl", lane, i32(2)));
}

/**
 * Result of a fast path whose addresses are all inside: the packed base if aligned, 0 if aligned but
 * scattered, else -1.
 */
export function packedOrScratch(builder: FunctionBuilder, packed: number, bytes: Wasm): Wasm {
  const any = builder.local("v128");
  const parts = Array.from({ length: 8 }, (_, chunk) =>
    load("v128.load", getGlobal(globals.static), scratch + 16 * chunk),
  );
  const joined = parts.reduce((left, right) => op("v128.or", left, right));
  const first = load("i32.load", getGlobal(globals.static), scratch);
  const misaligned = op(
    "v128.any_true",
    op("v128.and", get(any), op("i32x4.splat", op("i32.sub", bytes, i32(1)))),
  );
  return [
    set(any, joined),
    choose("i32", misaligned, i32(-1), op("select", first, i32(0), op("i32x4.all_true", get(packed)))),
  ];
}

/** Four lanes after four of a mask, as vectors. */
interface MaskLocals {
  /** Vector of the lanes' bits, and of 0 or -1 for each. */
  readonly bits: number;
  readonly active: number;
}

/** Of the first four lanes. */
export const firstBits = lanes32([1, 2, 4, 8]);

/** Sets `active`, and moves `bits` on by four lanes. */
export function nextActive({ bits, active }: MaskLocals, mask: Wasm): Wasm {
  return [
    set(active, op("i32x4.eq", op("v128.and", op("i32x4.splat", mask), get(bits)), get(bits))),
    set(bits, op("i32x4.shl", get(bits), i32(4))),
  ];
}

/** Bits of addresses that are not zero where accesses of some bytes are aligned. */
export function unaligned(addresses: Wasm, bytes: Wasm): Wasm {
  return op("v128.and", addresses, op("i32x4.splat", op("i32.sub", bytes, i32(1))));
}

/** -1 when lanes are outside or not aligned, else 0. */
export function doubtOf(isOutside: Wasm, rest: Wasm): Wasm {
  return op("select", i32(-1), i32(0), op("i32.or", isOutside, op("v128.any_true", rest)));
}
