import { shadowPlanes } from "../device-shadow";
import { staticLayout, warpLayout } from "../layout";
import { type Wasm, branchIf, call, get, getGlobal, i32, load, loop, op, set, splat32, store, tee, when } from "../wasm/code";
import type { FunctionBuilder } from "../wasm/module";
import { type LibraryFunction, type LibraryTable, globals } from "./library";
import { infoBits, planeAt, whoMask } from "./race-words";

/** Locals of a fast path, as functions of their values. */
interface Fast {
  readonly at: number;
  readonly end: number;
  /** Descriptions of the four lanes or parts of lanes at work, and what to add for the next four. */
  readonly info: number;
  readonly step: number;
  readonly interval: number;
  readonly launch: number;
  readonly first: number;
  readonly span: number;
}

function fastLocals(builder: FunctionBuilder): Fast {
  const [at = 0, end = 0] = [builder.local("i32"), builder.local("i32")];
  const [info = 0, step = 0, interval = 0, launch = 0, first = 0, span = 0] = Array.from({ length: 6 }, () => builder.local("v128"));
  return { at, end, info, step, interval, launch, first, span };
}

/** Lanes of `bytes` (4, 8 or 16) lie packed from `base` on: the description of each word says which lane it belongs to. */
function prepare(fast: Fast, { warp, base, bytes, meta }: { warp: Wasm; base: Wasm; bytes: Wasm; meta: Wasm }): Wasm {
  const header = (offset: number): Wasm => load("i32.load", warp, offset);
  // 0, 1 or 2: lanes of 4, 8 or 16 bytes.
  const shift = op("i32.sub", op("i32.ctz", bytes), i32(2));
  const lanes = op("i32x4.shl", op("i32x4.shr_u", load("v128.load", getGlobal(globals.static), staticLayout.lane), shift), i32(infoBits.laneShift));
  const same = op("i32.or", op("i32.or", op("i32.and", meta, i32(infoBits.siteMask)), i32(15 << infoBits.bytesShift)),
    op("i32.shl", header(warpLayout.warpIndex), i32(infoBits.warpShift)));
  return [
    set(fast.at, base),
    set(fast.end, op("i32.add", base, op("i32.shl", bytes, i32(5)))),
    set(fast.info, op("i32x4.add", lanes, op("i32x4.splat", same))),
    set(fast.step, op("i32x4.splat", op("i32.shl", i32(1), op("i32.sub", i32(infoBits.laneShift + 2), shift)))),
    set(fast.interval, op("i32x4.splat", header(warpLayout.interval))),
    set(fast.launch, op("i32x4.splat", load("i32.load", getGlobal(globals.static), staticLayout.launchFloor))),
    set(fast.first, op("i32x4.splat", header(warpLayout.first))),
    set(fast.span, op("i32x4.splat", op("i32.sub", header(warpLayout.floor), header(warpLayout.first)))),
  ];
}

/** Of four recorded intervals: those before the launch, or of this block before its last full barrier. */
function passed(fast: Fast, intervals: Wasm): Wasm {
  return op("v128.or", op("i32x4.lt_u", intervals, get(fast.launch)),
    op("i32x4.lt_u", op("i32x4.sub", intervals, get(fast.first)), get(fast.span)));
}

/** Of four recorded accesses: those of the very same lane in this interval. */
function own(fast: Fast, intervals: Wasm, infoPlane: number): Wasm {
  const who = op("v128.and", op("v128.xor", load("v128.load", planeAt(get(fast.at), infoPlane)), get(fast.info)), splat32(whoMask));
  return op("v128.and", op("i32x4.eq", intervals, get(fast.interval)), op("i32x4.eq", who, splat32(0)));
}

/** Goes on with the next four words. */
function next(fast: Fast): Wasm {
  return [
    set(fast.info, op("i32x4.add", get(fast.info), get(fast.step))),
    branchIf(0, op("i32.lt_u", tee(fast.at, op("i32.add", get(fast.at), i32(16))), get(fast.end))),
  ];
}

/** Whether the fast path may try: packed whole words of ordinary loads and stores. */
function isSimple(base: Wasm, bytes: Wasm, meta: Wasm): Wasm {
  const flags = op("i32.and", meta, i32(infoBits.strong | infoBits.atomic));
  return op("i32.and", op("i32.ne", base, i32(0)), op("i32.and", op("i32.ge_u", bytes, i32(4)), op("i32.eqz", flags)));
}

/**
 * race_read(warp, packed base or 0, bytes, mask, meta): the lanes at the last translation's addresses read. `meta` is the number of the
 * site with the flags of `infoBits`.
 */
const raceRead: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, require, parameters: [warp = [], base = [], bytes = [], mask = [], meta = []] }) => {
    const fast = fastLocals(builder);
    const [words, isPast] = [builder.local("v128"), builder.local("v128")];
    const slow = [call(require("race_read_lanes"), warp, bytes, mask, meta), op("return")];
    const plane = (number: number): Wasm => load("v128.load", planeAt(get(fast.at), number));
    const keep = (number: number, value: Wasm): Wasm => store("v128.store", planeAt(get(fast.at), number), value);
    const { reader, readerInfo, lastReader, lastReaderInfo, writer, writerInfo } = shadowPlanes;
    return [
      when(op("i32.eqz", isSimple(base, bytes, meta)), slow),
      prepare(fast, { warp, base, bytes, meta }),
      loop(
        set(words, plane(writer)),
        set(isPast, passed(fast, get(words))),
        when(op("i32.eqz", op("i32x4.all_true", get(isPast))),
          when(op("i32.eqz", op("i32x4.all_true", op("v128.or", get(isPast), own(fast, get(words), writerInfo)))), slow)),
        set(words, plane(reader)),
        set(isPast, op("v128.or", passed(fast, get(words)), own(fast, get(words), readerInfo))),
        when(op("i32x4.all_true", get(isPast)), [
          keep(reader, get(fast.interval)),
          keep(readerInfo, get(fast.info)),
        ], [
          keep(reader, op("v128.bitselect", get(fast.interval), get(words), get(isPast))),
          keep(readerInfo, op("v128.bitselect", get(fast.info), plane(readerInfo), get(isPast))),
          keep(lastReader, op("v128.bitselect", plane(lastReader), get(fast.interval), get(isPast))),
          keep(lastReaderInfo, op("v128.bitselect", plane(lastReaderInfo), get(fast.info), get(isPast))),
        ]),
        next(fast),
      ),
    ];
  },
};

/** race_write(warp, packed base or 0, bytes, mask, meta) → lanes in conflict with a recorded access; see `race_confirm`. */
const raceWrite: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, require, parameters: [warp = [], base = [], bytes = [], mask = [], meta = []] }) => {
    const fast = fastLocals(builder);
    const isPast = builder.local("v128");
    const slow = [call(require("race_write_lanes"), warp, bytes, mask, meta, load("i32.load", warp, warpLayout.interval)), op("return")];
    const plane = (number: number): Wasm => load("v128.load", planeAt(get(fast.at), number));
    const { writer, reader, lastReader } = shadowPlanes;
    const all = (test: (number: number) => Wasm): Wasm => [writer, reader, lastReader].map(test).reduce((left, right) => op("v128.and", left, right));
    const thorough = (number: number): Wasm => op("v128.or", passed(fast, plane(number)), own(fast, plane(number), number + 1));
    return [
      when(op("i32.eqz", isSimple(base, bytes, meta)), slow),
      prepare(fast, { warp, base, bytes, meta }),
      loop(
        set(isPast, all((number) => passed(fast, plane(number)))),
        when(op("i32.eqz", op("i32x4.all_true", get(isPast))), when(op("i32.eqz", op("i32x4.all_true", all(thorough))), slow)),
        store("v128.store", planeAt(get(fast.at), writer), get(fast.interval)),
        store("v128.store", planeAt(get(fast.at), writer + 1), get(fast.info)),
        next(fast),
      ),
      i32(0),
    ];
  },
};

export const raceLibrary: LibraryTable = { race_read: raceRead, race_write: raceWrite };
