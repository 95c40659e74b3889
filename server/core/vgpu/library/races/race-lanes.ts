import { staticLayout, warpLayout } from "../../layout";
import { shadowPlanes } from "../../memory/device-shadow";
import {
  type Wasm,
  branchIf,
  call,
  get,
  getGlobal,
  i32,
  load,
  loop,
  op,
  set,
  store,
  tee,
  when,
} from "../../wasm/code";
import { forEachLane, laneAt } from "../lanes";
import { type LibraryFunction, type LibraryTable, globals, wordLocals } from "../library";
import { fiveBits, infoBits, planeAt } from "./race-words";

/**
 * race_read_word(warp, word, info): checks one word that a lane reads: reports a conflict, or records the
 * reader.
 */
const readWord: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, require, imported, parameters: [warp = [], word = [], info = []] }) => {
    const { lane, other, otherInfo } = wordLocals(builder, "lane", "other", "otherInfo");
    const isOrdered = call(require("race_ordered"), warp, get(other), get(otherInfo), get(lane));
    const tell = [call(imported("race"), warp, word, info, get(other), get(otherInfo))];
    const record = (plane: number): Wasm => [
      store("i32.store", planeAt(word, plane), load("i32.load", warp, warpLayout.interval)),
      store("i32.store", planeAt(word, plane + 1), info),
    ];
    return [
      set(lane, fiveBits(info, infoBits.laneShift)),
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

/** Nonzero if two accesses share a byte. */
function overlap(info: Wasm, other: Wasm): Wasm {
  return op("i32.and", op("i32.and", info, other), i32(15 << infoBits.bytesShift));
}

/** Info of a recorded access. Of a reader, `several` marks a replaced writer and says nothing about lanes. */
function readersInfo(plane: number, info: Wasm): Wasm {
  return plane === shadowPlanes.writer ? info : op("i32.and", info, i32(~infoBits.several));
}

/**
 * race_write_word(warp, word, info, interval) → 1 if the access conflicts with a recorded one, which is saved
 * for the lane in the static area; else records the writer. Atomics do not conflict with each other.
 */
const writeWord: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, require, parameters: [warp = [], word = [], info = [], interval = []] }) => {
    const { lane, other, otherInfo } = wordLocals(builder, "lane", "other", "otherInfo");
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
      set(lane, fiveBits(info, infoBits.laneShift)),
      look(shadowPlanes.reader),
      look(shadowPlanes.lastReader),
      look(shadowPlanes.writer),
      // An atomic must not hide the previous writer from later accesses: keep it as a reader.
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

/** A lane's linear address from the last translation. */
function addressOf(lane: Wasm): Wasm {
  return load("i32.load", laneAt(getGlobal(globals.static), lane), staticLayout.addresses);
}

/** Info of a lane's access without the bytes; `meta`: site and flags. */
function describe(warp: Wasm, meta: Wasm, lane: Wasm): Wasm {
  return op(
    "i32.or",
    op("i32.and", meta, i32(infoBits.siteMask | infoBits.strong | infoBits.atomic)),
    op(
      "i32.or",
      op("i32.shl", lane, i32(infoBits.laneShift)),
      op("i32.shl", load("i32.load", warp, warpLayout.warpIndex), i32(infoBits.warpShift)),
    ),
  );
}

/** The bytes of the first word that an access touches, as in an info. */
function firstBytes(at: Wasm, bytes: Wasm): Wasm {
  const few = op(
    "i32.shl",
    op("i32.sub", op("i32.shl", i32(1), bytes), i32(1)),
    op("i32.add", op("i32.and", at, i32(3)), i32(infoBits.bytesShift)),
  );
  return op("select", few, i32(15 << infoBits.bytesShift), op("i32.lt_u", bytes, i32(4)));
}

/**
 * race_read_lanes(warp, bytes, lanes to check, mask, meta): checks lane by lane. Of consecutive active lanes
 * with the same address only the first and the last are checked.
 */
const readLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, require, parameters: [warp = [], bytes = [], lanes = [], mask = [], meta = []] }) => {
    const { rest, lane, at, info, end, around } = wordLocals(
      builder,
      "rest",
      "lane",
      "at",
      "info",
      "end",
      "around",
    );
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

/**
 * race_write_lanes(warp, bytes, mask, meta, interval) → mask of the lanes in conflict with a recorded access.
 */
const writeLanes: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, require, parameters: [warp = [], bytes = [], mask = [], meta = [], interval = []] }) => {
    const { rest, lane, at, info, end, found, bad } = wordLocals(
      builder,
      "rest",
      "lane",
      "at",
      "info",
      "end",
      "found",
      "bad",
    );
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
 * race_agree(warp, mask, bytes, meta, interval): records that these lanes and others stored the same value,
 * so that any lane of the warp may read it.
 */
const agree: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], mask = [], bytes = [], meta = [], interval = []] }) => {
    const { rest, lane, at, end, info } = wordLocals(builder, "rest", "lane", "at", "end", "info");
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
 * race_confirm(warp, mask, bytes, meta): reports the conflicts that the static area holds for these lanes.
 */
const confirm: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], mask = [], bytes = [], meta = []] }) => {
    const { rest, lane, at } = wordLocals(builder, "rest", "lane", "at");
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

/** When a word that the same launch has written is not seen, and what its reader's info is marked by. */
interface Unseen {
  /** Of a writer's interval and info. */
  readonly isUnseen: (warp: Wasm, interval: Wasm, info: Wasm) => Wasm;
  readonly mark: number;
}

/**
 * race_stale(warp, bytes, mask, meta): reports words that the same launch has written before a lane reads
 * them by the read-only path, whatever orders the two. Their infos are marked as `several`.
 */
const byReadOnlyPath: Unseen = { isUnseen: () => i32(1), mark: infoBits.several };

/**
 * race_proxy(warp, bytes, mask, meta): reports words of shared memory that a bulk copy reads without a
 * `fence.proxy.async` behind their ordinary stores (PTX ISA section 8.9.1), whatever orders the two.
 */
const byBulkCopy: Unseen = {
  isUnseen: (warp, interval, info) =>
    op(
      "i32.gt_u",
      interval,
      load("i32.load", laneAt(warp, fiveBits(info, infoBits.warpShift)), warpLayout.proxied),
    ),
  mark: 0,
};

const unseen = ({ isUnseen, mark }: Unseen): LibraryFunction => ({
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], bytes = [], mask = [], meta = []] }) => {
    const { rest, lane, at, end, other, info } = wordLocals(
      builder,
      "rest",
      "lane",
      "at",
      "end",
      "other",
      "info",
    );
    const otherInfo = load("i32.load", planeAt(get(at), shadowPlanes.writerInfo));
    const described = op("i32.or", describe(warp, meta, get(lane)), firstBytes(get(at), bytes));
    const floor = load("i32.load", getGlobal(globals.static), staticLayout.launchFloor);
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(at, addressOf(get(lane))),
        set(info, op("i32.or", described, i32(mark))),
        set(end, op("i32.add", get(at), bytes)),
        set(at, op("i32.and", get(at), i32(-4))),
        loop(
          set(other, load("i32.load", planeAt(get(at), shadowPlanes.writer))),
          // Copies that are under way have negative numbers.
          when(
            op("i32.ge_s", get(other), floor),
            when(
              op("select", isUnseen(warp, get(other), otherInfo), i32(0), overlap(get(info), otherInfo)),
              call(imported("race"), warp, get(at), get(info), get(other), otherInfo),
            ),
          ),
          branchIf(0, op("i32.lt_u", tee(at, op("i32.add", get(at), i32(4))), get(end))),
        ),
      ]),
    ];
  },
});

export const raceLaneLibrary: LibraryTable = {
  race_read_word: readWord,
  race_stale: unseen(byReadOnlyPath),
  race_proxy: unseen(byBulkCopy),
  race_write_word: writeWord,
  race_read_lanes: readLanes,
  race_write_lanes: writeLanes,
  race_agree: agree,
  race_confirm: confirm,
};
