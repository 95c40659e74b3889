import { shadowPlanes } from "../../memory/device-shadow";
import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  call,
  choose,
  get,
  getGlobal,
  i32,
  lane,
  load,
  op,
  set,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryContext, type LibraryFunction, type LibraryTable, globals } from "../library";
import {
  type Clock,
  type Unit,
  type UnitBytes,
  clockLocals,
  forEachUnit,
  isDoubtful,
  judge,
  passed,
  readClock,
} from "./race-units";
import { infoBits, warpMask, whoMask } from "./race-words";
import { laneAt } from "../lanes";

const { reader, readerInfo, lastReader, lastReaderInfo, writer, writerInfo } = shadowPlanes;
const hidden = load("i32.load", getGlobal(globals.static), staticLayout.hidden);

/** Loads a recorded access and judges it; returns 1 if the accesses of all four words are ordered. */
function areOrdered(
  context: LibraryContext,
  { clock, unit, warp }: { clock: Clock; unit: Unit; warp: Wasm },
  plane: number,
): Wasm {
  return [
    set(clock.words, unit.load(plane)),
    choose("i32", op("i32x4.all_true", passed(clock, get(clock.words))), i32(1), [
      set(clock.other, unit.load(plane + 1)),
      judge(context, clock, warp),
      op("i32x4.all_true", get(clock.isOrdered)),
    ]),
  ];
}

/** Checks reads of a unit's words at once, or one by one if a writer may conflict; see `race_read_word`. */
function readUnit(context: LibraryContext, clock: Clock, warp: Wasm): (unit: Unit) => Wasm {
  const { words, other, isOrdered, interval, info } = clock;
  return (unit) => {
    const isHiding = op(
      "v128.any_true",
      op("v128.and", unit.load(lastReaderInfo), splat32(infoBits.several)),
    );
    const record = (plane: number, value: Wasm): Wasm => [unit.store(plane, value)];
    return [
      branchIf(1, op("i32.eqz", areOrdered(context, { clock, unit, warp }, writer))),
      branchIf(1, choose("i32", hidden, isHiding, i32(0))),
      set(words, unit.load(reader)),
      when(
        op("i32x4.all_true", passed(clock, get(words))),
        [record(reader, get(interval)), record(readerInfo, get(info))],
        [
          set(other, unit.load(readerInfo)),
          judge(context, clock, warp),
          branchIf(2, isDoubtful(clock)),
          when(
            op("v128.any_true", get(isOrdered)),
            [
              record(reader, op("v128.bitselect", get(interval), get(words), get(isOrdered))),
              record(readerInfo, op("v128.bitselect", get(info), get(other), get(isOrdered))),
              record(lastReader, op("v128.bitselect", unit.load(lastReader), get(interval), get(isOrdered))),
              record(
                lastReaderInfo,
                op("v128.bitselect", unit.load(lastReaderInfo), get(info), get(isOrdered)),
              ),
            ],
            [record(lastReader, get(interval)), record(lastReaderInfo, get(info))],
          ),
        ],
      ),
    ];
  };
}

/**
 * race_read_SIZE(warp, mask, meta): checks reads at the addresses of the last translation. `meta`: site index
 * and flags of `infoBits`.
 */
const raceRead = (bytes: UnitBytes): LibraryFunction => ({
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: (context) => {
    const {
      builder,
      require,
      parameters: [warp = [], mask = [], meta = []],
    } = context;
    const clock = clockLocals(builder);
    const single = (lanes: Wasm): Wasm =>
      call(require("race_read_lanes"), warp, i32(bytes), lanes, mask, meta);
    return [
      when(load("i32.load", warp, warpLayout.isAhead), [single(mask), op("return")]),
      readClock(clock, bytes, { warp, meta }),
      forEachUnit(context, clock, {
        bytes,
        mask,
        work: { whole: readUnit(context, clock, warp), single, skipsSame: true },
      }),
    ];
  },
});

/**
 * Checks stores or atomics to a unit's words at once, or one by one if another access may conflict; see
 * `race_write_word`.
 */
function writeUnit(
  context: LibraryContext,
  clock: Clock,
  { warp, recorded, isAtomic }: { warp: Wasm; recorded: number; isAtomic: boolean },
): (unit: Unit) => Wasm {
  const { words, other, isOrdered, info } = clock;
  return (unit) => {
    const isClear = (plane: number): Wasm =>
      isAtomic
        ? [
            set(words, unit.load(plane)),
            choose("i32", op("i32x4.all_true", passed(clock, get(words))), i32(1), [
              set(other, unit.load(plane + 1)),
              judge(context, clock, warp),
              // Atomics do not conflict with each other.
              op("i32x4.all_true", op("v128.or", get(isOrdered), op("i32x4.lt_s", get(other), splat32(0)))),
            ]),
          ]
        : areOrdered(context, { clock, unit, warp }, plane);
    return [
      [reader, lastReader, writer].map((plane) => branchIf(1, op("i32.eqz", isClear(plane)))),
      // An atomic must not hide the previous writer from later accesses: keep it as a reader.
      !isAtomic
        ? []
        : [
            set(words, unit.load(writer)),
            when(op("v128.any_true", tee(isOrdered, op("i32x4.ne", get(words), splat32(0)))), [
              unit.store(lastReader, op("v128.bitselect", get(words), unit.load(lastReader), get(isOrdered))),
              unit.store(
                lastReaderInfo,
                op(
                  "v128.bitselect",
                  op("v128.or", unit.load(writerInfo), splat32(infoBits.several)),
                  unit.load(lastReaderInfo),
                  get(isOrdered),
                ),
              ),
              store("i32.store", getGlobal(globals.static), i32(1), staticLayout.hidden),
            ]),
          ],
      unit.store(writer, get(recorded)),
      unit.store(writerInfo, get(info)),
    ];
  };
}

/**
 * race_write_SIZE and race_update_SIZE(warp, mask, meta, interval) → mask of the lanes in conflict with a
 * recorded access; see `race_confirm`. The second is for atomics. Records the access under `interval`.
 */
const raceWrite = (bytes: UnitBytes, isAtomic: boolean): LibraryFunction => ({
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: (context) => {
    const {
      builder,
      require,
      parameters: [warp = [], mask = [], meta = [], interval = []],
    } = context;
    const clock = clockLocals(builder);
    const [recorded, found] = [builder.local("v128"), builder.local("i32")];
    const lanesFound = (lanes: Wasm): Wasm =>
      call(require("race_write_lanes"), warp, i32(bytes), lanes, meta, interval);
    return [
      when(load("i32.load", warp, warpLayout.isAhead), [lanesFound(mask), op("return")]),
      readClock(clock, bytes, { warp, meta }),
      set(recorded, op("i32x4.splat", interval)),
      forEachUnit(context, clock, {
        bytes,
        mask,
        work: {
          whole: writeUnit(context, clock, { warp, recorded, isAtomic }),
          single: (lanes) => set(found, op("i32.or", get(found), lanesFound(lanes))),
          skipsSame: false,
        },
      }),
      get(found),
    ];
  },
});

/**
 * race_landed(warp, intervals, infos, own infos) → which recorded accesses are asynchronous copies that are
 * known to be complete.
 */
const landed: LibraryFunction = {
  signature: { parameters: ["i32", "v128", "v128", "v128"], results: ["v128"] },
  build: ({ builder, parameters: [warp = [], intervals = [], others = [], info = []] }) => {
    const known = builder.local("v128");
    const warpOf = (index: number): Wasm =>
      op(
        "i32.and",
        op("i32.shr_u", lane("i32x4.extract_lane", index, others), i32(infoBits.warpShift)),
        i32(31),
      );
    const header = (offset: number): Wasm => load("i32.load", warp, offset);
    const apart = (bits: number): Wasm => op("v128.and", op("v128.xor", others, info), splat32(bits));
    const isWaited = op(
      "i32x4.splat",
      op("i32.sub", i32(0), op("i32.ne", header(warpLayout.interval), header(warpLayout.waitedAt))),
    );
    return [
      [0, 1, 2, 3].map((index) =>
        set(
          known,
          lane(
            "i32x4.replace_lane",
            index,
            get(known),
            load("i32.load", laneAt(warp, warpOf(index)), warpLayout.copies),
          ),
        ),
      ),
      op(
        "v128.and",
        op("v128.and", op("i32x4.lt_s", intervals, splat32(0)), op("i32x4.le_u", intervals, get(known))),
        op(
          "v128.or",
          isWaited,
          op(
            "v128.or",
            op("i32x4.ne", apart(warpMask), splat32(0)),
            op("i32x4.eq", apart(whoMask), splat32(0)),
          ),
        ),
      ),
    ];
  },
};

export const raceLibrary: LibraryTable = {
  race_read_4: raceRead(4),
  race_read_8: raceRead(8),
  race_read_16: raceRead(16),
  race_landed: landed,
  race_write_4: raceWrite(4, false),
  race_write_8: raceWrite(8, false),
  race_write_16: raceWrite(16, false),
  race_update_4: raceWrite(4, true),
  race_update_8: raceWrite(8, true),
  race_update_16: raceWrite(16, true),
};
