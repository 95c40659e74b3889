import { staticLayout } from "../../layout";
import {
  type MemoryOpcode,
  type Wasm,
  get,
  getGlobal,
  i32,
  load,
  op,
  set,
  store,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";
import { forEachLane, laneAt } from "../lanes";

type Size = 1 | 2 | 4 | 8;

const loads: Readonly<Record<Size, MemoryOpcode>> = {
  1: "i32.load8_u",
  2: "i32.load16_u",
  4: "i32.load",
  8: "i64.load",
};
const stores: Readonly<Record<Size, MemoryOpcode>> = {
  1: "i32.store8",
  2: "i32.store16",
  4: "i32.store",
  8: "i64.store",
};

/**
 * noting_scatter_SIZE(source, byte offset of the element, mask, conflicts) → which of the conflicting lanes
 * change memory. Stores like scatter_SIZE, lane by lane.
 */
function notingScatter(bytes: Size, stride: 4 | 8): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
    build: ({ builder, parameters: [source = [], element = [], mask = [], conflicts = []] }) => {
      const { rest, lane, at, changed } = wordLocals(builder, "rest", "lane", "at", "changed");
      const before = load(loads[bytes], get(at));
      const register = op("i32.add", source, op("i32.mul", get(lane), i32(stride)));
      const value = load(bytes === 8 ? "i64.load" : "i32.load", register);
      const kept: Wasm = bytes < 4 ? op("i32.and", value, i32(bytes === 1 ? 0xff : 0xffff)) : value;
      const isConflict = op("i32.and", op("i32.shr_u", conflicts, get(lane)), i32(1));
      return [
        set(rest, mask),
        set(changed, i32(0)),
        forEachLane(rest, lane, [
          set(
            at,
            op(
              "i32.add",
              load("i32.load", laneAt(getGlobal(globals.static), get(lane)), staticLayout.addresses),
              element,
            ),
          ),
          when(
            op("i32.and", isConflict, op(bytes === 8 ? "i64.ne" : "i32.ne", before, kept)),
            set(changed, op("i32.or", get(changed), op("i32.shl", i32(1), get(lane)))),
          ),
          store(stores[bytes], get(at), value),
        ]),
        get(changed),
      ];
    },
  };
}

export const raceStoreLibrary: LibraryTable = {
  noting_scatter_8: notingScatter(1, 4),
  noting_scatter_16: notingScatter(2, 4),
  noting_scatter_32: notingScatter(4, 4),
  noting_scatter_64: notingScatter(8, 8),
  noting_scatter_8_64: notingScatter(1, 8),
  noting_scatter_16_64: notingScatter(2, 8),
  noting_scatter_32_64: notingScatter(4, 8),
};
