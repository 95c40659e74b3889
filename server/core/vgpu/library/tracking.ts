import { type Wasm, call, get, getGlobal, i32, i64, load, op, set, splat32, store, when } from "../wasm/code";
import { type LibraryFunction, type LibraryTable, addressVector, globals } from "./library";
import { forEachLane } from "./memory";
import { laneAt } from "./warp";


/** Runs one of five pieces of code by the size of an access. */
function bySize(bytes: Wasm, piece: (size: 1 | 2 | 4 | 8 | 16) => Wasm): Wasm {
  return ([1, 2, 4, 8, 16] as const).map((size) => when(op("i32.eq", bytes, i32(size)), piece(size)));
}

/**
 * mark_written(bytes, mask): notes in the shadow memory (one byte for each byte, `shadow` bytes above) that the last translation's
 * addresses hold something now.
 */
const markWritten: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [bytes = [], mask = []] }) => {
    const [rest, lane, at] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
    const ones = 0x0101010101010101n;
    const mark = (size: 1 | 2 | 4 | 8 | 16): Wasm => {
      if (size === 1) return store("i32.store8", get(at), i32(1));
      if (size === 2) return store("i32.store16", get(at), i32(0x0101));
      if (size === 4) return store("i32.store", get(at), i32(0x01010101));
      return size === 8 ? store("i64.store", get(at), i64(ones)) : store("v128.store", get(at), splat32(0x01010101));
    };
    return bySize(bytes, (size) => [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, op("i32.add", load("i32.load", laneAt(addressVector, get(lane))), getGlobal(globals.shadow))),
        mark(size),
      ]),
    ]);
  },
};

/**
 * check_written(warp, site, bytes, mask): tells the host of each active lane that reads a byte which nothing was ever stored to.
 */
const checkWritten: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], site = [], bytes = [], mask = []] }) => {
    const [rest, lane, at] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
    const isWhole = (size: 1 | 2 | 4 | 8 | 16): Wasm => {
      if (size === 1) return load("i32.load8_u", get(at));
      if (size === 2) return op("i32.eq", load("i32.load16_u", get(at)), i32(0x0101));
      if (size === 4) return op("i32.eq", load("i32.load", get(at)), i32(0x01010101));
      if (size === 8) return op("i64.eq", load("i64.load", get(at)), i64(0x0101010101010101n));
      return op("i8x16.all_true", load("v128.load", get(at)));
    };
    return bySize(bytes, (size) => [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, op("i32.add", load("i32.load", laneAt(addressVector, get(lane))), getGlobal(globals.shadow))),
        when(op("i32.eqz", isWhole(size)), call(imported("uninitialized"), warp, site, get(lane))),
      ]),
    ]);
  },
};

export const trackingLibrary: LibraryTable = { mark_written: markWritten, check_written: checkWritten };
