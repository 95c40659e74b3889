import { addressWindows, warpLayout } from "../../layout";
import { type Wasm, get, getGlobal, i32, i64, load, op, tee } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { globals } from "../library";

interface OwnLocalParts {
  readonly builder: FunctionBuilder;
  readonly warp: Wasm;
  /** Number of the lane. */
  readonly lane: Wasm;
  /** Generic address, 64 bits. */
  readonly place: Wasm;
  readonly bytes: Wasm;
}

/**
 * Whether aligned bytes at a generic address lie in the lane's own local memory: arrays of a thread that a
 * function is handed by pointer. And their linear address, to be asked for behind `isInside`.
 */
export function ownLocal({ builder, warp, lane, place, bytes }: OwnLocalParts): {
  readonly isInside: Wasm;
  readonly linear: Wasm;
} {
  const offset = builder.local("i64");
  const size = getGlobal(globals.localBytes);
  const room = op("i64.sub", op("i64.extend_i32_u", size), op("i64.extend_i32_u", bytes));
  const isWithin = op(
    "i64.ge_s",
    op(
      "i64.or",
      tee(offset, op("i64.sub", place, i64(addressWindows.local))),
      op("i64.sub", room, get(offset)),
    ),
    i64(0n),
  );
  const isAligned = op(
    "i32.eqz",
    op("i32.and", op("i32.wrap_i64", get(offset)), op("i32.sub", bytes, i32(1))),
  );
  const start = op("i32.add", load("i32.load", warp, warpLayout.localBase), op("i32.mul", lane, size));
  return {
    isInside: op("i32.and", isWithin, isAligned),
    linear: op("i32.add", start, op("i32.wrap_i64", get(offset))),
  };
}
