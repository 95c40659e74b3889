import { pcFlags, signals, warpLayout, warpStates } from "../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  callIndirect,
  choose,
  get,
  getGlobal,
  i32,
  lane,
  load,
  loop,
  op,
  set,
  shuffle,
  splat32,
  store,
  tee,
  when,
} from "../wasm/code";
import type { FunctionBuilder, ModuleBuilder } from "../wasm/module";
import { swappedLongs, swappedWords } from "../wasm/shuffles";
import { globals } from "./library";

/** Signature of one code block: linear address of the warp → next block or a signal. */
export const blockSignature = { parameters: ["i32"], results: ["i32"] } as const;

const { pc, active, live, mask, lanePc, spun } = warpLayout;
/** The marks of a lane. A lane that is only `parked` could run. */
const parkedOnly = pcFlags.parked | pcFlags.gathering | pcFlags.barrier;
/** Block numbers without the mark of lanes that wait in a warp-wide instruction. */
const withoutGathering = ~pcFlags.gathering;

/**
 * Adds `run_warp(warp) → state`: runs one warp until it ends, waits at a barrier or has used up its fuel.
 * While all 32 lanes have converged, it runs the unmasked versions of code blocks (table entries 0 to n-1).
 * After a divergence each lane has its own block number, and the lanes with the lowest run next in the masked
 * versions (n to 2n-1). Blocks are numbered so that the paths of a branch reconverge at their lowest common
 * block. Lanes that spin in a waiting loop are parked until all others have had a turn.
 */
export function addDriver(module: ModuleBuilder, blockCount: number): number {
  const type = module.type(blockSignature);
  return module.add(blockSignature, (builder, [warp = []]) => {
    const next = builder.local("i32");
    const lanesNow = builder.local("i32");
    const readActive = set(lanesNow, load("i32.load", warp, active));
    const run = callIndirect(
      type,
      op("i32.add", get(next), op("select", i32(0), i32(blockCount), op("i32.eq", get(lanesNow), i32(-1)))),
      warp,
    );
    return [
      set(next, load("i32.load", warp, pc)),
      readActive,
      loop(
        when(op("i32.le_s", getGlobal(globals.fuel), i32(0)), [
          store("i32.store", warp, get(next), pc),
          i32(warpStates.yielded),
          op("return"),
        ]),
        set(next, run),
        answer(warp, next, lanesNow),
        select(builder, warp, next),
        when(op("i32.eq", op("i32.and", get(next), i32(parkedOnly)), i32(pcFlags.parked)), [
          // Every runnable lane has had its turn: unpark all, and let other warps run first.
          unpark(warp),
          select(builder, warp, next),
          store("i32.store", warp, get(next), pc),
          store("i32.store", warp, i32(1), spun),
          i32(warpStates.spinning),
          op("return"),
        ]),
        when(op("i32.ge_s", get(next), i32(pcFlags.gathering)), [
          choose(
            "i32",
            op("i32.ge_s", get(next), i32(pcFlags.barrier)),
            i32(warpStates.barrier),
            i32(warpStates.stuck),
          ),
          op("return"),
        ]),
        readActive,
        branch(0),
      ),
      op("unreachable"),
    ];
  });
}

/**
 * Continues after a block that returned `next`: the block numbers of the active lanes are written, or the
 * warp continues at once (depth 1 outside of this code is the driver's loop). Falls through when the next
 * lanes have to be chosen.
 */
function answer(warp: Wasm, next: number, lanesNow: number): Wasm {
  const alone = op("i32.eq", get(lanesNow), load("i32.load", warp, live));
  return block(
    when(op("i32.ge_s", get(next), i32(0)), [
      branchIf(2, alone),
      writeLanes(warp, op("i32x4.splat", get(next))),
      branch(1),
    ]),
    branchIf(0, op("i32.eq", get(next), i32(signals.diverged))),
    when(op("i32.eq", get(next), i32(signals.exit)), [
      writeLanes(warp, splat32(pcFlags.exited)),
      store(
        "i32.store",
        warp,
        op("i32.and", load("i32.load", warp, live), op("i32.xor", get(lanesNow), i32(-1))),
        live,
      ),
      when(op("i32.eqz", load("i32.load", warp, live)), [i32(warpStates.done), op("return")]),
      askAgain(warp),
      branch(1),
    ]),
    when(op("i32.eq", get(next), i32(signals.gather)), [
      writeLanes(warp, op("i32x4.splat", op("i32.or", load("i32.load", warp, pc), i32(pcFlags.gathering)))),
      branch(1),
    ]),
    when(op("i32.eq", get(next), i32(signals.spin)), [
      writeLanes(warp, op("i32x4.splat", op("i32.or", load("i32.load", warp, pc), i32(pcFlags.parked)))),
      branch(1),
    ]),
    when(op("i32.eq", get(next), i32(signals.pause)), [
      store("i32.store", warp, i32(0), spun),
      i32(warpStates.spinning),
      op("return"),
    ]),
    // Only a barrier remains: the block has written where these lanes continue, with the barrier's mark.
  );
}

/** Adds `resume_warp(warp)`: chooses the next lanes to run after the host has changed their block numbers. */
export function addResume(module: ModuleBuilder): number {
  return module.add({ parameters: ["i32"], results: [] }, (builder, [warp = []]) => {
    const next = builder.local("i32");
    return [select(builder, warp, next), store("i32.store", warp, get(next), pc)];
  });
}

/** Writes the block number of the active lanes. */
function writeLanes(warp: Wasm, value: Wasm): Wasm {
  return Array.from({ length: 8 }, (_, chunk) =>
    store(
      "v128.store",
      warp,
      op(
        "v128.bitselect",
        value,
        load("v128.load", warp, lanePc + 16 * chunk),
        load("v128.load", warp, mask + 16 * chunk),
      ),
      lanePc + 16 * chunk,
    ),
  );
}

/**
 * After lanes have exited: those that wait in a warp-wide instruction ask once more who is missing, since
 * such an instruction waits for the lanes of its mask that have not exited (PTX ISA section 9.7.9.6).
 */
function askAgain(warp: Wasm): Wasm {
  return Array.from({ length: 8 }, (_, chunk) => {
    const places = load("v128.load", warp, lanePc + 16 * chunk);
    const waits = op("i32x4.lt_s", places, splat32(pcFlags.barrier));
    return store(
      "v128.store",
      warp,
      op("v128.bitselect", op("v128.and", places, splat32(withoutGathering)), places, waits),
      lanePc + 16 * chunk,
    );
  });
}

/** Unparks lanes; other marks stay. */
function unpark(warp: Wasm): Wasm {
  return Array.from({ length: 8 }, (_, chunk) => {
    const places = load("v128.load", warp, lanePc + 16 * chunk);
    const isParked = op("i32x4.lt_s", places, splat32(pcFlags.gathering));
    return store(
      "v128.store",
      warp,
      op("v128.bitselect", op("v128.and", places, splat32(~pcFlags.parked)), places, isParked),
      lanePc + 16 * chunk,
    );
  });
}

/** Activates the lanes with the lowest block number, and sets `next` to it. */
function select(builder: FunctionBuilder, warp: Wasm, next: number): Wasm {
  const least = builder.local("v128");
  const same = builder.local("v128");
  const bits = builder.local("i32");
  const chunks = Array.from({ length: 8 }, (_, chunk) => load("v128.load", warp, lanePc + 16 * chunk));
  const swapped = (bytes: Uint8Array): Wasm =>
    set(least, op("i32x4.min_s", get(least), shuffle(get(least), get(least), bytes)));
  return [
    set(
      least,
      chunks.reduce((left, right) => op("i32x4.min_s", left, right)),
    ),
    swapped(swappedLongs),
    swapped(swappedWords),
    set(next, lane("i32x4.extract_lane", 0, get(least))),
    set(least, op("i32x4.splat", op("i32.and", get(next), i32(withoutGathering)))),
    set(bits, i32(0)),
    chunks.map((chunk, index) => [
      store(
        "v128.store",
        warp,
        tee(same, op("i32x4.eq", op("v128.and", chunk, splat32(withoutGathering)), get(least))),
        mask + 16 * index,
      ),
      set(bits, op("i32.or", get(bits), op("i32.shl", op("i32x4.bitmask", get(same)), i32(4 * index)))),
    ]),
    store("i32.store", warp, get(bits), active),
  ];
}
