import { shadowPlanes } from "../../memory/device-shadow";
import { staticLayout, warpLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  call,
  fillMemory,
  get,
  getGlobal,
  i32,
  load,
  loop,
  op,
  set,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import { type LibraryFunction, type LibraryTable, globals } from "../library";
import { orderEvents, planeAt } from "./race-words";
import { forEachLane, laneAt } from "../lanes";

const shared = (offset: number): Wasm => load("i32.load", getGlobal(globals.static), offset);

/** Runs `body` for each warp of the current block, with its address in `warp`. */
function forEachWarp(warp: number, warpBytes: Wasm, body: Wasm): Wasm {
  return [
    set(warp, shared(staticLayout.firstWarp)),
    loop(
      body,
      branchIf(
        0,
        op("i32.lt_u", tee(warp, op("i32.add", get(warp), warpBytes)), shared(staticLayout.endOfWarps)),
      ),
    ),
  ];
}

/**
 * race_begin(bytes from warp to warp): a block starts. Clears the record of its shared memory; all warps are
 * in the first interval.
 */
const begin: LibraryFunction = {
  signature: { parameters: ["i32"], results: [] },
  build: ({ builder, imported, parameters: [warpBytes = []] }) => {
    const [warp, interval] = [builder.local("i32"), builder.local("i32")];
    const write = (offset: number, value: Wasm): Wasm => store("i32.store", get(warp), value, offset);
    const planes = [shadowPlanes.writer, shadowPlanes.reader, shadowPlanes.lastReader];
    return [
      planes.map((plane) =>
        fillMemory(
          planeAt(getGlobal(globals.shared), plane),
          i32(0),
          op("i32.and", op("i32.add", getGlobal(globals.sharedBytes), i32(3)), i32(-4)),
        ),
      ),
      set(interval, call(imported("order"), i32(orderEvents.begin), i32(0), i32(0), i32(0))),
      forEachWarp(warp, warpBytes, [
        write(warpLayout.interval, get(interval)),
        write(warpLayout.floor, get(interval)),
        write(warpLayout.first, get(interval)),
        write(warpLayout.joined, get(interval)),
        write(warpLayout.end, op("i32.add", get(interval), i32(stretchIntervals))),
        write(warpLayout.waitedAt, i32(0)),
        write(warpLayout.begin, get(interval)),
        write(warpLayout.isAhead, i32(0)),
        Array.from({ length: 16 }, (_, chunk) =>
          store("v128.store", get(warp), splat32(0), warpLayout.known + 16 * chunk),
        ),
        Array.from({ length: 8 }, (_, chunk) =>
          store("v128.store", get(warp), splat32(0), warpLayout.proxied + 16 * chunk),
        ),
      ]),
    ];
  },
};

/** Intervals in a stretch; a block that uses them up gets another one. */
export const stretchIntervals = 256;

/** race_step(warp): starts the warp's next interval. */
const step: LibraryFunction = {
  signature: { parameters: ["i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = []] }) => {
    const interval = builder.local("i32");
    return [
      store(
        "i32.store",
        warp,
        tee(interval, op("i32.add", load("i32.load", warp, warpLayout.interval), i32(1))),
        warpLayout.interval,
      ),
      when(op("i32.eq", get(interval), load("i32.load", warp, warpLayout.end)), [
        set(interval, call(imported("order"), i32(orderEvents.extend), warp, i32(0), i32(0))),
        store("i32.store", warp, get(interval), warpLayout.interval),
        store("i32.store", warp, get(interval), warpLayout.floor),
        store("i32.store", warp, get(interval), warpLayout.first),
        store("i32.store", warp, get(interval), warpLayout.joined),
        store("i32.store", warp, op("i32.add", get(interval), i32(stretchIntervals)), warpLayout.end),
      ]),
    ];
  },
};

/** race_tick(warp): all lanes of the warp have synchronised. */
const tick: LibraryFunction = {
  signature: { parameters: ["i32"], results: [] },
  build: ({ require, parameters: [warp = []] }) => [
    call(require("race_step"), warp),
    store("i32.store", warp, load("i32.load", warp, warpLayout.interval), warpLayout.joined),
  ],
};

/** race_meet(warp, active lanes, their member masks): the lanes synchronise, each with those in its mask. */
const meet: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, require, imported, parameters: [warp = [], active = [], masks = []] }) => {
    const [rest, lane, common] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
    return [
      set(rest, active),
      set(common, i32(-1)),
      forEachLane(
        rest,
        lane,
        set(common, op("i32.and", get(common), load("i32.load", laneAt(masks, get(lane))))),
      ),
      when(
        op("i32.and", load("i32.load", warp, warpLayout.live), op("i32.xor", get(common), i32(-1))),
        [
          call(imported("order"), i32(orderEvents.meet), warp, active, masks),
          op("drop"),
          call(require("race_step"), warp),
        ],
        call(require("race_tick"), warp),
      ),
    ];
  },
};

/** race_barrier(bytes from warp to warp): all threads of the block have synchronised. */
const barrier: LibraryFunction = {
  signature: { parameters: ["i32"], results: [] },
  build: ({ builder, require, imported, parameters: [warpBytes = []] }) => {
    const [warp, ahead, known] = [builder.local("i32"), builder.local("i32"), builder.local("v128")];
    const header = (local: number, offset: number): Wasm => load("i32.load", get(local), offset);
    const copy = (offset: number): Wasm => store("i32.store", get(warp), header(ahead, offset), offset);
    return [
      when(shared(staticLayout.copying), [
        call(imported("order"), i32(orderEvents.shareCopies), i32(0), i32(0), i32(0)),
        op("drop"),
      ]),
      set(ahead, shared(staticLayout.firstWarp)),
      forEachWarp(
        warp,
        warpBytes,
        when(
          op("i32.gt_u", header(warp, warpLayout.interval), header(ahead, warpLayout.interval)),
          set(ahead, get(warp)),
        ),
      ),
      call(require("race_tick"), get(ahead)),
      store("i32.store", get(ahead), header(ahead, warpLayout.interval), warpLayout.floor),
      set(known, op("i32x4.splat", op("i32.sub", header(ahead, warpLayout.interval), i32(1)))),
      forEachWarp(warp, warpBytes, [
        copy(warpLayout.interval),
        copy(warpLayout.floor),
        copy(warpLayout.first),
        copy(warpLayout.end),
        copy(warpLayout.joined),
        store("i32.store", get(warp), i32(0), warpLayout.isAhead),
        Array.from({ length: 8 }, (_, chunk) =>
          store("v128.store", get(warp), get(known), warpLayout.known + 16 * chunk),
        ),
      ]),
    ];
  },
};

/**
 * race_synchronize(warp, mask, ways): after the first fence of a launch, synchronising accesses release and
 * acquire vector clocks (see `launch/findings/order.ts`).
 */
const synchronize: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, imported, parameters: [warp = [], mask = [], ways = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    return when(shared(staticLayout.fences), [
      set(rest, mask),
      forEachLane(rest, lane, [
        call(
          imported("order"),
          i32(orderEvents.synchronize),
          warp,
          load("i32.load", laneAt(getGlobal(globals.static), get(lane)), staticLayout.addresses),
          ways,
        ),
        op("drop"),
      ]),
    ]);
  },
};

/** race_releasing(): from now on synchronising accesses are reported to the host. */
const releasing: LibraryFunction = {
  signature: { parameters: [], results: [] },
  build: () => store("i32.store", getGlobal(globals.static), i32(1), staticLayout.fences),
};

/**
 * race_tell(event, warp, operand): reports an event without a result to the host, and starts the warp's next
 * interval before it.
 */
const tell: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ imported, parameters: [event = [], warp = [], operand = []] }) => [
    call(imported("order"), event, warp, operand, i32(0)),
    op("drop"),
  ],
};

/**
 * race_copy(warp) → group id of an asynchronous copy that starts now, under which it is recorded; race_bulk:
 * the same of a bulk copy, by the event for it.
 */
const copyStart = (event: number): LibraryFunction => ({
  signature: { parameters: ["i32"], results: ["i32"] },
  build: ({ imported, parameters: [warp = []] }) => [
    store("i32.store", getGlobal(globals.static), i32(1), staticLayout.copying),
    call(imported("order"), i32(event), warp, i32(0), i32(0)),
  ],
});

export const raceOrderLibrary: LibraryTable = {
  race_begin: begin,
  race_step: step,
  race_tick: tick,
  race_meet: meet,
  race_barrier: barrier,
  race_synchronize: synchronize,
  race_releasing: releasing,
  race_tell: tell,
  race_copy: copyStart(orderEvents.copy),
  race_bulk: copyStart(orderEvents.bulk),
};
