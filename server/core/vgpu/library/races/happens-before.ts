import { staticLayout, warpLayout } from "../../layout";
import { type Wasm, call, get, getGlobal, i32, load, op, set, when } from "../../wasm/code";
import { laneAt } from "../lanes";
import { type LibraryFunction, type LibraryTable, globals } from "../library";
import { fiveBits, firstCopy, infoBits, orderEvents, synchronizing } from "./race-words";

/**
 * Least interval id outside the stretch for which the host has to decide: any once blocks have synchronised;
 * else the older ones of this block, if it has another stretch; else only ids of copies.
 */
export function firstDoubt(warp: Wasm): Wasm {
  const flag = (offset: number): Wasm => load("i32.load", getGlobal(globals.static), offset);
  return op(
    "select",
    i32(0),
    op("select", load("i32.load", warp, warpLayout.begin), i32(firstCopy), flag(staticLayout.extended)),
    flag(staticLayout.acquired),
  );
}

/**
 * Answer for a recorded asynchronous copy: it must be complete as far as the warp knows. For the own warp's
 * copy another lane needs a synchronisation after the wait as well.
 */
function isCopyDone({ header, isOwn, sameLane, known }: RecordedAccess): Wasm {
  const hasSynchronized = op("i32.ne", header(warpLayout.interval), header(warpLayout.waitedAt));
  return op(
    "i32.and",
    known(warpLayout.copies),
    op("i32.or", op("i32.xor", isOwn, i32(1)), op("i32.or", sameLane, hasSynchronized)),
  );
}

/** Conditions about a recorded access. */
interface RecordedAccess {
  /** A word of the current warp's header. */
  readonly header: (offset: number) => Wasm;
  readonly isOwn: Wasm;
  readonly sameLane: Wasm;
  /** Whether the entry of a vector clock in the header covers its interval. */
  readonly known: (offset: number) => Wasm;
}

const answer = (value: Wasm): Wasm => [value, op("return")];

/**
 * Answers for an interval of the warp's own stretch. `met`: the host's answer for another lane of the warp.
 */
function answerInStretch(
  { header, isOwn, sameLane, known }: RecordedAccess,
  interval: Wasm,
  met: Wasm,
): Wasm {
  const isEarlier = op("i32.lt_u", interval, header(warpLayout.joined));
  return [
    when(op("i32.lt_u", interval, header(warpLayout.floor)), answer(i32(1))),
    when(op("i32.and", isOwn, op("i32.or", isEarlier, sameLane)), answer(i32(1))),
    when(known(warpLayout.known), answer(i32(1))),
    when(
      op("i32.and", isOwn, op("i32.ne", header(warpLayout.joined), header(warpLayout.interval))),
      answer(met),
    ),
    answer(i32(0)),
  ];
}

/**
 * race_ordered(warp, interval, info, lane): 1 if the recorded access happens before what the lane does now.
 */
const ordered: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ imported, builder, parameters: [warp = [], interval = [], info = [], lane = []] }) => {
    const from = builder.local("i32");
    const header = (offset: number): Wasm => load("i32.load", warp, offset);
    const order = (event: number, about: Wasm): Wasm =>
      call(imported("order"), i32(event), warp, interval, about);
    const access: RecordedAccess = {
      header,
      isOwn: op("i32.eq", get(from), header(warpLayout.warpIndex)),
      sameLane: op(
        "i32.or",
        op("i32.eq", fiveBits(info, infoBits.laneShift), lane),
        op("i32.ne", op("i32.and", info, i32(infoBits.several)), i32(0)),
      ),
      known: (offset) => op("i32.le_u", interval, load("i32.load", laneAt(warp, get(from)), offset)),
    };
    const inStretch = op(
      "i32.lt_u",
      op("i32.sub", interval, header(warpLayout.first)),
      op("i32.sub", header(warpLayout.end), header(warpLayout.first)),
    );
    const bothLanes = op("i32.or", lane, op("i32.shl", fiveBits(info, infoBits.laneShift), i32(5)));
    const isStrong = op("i32.and", info, i32(infoBits.strong | infoBits.atomic));
    return [
      when(
        op("i32.lt_u", interval, load("i32.load", getGlobal(globals.static), staticLayout.launchFloor)),
        answer(i32(1)),
      ),
      set(from, fiveBits(info, infoBits.warpShift)),
      when(op("i32.lt_s", interval, i32(0)), answer(isCopyDone(access))),
      when(inStretch, answerInStretch(access, interval, order(orderEvents.met, bothLanes))),
      when(op("i32.lt_u", interval, firstDoubt(warp)), answer(i32(0))),
      order(
        orderEvents.acquired,
        op("i32.or", get(from), op("select", i32(synchronizing), i32(0), isStrong)),
      ),
    ];
  },
};

export const happensBeforeLibrary: LibraryTable = { race_ordered: ordered };
