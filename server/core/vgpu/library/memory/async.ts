import { staticLayout } from "../../layout";
import { type Wasm, get, getGlobal, i32, i64, load, op, set, splat32, store, when } from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, addressVector, globals, wordLocals } from "../library";
import { phaseBarrierLibrary } from "./phase-barriers";
import { forEachLane, laneAt } from "../lanes";

const targets = op("i32.add", getGlobal(globals.static), i32(staticLayout.targets));

/** save_targets(): saves the addresses of the last translation for the time of another one. */
const saveTargets: LibraryFunction = {
  signature: { parameters: [], results: [] },
  build: () =>
    Array.from({ length: 8 }, (_, chunk) =>
      store("v128.store", targets, load("v128.load", addressVector, 16 * chunk), 16 * chunk),
    ),
};

/** restore_targets(): restores the saved addresses. */
const restoreTargets: LibraryFunction = {
  signature: { parameters: [], results: [] },
  build: () =>
    Array.from({ length: 8 }, (_, chunk) =>
      store("v128.store", addressVector, load("v128.load", targets, 16 * chunk), 16 * chunk),
    ),
};

/** lanes_reading(sizes, least, limit, mask): the lanes whose size is at least `least` and below `limit`. */
const lanesReading: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [sizes = [], least = [], limit = [], mask = []] }) => {
    const { rest, lane, found, size } = wordLocals(builder, "rest", "lane", "found", "size");
    return [
      set(found, i32(0)),
      set(rest, mask),
      forEachLane(rest, lane, [
        set(size, load("i32.load", laneAt(sizes, get(lane)))),
        when(
          op("i32.and", op("i32.ge_u", get(size), least), op("i32.lt_u", get(size), limit)),
          set(found, op("i32.or", get(found), op("i32.shl", i32(1), get(lane)))),
        ),
      ]),
      get(found),
    ];
  },
};

/** lanes_with_bit(words, bit, mask): the lanes whose word has the bit. */
const lanesWithBit: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [words = [], bit = [], mask = []] }) => {
    const { rest, lane, found } = wordLocals(builder, "rest", "lane", "found");
    const has = op("i32.and", op("i32.shr_u", load("i32.load", laneAt(words, get(lane))), bit), i32(1));
    return [
      set(found, i32(0)),
      set(rest, mask),
      forEachLane(rest, lane, set(found, op("i32.or", get(found), op("i32.shl", has, get(lane))))),
      get(found),
    ];
  },
};

/**
 * last_addresses(addresses of 64 bits, sizes): the last byte of each lane's source, as 64-bit addresses in
 * the static area.
 */
const lastAddresses: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [addresses = [], sizes = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    const wideAt = (base: Wasm): Wasm => op("i32.add", base, op("i32.shl", get(lane), i32(3)));
    const last = op("i64.extend_i32_s", op("i32.sub", load("i32.load", laneAt(sizes, get(lane))), i32(1)));
    return [
      set(rest, i32(-1)),
      forEachLane(
        rest,
        lane,
        store(
          "i64.store",
          wideAt(getGlobal(globals.static)),
          op("i64.add", load("i64.load", wideAt(addresses)), last),
          staticLayout.fragment,
        ),
      ),
    ];
  },
};

/**
 * copy_part_BYTES(sizes, mask): copies the bytes that end at the translated addresses to the saved targets,
 * with zeroes after them.
 */
function copyPart(bytes: 4 | 8 | 16): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [sizes = [], mask = []] }) => {
      const { rest, lane, to, from, size } = wordLocals(builder, "rest", "lane", "to", "from", "size");
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(to, load("i32.load", laneAt(targets, get(lane)))),
          set(size, load("i32.load", laneAt(sizes, get(lane)))),
          set(
            from,
            op(
              "i32.sub",
              load("i32.load", laneAt(addressVector, get(lane))),
              op("i32.sub", get(size), i32(1)),
            ),
          ),
          Array.from({ length: bytes - 1 }, (_, at) =>
            when(
              op("i32.gt_u", get(size), i32(at)),
              store("i32.store8", get(to), load("i32.load8_u", get(from), at), at),
            ),
          ),
        ]),
      ];
    },
  };
}

/** Codes by which generated code reports a fault to the host. */
export const faultCodes = {
  trap: 0,
  divergent: 1,
  stackOverflow: 2,
  badStack: 3,
  outsideMask: 4,
  endless: 5,
  badMetadata: 6,
  unevenCopy: 7,
} as const;

/** Type that holds one lane's copy, by its bytes. */
const copyUnits = {
  4: { type: "i32", zero: i32(0) },
  8: { type: "i64", zero: i64(0n) },
  16: { type: "v128", zero: splat32(0) },
} as const;

/**
 * copy_async_BYTES(mask, reading lanes): copies from the translated sources to the saved targets. Active
 * lanes that do not read store zeroes.
 */
function copyAsync(bytes: 4 | 8 | 16): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [mask = [], reads = []] }) => {
      const { rest, lane, to } = wordLocals(builder, "rest", "lane", "to");
      const from = load("i32.load", laneAt(addressVector, get(lane)));
      const { type, zero } = copyUnits[bytes];
      const move = store(`${type}.store`, get(to), load(`${type}.load`, from));
      const clear = store(`${type}.store`, get(to), zero);
      const isRead: Wasm = op("i32.and", op("i32.shr_u", reads, get(lane)), i32(1));
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(to, load("i32.load", laneAt(targets, get(lane)))),
          when(isRead, move, clear),
        ]),
      ];
    },
  };
}

/**
 * copies_differ_BYTES(lanes, reading lanes, interval) → the lanes that copy a different value than the saved
 * target holds, or whose target was last touched by something other than a copy of the warp in the same group
 * (`interval`). The other party of each lane goes to the static area: see `race_write_word`.
 */
function copiesDiffer(bytes: 4 | 8 | 16): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
    build: ({ builder, parameters: [lanes = [], reads = [], interval = []] }) => {
      const { rest, lane, to, from, found } = wordLocals(builder, "rest", "lane", "to", "from", "found");
      const isRead: Wasm = op("i32.and", op("i32.shr_u", reads, get(lane)), i32(1));
      const differsAt = (at: number): Wasm =>
        op(
          "i32.ne",
          load("i32.load", get(to), at),
          op("select", load("i32.load", get(from), at), i32(0), isRead),
        );
      const differs = Array.from({ length: bytes / 4 }, (_, index) => differsAt(4 * index)).reduce(
        (all, each) => op("i32.or", all, each),
      );
      return [
        set(found, i32(0)),
        set(rest, lanes),
        forEachLane(rest, lane, [
          set(to, load("i32.load", laneAt(targets, get(lane)))),
          // Lanes that read nothing have no source: use their target instead.
          set(from, op("select", load("i32.load", laneAt(addressVector, get(lane))), get(to), isRead)),
          when(
            op(
              "i32.or",
              op(
                "i32.ne",
                load("i32.load", laneAt(getGlobal(globals.static), get(lane)), staticLayout.otherIntervals),
                interval,
              ),
              differs,
            ),
            set(found, op("i32.or", get(found), op("i32.shl", i32(1), get(lane)))),
          ),
        ]),
        get(found),
      ];
    },
  };
}

export const asyncLibrary: LibraryTable = {
  ...phaseBarrierLibrary,
  save_targets: saveTargets,
  restore_targets: restoreTargets,
  copies_differ_4: copiesDiffer(4),
  copies_differ_8: copiesDiffer(8),
  copies_differ_16: copiesDiffer(16),
  lanes_reading: lanesReading,
  lanes_with_bit: lanesWithBit,
  last_addresses: lastAddresses,
  copy_part_4: copyPart(4),
  copy_part_8: copyPart(8),
  copy_part_16: copyPart(16),
  copy_async_4: copyAsync(4),
  copy_async_8: copyAsync(8),
  copy_async_16: copyAsync(16),
};
