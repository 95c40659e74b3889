import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  get,
  getGlobal,
  i32,
  lane,
  laneMemory,
  lanes32,
  load,
  loop,
  op,
  set,
  shuffle,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { followingWords, swappedLongs } from "../../wasm/shuffles";
import { type LibraryContext, globals, vectorLocals, wordLocals } from "../library";
import { firstDoubt } from "./happens-before";
import { infoBits, planeAt, warpMask, whoMask } from "./race-words";
import { laneAt } from "../lanes";

/** Bytes of a lane. A unit is four words: those of 4, 2 or 1 lanes. */
export type UnitBytes = 4 | 8 | 16;

/** What recorded accesses are compared with, as splat vector locals. `race_ordered` has the full rules. */
export interface Clock {
  readonly launch: number;
  readonly first: number;
  /** Intervals of the stretch: those before the last block-wide barrier, and all. */
  readonly span: number;
  readonly length: number;
  readonly interval: number;
  /**
   * The first interval after all lanes of the warp last synchronised, and the number from it to the current
   * one.
   */
  readonly joined: number;
  readonly pending: number;
  /** Least interval outside the stretch that may be ordered: see `firstDoubt`. */
  readonly limit: number;
  /** Infos of the current accesses to the unit's words, and what to add for the next unit. */
  readonly info: number;
  readonly step: number;
  /** Recorded intervals and infos, and whether they are ordered. */
  readonly words: number;
  readonly other: number;
  readonly isOrdered: number;
}

/** The words of a unit, in each plane of the shadow memory. */
export interface Unit {
  load(plane: number): Wasm;
  store(plane: number, value: Wasm): Wasm;
}

/** Operands of a function that checks units. */
interface UnitAccess {
  readonly warp: Wasm;
  readonly meta: Wasm;
}

export function clockLocals(builder: FunctionBuilder): Clock {
  return vectorLocals(
    builder,
    "launch",
    "first",
    "span",
    "length",
    "interval",
    "joined",
    "pending",
    "limit",
    "info",
    "step",
    "words",
    "other",
    "isOrdered",
  );
}

/** Sets the clock's locals for a warp's access of `bytes` for each lane. */
export function readClock(clock: Clock, bytes: UnitBytes, { warp, meta }: UnitAccess): Wasm {
  const header = (offset: number): Wasm => load("i32.load", warp, offset);
  const vector = (local: number, value: Wasm): Wasm => set(local, op("i32x4.splat", value));
  const shift = Math.log2(bytes) - 2;
  const lanes = op(
    "i32x4.shl",
    op("i32x4.shr_u", load("v128.load", getGlobal(globals.static), staticLayout.lane), i32(shift)),
    i32(infoBits.laneShift),
  );
  const same = op(
    "i32.or",
    op("i32.or", meta, i32(15 << infoBits.bytesShift)),
    op("i32.shl", header(warpLayout.warpIndex), i32(infoBits.warpShift)),
  );
  return [
    vector(clock.launch, load("i32.load", getGlobal(globals.static), staticLayout.launchFloor)),
    vector(clock.first, header(warpLayout.first)),
    vector(clock.span, op("i32.sub", header(warpLayout.floor), header(warpLayout.first))),
    vector(clock.length, op("i32.sub", header(warpLayout.end), header(warpLayout.first))),
    vector(clock.interval, header(warpLayout.interval)),
    vector(clock.joined, header(warpLayout.joined)),
    vector(clock.pending, op("i32.sub", header(warpLayout.interval), header(warpLayout.joined))),
    vector(clock.limit, firstDoubt(warp)),
    set(clock.info, op("v128.or", lanes, op("i32x4.splat", same))),
    vector(clock.step, i32(1 << (infoBits.laneShift + 2 - shift))),
  ];
}

/**
 * Which of four recorded intervals lie before the launch, or before the last block-wide barrier of this
 * block.
 */
export function passed(clock: Clock, intervals: Wasm): Wasm {
  return op(
    "v128.or",
    op("i32x4.lt_u", intervals, get(clock.launch)),
    op("i32x4.lt_u", op("i32x4.sub", intervals, get(clock.first)), get(clock.span)),
  );
}

/** Which intervals at `words` are in the warp's stretch. */
function isInside(clock: Clock): Wasm {
  return op("i32x4.lt_u", op("i32x4.sub", get(clock.words), get(clock.first)), get(clock.length));
}

/**
 * Sets `isOrdered` for the recorded accesses at `words` and `other`, for a warp that has synchronised by
 * block-wide barriers only. An access that it calls unordered may be ordered after all: see `isDoubtful`.
 */
export function judge(context: LibraryContext, clock: Clock, warp: Wasm): Wasm {
  const { words, other, isOrdered } = clock;
  const equal = (bits: number): Wasm =>
    op("i32x4.eq", op("v128.and", op("v128.xor", get(other), get(clock.info)), splat32(bits)), splat32(0));
  const own = op(
    "v128.and",
    equal(warpMask),
    op("v128.or", op("i32x4.lt_u", get(words), get(clock.joined)), equal(whoMask)),
  );
  return [
    set(isOrdered, op("v128.or", passed(clock, get(words)), op("v128.and", isInside(clock), own))),
    when(
      op("i32x4.bitmask", get(words)),
      set(
        isOrdered,
        op(
          "v128.or",
          get(isOrdered),
          call(context.require("race_landed"), warp, get(words), get(other), get(clock.info)),
        ),
      ),
    ),
  ];
}

/** Whether one of the accesses at `words` may be ordered although `isOrdered` says it is not. */
export function isDoubtful(clock: Clock): Wasm {
  const elsewhere = op("v128.andnot", op("i32x4.ge_u", get(clock.words), get(clock.limit)), isInside(clock));
  const since = op("i32x4.lt_u", op("i32x4.sub", get(clock.words), get(clock.joined)), get(clock.pending));
  return op("v128.any_true", op("v128.andnot", op("v128.or", elsewhere, since), get(clock.isOrdered)));
}

/** Consecutive words. */
function packedUnit(at: number): Unit {
  return {
    load: (plane) => load("v128.load", planeAt(get(at), plane)),
    store: (plane, value) => store("v128.store", planeAt(get(at), plane), value),
  };
}

/** Four words, or two pairs of words, at separate addresses. */
function scatteredUnit(builder: FunctionBuilder, places: readonly number[]): Unit {
  const value = builder.local("v128");
  const isPairs = places.length === 2;
  const [first = 0, ...others] = places;
  return {
    load: (plane) =>
      others.reduce(
        (vector, place, index) =>
          laneMemory(isPairs ? "v128.load64_lane" : "v128.load32_lane", index + 1, [
            planeAt(get(place), plane),
            vector,
          ]),
        load(isPairs ? "v128.load64_zero" : "v128.load32_zero", planeAt(get(first), plane)),
      ),
    store: (plane, stored) => [
      set(value, stored),
      places.map((place, index) =>
        laneMemory(isPairs ? "v128.store64_lane" : "v128.store32_lane", index, [
          planeAt(get(place), plane),
          get(value),
        ]),
      ),
    ],
  };
}

/** What to do with each unit of an access. */
interface UnitWork {
  /** Checks a whole unit; branches to depth 1 if it has to be checked lane by lane. */
  readonly whole: (unit: Unit) => Wasm;
  /** Checks single lanes; `lanes` is their bit mask. */
  readonly single: (lanes: Wasm) => Wasm;
  /** Of consecutive lanes with the same address only the first and the last matter. */
  readonly skipsSame: boolean;
}

const addresses = op("i32.add", getGlobal(globals.static), i32(staticLayout.addresses));

/**
 * Whether the active lanes on both sides of a unit, whose lanes all have the address `at`, have it as well.
 */
function isInsideRun({ mask, from, lanes, at }: { mask: Wasm; from: Wasm; lanes: number; at: Wasm }): Wasm {
  const before = op(
    "i32.and",
    op("i32.shr_u", op("i32.shl", mask, i32(1)), from),
    op("i32.eq", at, load("i32.load", op("i32.sub", laneAt(addresses, from), i32(4)))),
  );
  const after = op(
    "i32.and",
    op("i32.shr_u", op("i32.shr_u", mask, i32(1)), op("i32.add", from, i32(lanes - 1))),
    op("i32.eq", at, load("i32.load", laneAt(addresses, from), 4 * lanes)),
  );
  return op("i32.and", before, after);
}

/** A unit's addresses: one local for each lane, and all four in a vector where lanes have 4 bytes. */
interface UnitPlaces {
  readonly bytes: UnitBytes;
  readonly places: readonly number[];
  /** The first lane of the unit. */
  readonly from: number;
  readonly vector: number;
}

/** Loads the addresses of the unit at lane `from`. */
function loadPlaces({ bytes, places, from, vector }: UnitPlaces): Wasm {
  return [
    bytes === 4 ? set(vector, load("v128.load", laneAt(addresses, get(from)))) : [],
    places.map((place, index) =>
      set(
        place,
        bytes === 4
          ? lane("i32x4.extract_lane", index, get(vector))
          : load("i32.load", laneAt(addresses, get(from)), 4 * index),
      ),
    ),
  ];
}

/** How the addresses of a unit of several lanes relate to each other. */
interface UnitShape {
  /** They are consecutive. */
  readonly isPacked: Wasm;
  /** Two of them are equal. */
  readonly isTwice: Wasm;
  /** All of them are equal, in a unit where two are. */
  readonly isSame: Wasm;
}

function shapeOf({ bytes, places, vector }: UnitPlaces): UnitShape {
  const [at = 0, second = 0] = places;
  if (bytes === 8)
    return {
      isPacked: op("i32.eq", get(second), op("i32.add", get(at), i32(8))),
      isTwice: op("i32.eq", get(second), get(at)),
      isSame: i32(1),
    };
  const splat = op("i32x4.splat", get(at));
  const twice = (order: Uint8Array): Wasm =>
    op("i32x4.eq", get(vector), shuffle(get(vector), get(vector), order));
  return {
    isPacked: op(
      "i32x4.all_true",
      op("i32x4.eq", get(vector), op("i32x4.add", splat, lanes32([0, 4, 8, 12]))),
    ),
    isTwice: op("v128.any_true", op("v128.or", twice(followingWords), twice(swappedLongs))),
    isSame: op("i32x4.all_true", op("i32x4.eq", get(vector), splat)),
  };
}

/**
 * Checks the lanes of an access unit by unit. A unit with inactive lanes, or that touches a word twice, is
 * checked lane by lane.
 */
export function forEachUnit(
  { builder }: LibraryContext,
  clock: Clock,
  { bytes, mask, work }: { bytes: UnitBytes; mask: Wasm; work: UnitWork },
): Wasm {
  const lanes = 16 / bytes;
  const places = Array.from({ length: lanes }, () => builder.local("i32"));
  const [at = 0] = places;
  const { from, active } = wordLocals(builder, "from", "active");
  const unit: UnitPlaces = { bytes, places, from, vector: builder.local("v128") };
  const run = isInsideRun({ mask, from: get(from), lanes, at: get(at) });
  const skip = (depth: number, isSame: Wasm): Wasm =>
    work.skipsSame ? branchIf(depth, op("i32.and", isSame, run)) : [];
  // Branches inside: depth 0 ends the piece itself, 1 checks lane by lane, 2 continues with the next unit.
  const packed = [work.whole(packedUnit(at)), branch(2)];
  const several = (): Wasm => {
    const { isPacked, isTwice, isSame } = shapeOf(unit);
    return [
      when(isPacked, packed),
      when(isTwice, [skip(2, isSame), branch(1)]),
      block(work.whole(scatteredUnit(builder, places)), branch(2)),
    ];
  };
  const allActive = i32((1 << lanes) - 1);
  return [
    set(from, i32(0)),
    loop(
      block(
        block(
          branchIf(1, op("i32.eqz", tee(active, op("i32.and", op("i32.shr_u", mask, get(from)), allActive)))),
          branchIf(0, op("i32.ne", get(active), allActive)),
          loadPlaces(unit),
          bytes === 16 ? [skip(1, i32(1)), block(packed)] : several(),
        ),
        work.single(op("i32.shl", get(active), get(from))),
      ),
      set(clock.info, op("i32x4.add", get(clock.info), get(clock.step))),
      branchIf(0, op("i32.lt_u", tee(from, op("i32.add", get(from), i32(lanes))), i32(32))),
    ),
  ];
}
