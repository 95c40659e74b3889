import { staticLayout } from "../../layout";
import {
  type MemoryOpcode,
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  fillMemory,
  get,
  getGlobal,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, addressVector, globals, wordLocals } from "../library";
import { forEachLane, laneAt } from "../lanes";

/** Bytes that one lane touches. */
type Size = 1 | 2 | 4 | 8 | 16;

/** Operations on one lane's shadow bytes: 1 in each byte that is written. */
interface Kind {
  readonly load: MemoryOpcode;
  readonly store: MemoryOpcode;
  readonly ones: Wasm;
  readonly and: "i32.and" | "i64.and" | "v128.and";
  readonly isWhole: (value: Wasm) => Wasm;
}

const wide: Kind = {
  load: "v128.load",
  store: "v128.store",
  ones: splat32(0x01010101),
  and: "v128.and",
  isWhole: (value) => op("i8x16.all_true", value),
};

function narrow(load: MemoryOpcode, store: MemoryOpcode, ones: number): Kind {
  return { load, store, ones: i32(ones), and: "i32.and", isWhole: (value) => op("i32.eq", value, i32(ones)) };
}

const eightOnes = i64(0x0101010101010101n);
const kinds: Readonly<Record<Size, Kind>> = {
  1: narrow("i32.load8_u", "i32.store8", 1),
  2: narrow("i32.load16_u", "i32.store16", 0x0101),
  4: narrow("i32.load", "i32.store", 0x01010101),
  8: {
    load: "i64.load",
    store: "i64.store",
    ones: eightOnes,
    and: "i64.and",
    isWhole: (value) => op("i64.eq", value, eightOnes),
  },
  16: wide,
};

/** Address of a byte's shadow, `shadow` bytes above it. */
function shadowOf(address: Wasm): Wasm {
  return op("i32.add", address, getGlobal(globals.shadow));
}

function addressOf(index: number): Wasm {
  return load("i32.load", getGlobal(globals.static), staticLayout.addresses + 4 * index);
}

/** Addresses of the 16-byte pieces of packed lanes, as an address and an offset. */
function pieces(size: Size): number[] {
  return Array.from({ length: 2 * size }, (_, index) => 16 * index);
}

/**
 * mark_written_SIZE(packed base or 0, mask): marks the bytes at the addresses of the last translation as
 * written.
 */
const markWritten = (size: Size): LibraryFunction => ({
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [base = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    const kind = kinds[size];
    const mark = (address: Wasm): Wasm => store(kind.store, shadowOf(address), kind.ones);
    return [
      when(base, [
        pieces(size).map((at) => store("v128.store", shadowOf(base), wide.ones, at)),
        op("return"),
      ]),
      when(op("i32.eq", mask, i32(-1)), [
        Array.from({ length: 32 }, (_, index) => mark(addressOf(index))),
        op("return"),
      ]),
      set(rest, mask),
      forEachLane(rest, lane, mark(load("i32.load", laneAt(addressVector, get(lane))))),
    ];
  },
});

/**
 * check_written_SIZE(warp, site, packed base or 0, mask): reports each active lane that reads an unwritten
 * byte.
 */
const checkWritten = (size: Size): LibraryFunction => ({
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], site = [], base = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    const kind = kinds[size];
    const look = (address: Wasm): Wasm => load(kind.load, shadowOf(address));
    const all = Array.from({ length: 32 }, (_, index) => look(addressOf(index))).reduce((left, right) =>
      op(kind.and, left, right),
    );
    const packed = pieces(size)
      .map((at) => load("v128.load", shadowOf(base), at))
      .reduce((left, right) => op("v128.and", left, right));
    return [
      when(
        base,
        when(wide.isWhole(packed), op("return")),
        when(op("i32.eq", mask, i32(-1)), when(kind.isWhole(all), op("return"))),
      ),
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        when(
          op("i32.eqz", kind.isWhole(look(load("i32.load", laneAt(addressVector, get(lane)))))),
          call(imported("uninitialized"), warp, site, get(lane)),
        ),
      ),
    ];
  },
});

/**
 * mark_written_lanes(bytes, mask) and check_written_lanes(warp, site, bytes, mask): the same for any size.
 */
const markLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [bytes = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    return [
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        fillMemory(shadowOf(load("i32.load", laneAt(addressVector, get(lane)))), i32(1), bytes),
      ),
    ];
  },
};

const checkLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], site = [], bytes = [], mask = []] }) => {
    const { rest, lane, at, end } = wordLocals(builder, "rest", "lane", "at", "end");
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, shadowOf(load("i32.load", laneAt(addressVector, get(lane))))),
        set(end, op("i32.add", get(at), bytes)),
        block(
          loop(
            when(op("i32.eqz", load("i32.load8_u", get(at))), [
              call(imported("uninitialized"), warp, site, get(lane)),
              branch(2),
            ]),
            branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(1))), get(end))),
          ),
        ),
      ]),
    ];
  },
};

const sizes: readonly Size[] = [1, 2, 4, 8, 16];

export const trackingLibrary: LibraryTable = {
  ...Object.fromEntries(
    sizes.flatMap((size) => [
      [`mark_written_${size}`, markWritten(size)],
      [`check_written_${size}`, checkWritten(size)],
    ]),
  ),
  mark_written_lanes: markLanes,
  check_written_lanes: checkLanes,
};

/** Whether there are functions for lanes of this size. */
export function isTrackedSize(bytes: number): boolean {
  return sizes.some((size) => size === bytes);
}
