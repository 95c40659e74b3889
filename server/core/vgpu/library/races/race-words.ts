import { shadowPlanes } from "../../memory/device-shadow";
import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  call,
  get,
  getGlobal,
  i32,
  load,
  loop,
  branchIf,
  op,
  set,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "../library";
import { forEachLane } from "../memory/memory";
import { laneAt } from "../warp/warp";

/**
 * How races are found. Time is cut into intervals: each warp is in one, which ends when the warp synchronises
 * (`interval` in its header). Numbers grow; those of one block come from stretches of its own. For each
 * 32-bit word the shadow holds who wrote it last and two of those who read it: the interval, and a
 * description of 32 bits that says which instruction, lane and warp it was and which bytes it touched. An
 * access is ordered behind a recorded one when the launch is a later one, when a barrier of the whole block
 * lies between, when it is the same warp in a later interval or the same lane, or when a barrier, fence and
 * atomic (or a wait, for an asynchronous copy) made it known.
 */
export const infoBits = {
  /** Number of the memory site; the last one stands for all above. */
  siteMask: 0x7fff,
  /**
   * Several threads of the warp stored the same. Among readers: this is an older writer, which an atomic took
   * the place of.
   */
  several: 0x8000,
  /** Bytes of the word. */
  bytesShift: 16,
  laneShift: 20,
  warpShift: 25,
  /** The access takes part in synchronisation: volatile, relaxed, acquire or release. */
  strong: 1 << 30,
  atomic: 1 << 31,
} as const;

/** Lane and warp of a description. */
export const whoMask = 0x3ff0_0000;
/** Warp of a description. */
export const warpMask = 0x3e00_0000;
/** Intervals from here on are groups of asynchronous copies. */
export const firstCopy = 0x8000_0000 | 0;

const { siteMask, bytesShift, laneShift, warpShift } = infoBits;
const fiveBits = (value: Wasm, shift: number): Wasm =>
  op("i32.and", op("i32.shr_u", value, i32(shift)), i32(31));

/** Address of a word's entry in one of the shadow's planes. */
export function planeAt(word: Wasm, plane: number): Wasm {
  return op("i32.add", word, op("i32.mul", getGlobal(globals.shadow), i32(plane)));
}

/**
 * What is told of a fence, or of a release that works as one: whether it is for other blocks too, and the
 * index of its `.loc` (-1: none).
 */
export function fenceOperand(isForAll: boolean, location: number): number {
  return ((location + 1) << 1) | (isForAll ? 1 : 0);
}

/**
 * What generated code asks of or tells the host about the order of things: the first operand of the import
 * `order`.
 */
export const orderEvents = {
  /**
   * (warp, interval, other warp's number, with `synchronizing` when the access synchronised) → 1 when that
   * interval of another block, or of another stretch, is known to be over.
   */
  acquired: 0,
  /** A block starts → its first interval. */
  begin: 1,
  /** (warp) → a fresh interval, the stretch having come to its end. */
  extend: 2,
  /** (warp, see `fenceOperand`): a fence. */
  fence: 3,
  /** (warp, linear address, ways): see `waysOf`. */
  synchronize: 4,
  /** (warp) → the group that a copy started now belongs to. */
  copy: 5,
  commit: 6,
  /** (warp, groups that may be under way). */
  wait: 7,
  /** All warps have met: they know of each other's copies. */
  shareCopies: 8,
  /**
   * (warp, lanes at work, linear address of their member masks): some lanes of a warp synchronise with some.
   */
  meet: 9,
  /**
   * (warp, interval, lane and other lane in two times five bits) → 1 when the lane knows that interval of the
   * other to be over.
   */
  met: 10,
} as const;

/** Mark beside a warp's number: the recorded access was an atomic or a strong one. */
export const synchronizing = 32;

/**
 * How an access synchronises. A relaxed one acquires with the next fence; volatile ones and atomics without
 * order are taken to acquire at once. With "copies", a barrier object is told of the asynchronous copies that
 * the warp has started: who acquires it has waited for them.
 */
export const waysOf = { acquire: 1, release: 2, acquireLater: 4, copies: 8 } as const;

/**
 * The first interval that may be ordered though it is of another stretch: any once blocks have synchronised,
 * else older ones of this block, else copies.
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
 * race_ordered(warp, interval, info, lane): 1 when the recorded access comes before whatever the lane does
 * now.
 */
const ordered: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ imported, builder, parameters: [warp = [], interval = [], info = [], lane = []] }) => {
    const from = builder.local("i32");
    const header = (offset: number): Wasm => load("i32.load", warp, offset);
    const isOwn = op("i32.eq", get(from), header(warpLayout.warpIndex));
    const sameLane = op(
      "i32.or",
      op("i32.eq", fiveBits(info, laneShift), lane),
      op("i32.ne", op("i32.and", info, i32(infoBits.several)), i32(0)),
    );
    const known = (offset: number): Wasm =>
      op("i32.le_u", interval, load("i32.load", laneAt(warp, get(from)), offset));
    const answer = (value: Wasm): Wasm => [value, op("return")];
    const inStretch = op(
      "i32.lt_u",
      op("i32.sub", interval, header(warpLayout.first)),
      op("i32.sub", header(warpLayout.end), header(warpLayout.first)),
    );
    return [
      when(
        op("i32.lt_u", interval, load("i32.load", getGlobal(globals.static), staticLayout.launchFloor)),
        answer(i32(1)),
      ),
      set(from, fiveBits(info, warpShift)),
      when(
        op("i32.lt_s", interval, i32(0)),
        answer(
          op(
            "i32.and",
            known(warpLayout.copies),
            op(
              "i32.or",
              op("i32.xor", isOwn, i32(1)),
              op("i32.or", sameLane, op("i32.ne", header(warpLayout.interval), header(warpLayout.waitedAt))),
            ),
          ),
        ),
      ),
      when(inStretch, [
        when(op("i32.lt_u", interval, header(warpLayout.floor)), answer(i32(1))),
        when(
          op("i32.and", isOwn, op("i32.or", op("i32.lt_u", interval, header(warpLayout.joined)), sameLane)),
          answer(i32(1)),
        ),
        when(known(warpLayout.known), answer(i32(1))),
        when(
          op("i32.and", isOwn, op("i32.ne", header(warpLayout.joined), header(warpLayout.interval))),
          answer(
            call(
              imported("order"),
              i32(orderEvents.met),
              warp,
              interval,
              op("i32.or", lane, op("i32.shl", fiveBits(info, laneShift), i32(5))),
            ),
          ),
        ),
        answer(i32(0)),
      ]),
      when(op("i32.lt_u", interval, firstDoubt(warp)), answer(i32(0))),
      call(
        imported("order"),
        i32(orderEvents.acquired),
        warp,
        interval,
        op(
          "i32.or",
          get(from),
          op(
            "select",
            i32(synchronizing),
            i32(0),
            op("i32.and", info, i32(infoBits.strong | infoBits.atomic)),
          ),
        ),
      ),
    ];
  },
};

/**
 * race_read_word(warp, word, info): looks at one word that a lane reads, tells of a conflict and records the
 * reader.
 */
const readWord: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, require, imported, parameters: [warp = [], word = [], info = []] }) => {
    const [lane, other, otherInfo] = Array.from({ length: 3 }, () => builder.local("i32")) as [
      number,
      number,
      number,
    ];
    const isOrdered = call(require("race_ordered"), warp, get(other), get(otherInfo), get(lane));
    const tell = [call(imported("race"), warp, word, info, get(other), get(otherInfo))];
    const record = (plane: number): Wasm => [
      store("i32.store", planeAt(word, plane), load("i32.load", warp, warpLayout.interval)),
      store("i32.store", planeAt(word, plane + 1), info),
    ];
    return [
      set(lane, fiveBits(info, laneShift)),
      set(other, load("i32.load", planeAt(word, shadowPlanes.writer))),
      set(otherInfo, load("i32.load", planeAt(word, shadowPlanes.writerInfo))),
      when(overlap(info, get(otherInfo)), when(op("i32.eqz", isOrdered), [...tell, op("return")])),
      set(otherInfo, load("i32.load", planeAt(word, shadowPlanes.lastReaderInfo))),
      when(op("i32.and", get(otherInfo), i32(infoBits.several)), [
        set(other, load("i32.load", planeAt(word, shadowPlanes.lastReader))),
        set(otherInfo, op("i32.xor", get(otherInfo), i32(infoBits.several))),
        when(overlap(info, get(otherInfo)), when(op("i32.eqz", isOrdered), [...tell, op("return")])),
      ]),
      set(other, load("i32.load", planeAt(word, shadowPlanes.reader))),
      set(otherInfo, load("i32.load", planeAt(word, shadowPlanes.readerInfo))),
      when(isOrdered, record(shadowPlanes.reader), record(shadowPlanes.lastReader)),
    ];
  },
};

/** Not zero when two accesses touch a byte together. */
function overlap(info: Wasm, other: Wasm): Wasm {
  return op("i32.and", op("i32.and", info, other), i32(15 << bytesShift));
}

/**
 * Description of a recorded access; the mark of an older writer among the readers says nothing about lanes.
 */
function readersInfo(plane: number, info: Wasm): Wasm {
  return plane === shadowPlanes.writer ? info : op("i32.and", info, i32(~infoBits.several));
}

/**
 * race_write_word(warp, word, info, interval) → 1 when the access is in conflict with a recorded one, which
 * is kept for the lane in the static area. Records the writer when it is not. Atomics are not in conflict
 * with each other.
 */
const writeWord: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, require, parameters: [warp = [], word = [], info = [], interval = []] }) => {
    const [lane, other, otherInfo] = Array.from({ length: 3 }, () => builder.local("i32")) as [
      number,
      number,
      number,
    ];
    const at = laneAt(getGlobal(globals.static), get(lane));
    const look = (plane: number): Wasm => [
      set(other, load("i32.load", planeAt(word, plane))),
      when(get(other), [
        set(otherInfo, readersInfo(plane, load("i32.load", planeAt(word, plane + 1)))),
        when(
          overlap(info, get(otherInfo)),
          when(
            op("i32.ge_s", op("i32.and", info, get(otherInfo)), i32(0)),
            when(op("i32.eqz", call(require("race_ordered"), warp, get(other), get(otherInfo), get(lane))), [
              store("i32.store", at, get(other), staticLayout.otherIntervals),
              store("i32.store", at, get(otherInfo), staticLayout.otherInfos),
              i32(1),
              op("return"),
            ]),
          ),
        ),
      ]),
    ];
    return [
      set(lane, fiveBits(info, laneShift)),
      look(shadowPlanes.reader),
      look(shadowPlanes.lastReader),
      look(shadowPlanes.writer),
      // An atomic does not hide the writer before it from those who come later.
      when(op("i32.and", op("i32.lt_s", info, i32(0)), op("i32.ne", get(other), i32(0))), [
        store("i32.store", planeAt(word, shadowPlanes.lastReader), get(other)),
        store(
          "i32.store",
          planeAt(word, shadowPlanes.lastReaderInfo),
          op("i32.or", get(otherInfo), i32(infoBits.several)),
        ),
        store("i32.store", getGlobal(globals.static), i32(1), staticLayout.hidden),
      ]),
      store("i32.store", planeAt(word, shadowPlanes.writer), interval),
      store("i32.store", planeAt(word, shadowPlanes.writerInfo), info),
      i32(0),
    ];
  },
};

/** Address of a lane in the scratch vector of the last translation. */
function addressOf(lane: Wasm): Wasm {
  return load("i32.load", laneAt(getGlobal(globals.static), lane), staticLayout.addresses);
}

/** Description of a lane's access, but for the bytes; `meta` holds site and flags. */
function describe(warp: Wasm, meta: Wasm, lane: Wasm): Wasm {
  return op(
    "i32.or",
    op("i32.and", meta, i32(siteMask | infoBits.strong | infoBits.atomic)),
    op(
      "i32.or",
      op("i32.shl", lane, i32(laneShift)),
      op("i32.shl", load("i32.load", warp, warpLayout.warpIndex), i32(warpShift)),
    ),
  );
}

/** Which bytes of its first word an access touches, in their place in a description. */
function firstBytes(at: Wasm, bytes: Wasm): Wasm {
  const few = op(
    "i32.shl",
    op("i32.sub", op("i32.shl", i32(1), bytes), i32(1)),
    op("i32.add", op("i32.and", at, i32(3)), i32(bytesShift)),
  );
  return op("select", few, i32(15 << bytesShift), op("i32.lt_u", bytes, i32(4)));
}

/**
 * race_read_lanes(warp, bytes, lanes to look at, mask, meta): lane by lane. Of lanes with one address that
 * are active one after the other only the first and the last are looked at.
 */
const readLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, require, parameters: [warp = [], bytes = [], lanes = [], mask = [], meta = []] }) => {
    const [rest, lane, at, info, end, around] = Array.from({ length: 6 }, () => builder.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const below = op("i32.and", mask, op("i32.sub", op("i32.shl", i32(1), get(lane)), i32(1)));
    const above = op("i32.and", mask, op("i32.shl", i32(-2), get(lane)));
    const isSame = (other: Wasm): Wasm => op("i32.eq", addressOf(other), get(at));
    return [
      set(rest, lanes),
      forEachLane(rest, lane, [
        set(at, addressOf(get(lane))),
        set(around, op("i32.and", op("i32.ne", below, i32(0)), op("i32.ne", above, i32(0)))),
        set(
          around,
          op(
            "i32.and",
            get(around),
            op(
              "i32.and",
              isSame(op("i32.and", op("i32.sub", i32(31), op("i32.clz", below)), i32(31))),
              isSame(op("i32.and", op("i32.ctz", above), i32(31))),
            ),
          ),
        ),
        when(op("i32.eqz", get(around)), [
          set(info, op("i32.or", describe(warp, meta, get(lane)), firstBytes(get(at), bytes))),
          set(end, op("i32.add", get(at), bytes)),
          set(at, op("i32.and", get(at), i32(-4))),
          loop(
            call(require("race_read_word"), warp, get(at), get(info)),
            branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(4))), get(end))),
          ),
        ]),
      ]),
    ];
  },
};

/** race_write_lanes(warp, bytes, mask, meta, interval) → lanes in conflict with a recorded access. */
const writeLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, require, parameters: [warp = [], bytes = [], mask = [], meta = [], interval = []] }) => {
    const [rest, lane, at, info, end, found, bad] = Array.from({ length: 7 }, () => builder.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return [
      set(rest, mask),
      set(found, i32(0)),
      forEachLane(rest, lane, [
        set(at, addressOf(get(lane))),
        set(info, op("i32.or", describe(warp, meta, get(lane)), firstBytes(get(at), bytes))),
        set(end, op("i32.add", get(at), bytes)),
        set(at, op("i32.and", get(at), i32(-4))),
        set(bad, i32(0)),
        loop(
          set(
            bad,
            op("i32.or", get(bad), call(require("race_write_word"), warp, get(at), get(info), interval)),
          ),
          branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(4))), get(end))),
        ),
        set(found, op("i32.or", get(found), op("i32.shl", get(bad), get(lane)))),
      ]),
      get(found),
    ];
  },
};

/**
 * race_agree(warp, mask, bytes, meta, interval): these lanes stored what was there, beside others who did:
 * any of the warp may read it.
 */
const agree: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], mask = [], bytes = [], meta = [], interval = []] }) => {
    const [rest, lane, at, end, info] = Array.from({ length: 5 }, () => builder.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, addressOf(get(lane))),
        set(end, op("i32.add", get(at), bytes)),
        set(
          info,
          op(
            "i32.or",
            op("i32.or", describe(warp, meta, get(lane)), firstBytes(get(at), bytes)),
            i32(infoBits.several),
          ),
        ),
        set(at, op("i32.and", get(at), i32(-4))),
        loop(
          store("i32.store", planeAt(get(at), shadowPlanes.writer), interval),
          store("i32.store", planeAt(get(at), shadowPlanes.writerInfo), get(info)),
          branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(4))), get(end))),
        ),
      ]),
    ];
  },
};

/**
 * race_confirm(warp, mask, bytes, meta): tells the host of the conflicts that the static area keeps for these
 * lanes.
 */
const confirm: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], mask = [], bytes = [], meta = []] }) => {
    const [rest, lane, at] = Array.from({ length: 3 }, () => builder.local("i32")) as [
      number,
      number,
      number,
    ];
    const kept = (offset: number): Wasm =>
      load("i32.load", laneAt(getGlobal(globals.static), get(lane)), offset);
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, addressOf(get(lane))),
        call(
          imported("race"),
          warp,
          get(at),
          op("i32.or", describe(warp, meta, get(lane)), firstBytes(get(at), bytes)),
          kept(staticLayout.otherIntervals),
          kept(staticLayout.otherInfos),
        ),
      ]),
    ];
  },
};

export const raceWordLibrary: LibraryTable = {
  race_ordered: ordered,
  race_read_word: readWord,
  race_write_word: writeWord,
  race_read_lanes: readLanes,
  race_write_lanes: writeLanes,
  race_agree: agree,
  race_confirm: confirm,
};
