import { staticLayout } from "../layout";
import { type Wasm, call, get, getGlobal, i32, i64, load, op, set, splat32, store, when } from "../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "./library";
import { forEachLane } from "./memory";
import { laneAt } from "./warp";

const sources = op("i32.add", getGlobal(globals.static), i32(staticLayout.addresses));
const targets = op("i32.add", getGlobal(globals.static), i32(staticLayout.targets));

/** save_targets(): keeps the addresses of the last translation while another one is made. */
const saveTargets: LibraryFunction = {
  signature: { parameters: [], results: [] },
  build: () => Array.from({ length: 8 }, (_, chunk) => store("v128.store", targets, load("v128.load", sources, 16 * chunk), 16 * chunk)),
};

/**
 * whole_or_nothing(sizes, bytes, mask, warp, site): lanes whose source size is all `bytes`; the others have 0. A size between them is
 * refused: its bound check would have to look at fewer bytes than the copy has.
 */
const wholeOrNothing: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, imported, parameters: [sizes = [], bytes = [], mask = [], warp = [], site = []] }) => {
    const [rest, lane, whole, size] = Array.from({ length: 4 }, () => builder.local("i32")) as [number, number, number, number];
    return [
      set(whole, i32(0)),
      set(rest, mask),
      forEachLane(rest, lane, [
        set(size, load("i32.load", laneAt(sizes, get(lane)))),
        when(op("i32.ge_u", get(size), bytes), set(whole, op("i32.or", get(whole), op("i32.shl", i32(1), get(lane)))),
          when(get(size), call(imported("fault"), i32(faultCodes.refused), warp, site, get(lane)))),
      ]),
      get(whole),
    ];
  },
};

/** Numbers that generated code gives to the host with a fault. */
export const faultCodes = { trap: 0, refused: 1, divergent: 2, stackOverflow: 3, badStack: 4, outsideMask: 5 } as const;

/** copy_async_BYTES(mask, lanes that read): from the translated sources to the saved targets; the other lanes get zeroes. */
function copyAsync(bytes: 4 | 8 | 16): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [mask = [], reads = []] }) => {
      const [rest, lane, to] = Array.from({ length: 3 }, () => builder.local("i32")) as [number, number, number];
      const from = load("i32.load", laneAt(sources, get(lane)));
      const move = bytes === 16 ? store("v128.store", get(to), load("v128.load", from))
        : bytes === 8 ? store("i64.store", get(to), load("i64.load", from)) : store("i32.store", get(to), load("i32.load", from));
      const clear = bytes === 16 ? store("v128.store", get(to), splat32(0))
        : bytes === 8 ? store("i64.store", get(to), i64(0n)) : store("i32.store", get(to), i32(0));
      const isRead: Wasm = op("i32.and", op("i32.shr_u", reads, get(lane)), i32(1));
      return [
        set(rest, mask),
        forEachLane(rest, lane, [set(to, load("i32.load", laneAt(targets, get(lane)))), when(isRead, move, clear)]),
      ];
    },
  };
}

export const asyncLibrary: LibraryTable = {
  save_targets: saveTargets,
  whole_or_nothing: wholeOrNothing,
  copy_async_4: copyAsync(4), copy_async_8: copyAsync(8), copy_async_16: copyAsync(16),
};
