import {
  barrierKinds,
  blockStates,
  pcFlags,
  reuseLayout,
  staticLayout,
  warpLayout,
  warpStates,
  warpTurns,
} from "../../layout";
import {
  type Wasm,
  block,
  branch,
  branchIf,
  call,
  fillMemory,
  get,
  getGlobal,
  i32,
  lanes32,
  load,
  loop,
  op,
  set,
  splat32,
  store,
  tee,
  when,
} from "../../wasm/code";
import { modelledGpu } from "../../modelled-gpu";
import type { FunctionBuilder, ModuleBuilder } from "../../wasm/module";
import { globals } from "../library";

/** Functions and sizes that the scheduler of a kernel's blocks needs. */
export interface SchedulerParts {
  /** Index of `run_warp`. */
  readonly runWarp: number;
  /** Bytes from one warp to the next. */
  readonly warpBytes: number;
  /**
   * Where in a warp the records of waiting blocks lie, which are zero at the start of a block of threads, and
   * their bytes.
   */
  readonly spinsAt: number;
  readonly spinBytes: number;
  /** Bytes of shared memory that are zero at the start of a block: what the system reserves. */
  readonly reservedShared: { readonly at: number; readonly bytes: number } | undefined;
  /** With detectors: functions to call when a block has started and when its full barrier opens. */
  readonly begun?: number;
  readonly opened?: number;
}

const none = { parameters: [], results: [] } as const;
const base = getGlobal(globals.static);
const read = (offset: number): Wasm => load("i32.load", base, offset);
const write = (offset: number, value: Wasm): Wasm => store("i32.store", base, value, offset);
const add = (offset: number, value: number): Wasm => write(offset, op("i32.add", read(offset), i32(value)));

/**
 * Runs `body` for each warp of the block; the local `warp` holds its address. Branching to depth 0 inside
 * goes on with the same warp.
 */
function forEachWarp(warp: number, warpBytes: number, body: Wasm): Wasm {
  return [
    set(warp, read(staticLayout.firstWarp)),
    loop(
      body,
      branchIf(
        0,
        op("i32.lt_u", tee(warp, op("i32.add", get(warp), i32(warpBytes))), read(staticLayout.endOfWarps)),
      ),
    ),
  ];
}

/**
 * Adds `run_blocks() → state`: runs the blocks of threads that the static area names, one after the other,
 * each with its warps in turn until all wait at the block's barrier or have ended. Barrier 0 for all threads
 * (PTX ISA section 9.7.13.1) opens right here; for anything else about barriers, and when the fuel is used
 * up, it returns and goes on where it was with the next call.
 */
export function addBlockRunner(module: ModuleBuilder, parts: SchedulerParts): number {
  const start = addStart(module, parts);
  const open = addOpen(module, parts);
  return module.add({ parameters: [], results: ["i32"] }, (builder) => {
    const warp = builder.local("i32");
    const state = builder.local("i32");
    const [running, waiting, asking, busy] = ["i32", "i32", "i32", "i32"].map(() => builder.local("i32")) as [
      number,
      number,
      number,
      number,
    ];
    const leave = (value: number): Wasm => [i32(value), op("return")];
    const count = forEachWarp(warp, parts.warpBytes, [
      set(state, load("i32.load", get(warp), warpLayout.turn)),
      when(op("i32.eqz", get(state)), [
        set(running, i32(1)),
        set(busy, op("i32.or", get(busy), op("i32.eqz", load("i32.load", get(warp), warpLayout.spun)))),
      ]),
      set(waiting, op("i32.add", get(waiting), op("i32.eq", get(state), i32(warpTurns.waits)))),
      set(asking, op("i32.add", get(asking), op("i32.eq", get(state), i32(warpTurns.asks)))),
    ]);
    return [
      loop(
        when(op("i32.eqz", read(staticLayout.atWork)), [
          when(op("i32.eqz", read(staticLayout.blocksLeft)), leave(blockStates.finished)),
          call(start),
        ]),
        turns(builder, parts, { warp, state }),
        set(running, i32(0)),
        set(waiting, i32(0)),
        set(asking, i32(0)),
        set(busy, i32(0)),
        count,
        branchIf(0, get(busy)),
        when(get(running), leave(blockStates.spinning)),
        when(get(asking), leave(blockStates.barrier)),
        when(get(waiting), [call(open), branch(1)]),
        nextBlock(),
        branch(0),
      ),
      op("unreachable"),
    ];
  });
}

/** Gives each warp that can run its turn, from the one whose turn is next to the last. */
function turns(
  builder: FunctionBuilder,
  { runWarp, warpBytes }: SchedulerParts,
  { warp, state }: { warp: number; state: number },
): Wasm {
  const place = builder.local("i32");
  const after = write(staticLayout.nextWarp, op("i32.add", get(warp), i32(warpBytes)));
  const turn = (value: number): Wasm => store("i32.store", get(warp), i32(value), warpLayout.turn);
  const header = (offset: number): Wasm => load("i32.load", get(warp), offset);
  // A request that opens here: every lane of the warp is at one barrier, number 0, for all threads, without a
  // reduction.
  const simple = op(
    "i32.and",
    op("i32.eq", header(warpLayout.active), header(warpLayout.live)),
    op(
      "i32.and",
      op(
        "i32.eqz",
        op(
          "i32.or",
          header(warpLayout.barrierId),
          op("i32.xor", header(warpLayout.barrierKind), i32(barrierKinds.sync)),
        ),
      ),
      op("i32.eq", header(warpLayout.barrierCount), i32(-1)),
    ),
  );
  return [
    set(warp, read(staticLayout.nextWarp)),
    block(
      loop(
        branchIf(1, op("i32.ge_u", get(warp), read(staticLayout.endOfWarps))),
        when(op("i32.eqz", header(warpLayout.turn)), [
          set(state, call(runWarp, get(warp))),
          when(
            op("i32.eq", get(state), i32(warpStates.barrier)),
            store(
              "i32.store",
              get(warp),
              op("select", i32(warpTurns.waits), i32(warpTurns.asks), simple),
              warpLayout.turn,
            ),
            when(op("i32.eqz", get(state)), turn(warpTurns.ended), [
              write(staticLayout.lastWarp, get(warp)),
              when(op("i32.ne", get(state), i32(warpStates.spinning)), [
                after,
                op(
                  "select",
                  i32(blockStates.stuck),
                  i32(blockStates.yielded),
                  op("i32.eq", get(state), i32(warpStates.stuck)),
                ),
                op("return"),
              ]),
            ]),
          ),
        ]),
        set(warp, op("i32.add", get(warp), i32(warpBytes))),
        branch(0),
      ),
    ),
    set(place, read(staticLayout.firstWarp)),
    write(staticLayout.nextWarp, get(place)),
  ];
}

/** The block at work has ended: the next one's coordinates. */
function nextBlock(): Wasm {
  const carry = (axis: number, more: Wasm): Wasm => [
    add(staticLayout.ctaid + 4 * axis, 1),
    when(op("i32.eq", read(staticLayout.ctaid + 4 * axis), read(staticLayout.nctaid + 4 * axis)), [
      write(staticLayout.ctaid + 4 * axis, i32(0)),
      more,
    ]),
  ];
  return [write(staticLayout.atWork, i32(0)), carry(0, carry(1, add(staticLayout.ctaid + 8, 1)))];
}

/**
 * What a block finds in shared memory: all ones (NaNs and huge indices) that nothing has written, and zeroes
 * in the reserved part.
 */
function clearShared(reserved: SchedulerParts["reservedShared"]): Wasm {
  const shadow = op("i32.add", getGlobal(globals.shared), getGlobal(globals.shadow));
  const [at, bytes] = [i32(reserved?.at ?? 0), i32(reserved?.bytes ?? 0)];
  return [
    fillMemory(getGlobal(globals.shared), i32(0xff), getGlobal(globals.sharedBytes)),
    reserved ? fillMemory(op("i32.add", getGlobal(globals.shared), at), i32(0), bytes) : [],
    when(getGlobal(globals.shadow), [
      fillMemory(shadow, i32(0), getGlobal(globals.sharedBytes)),
      reserved ? fillMemory(op("i32.add", shadow, at), i32(1), bytes) : [],
    ]),
  ];
}

/** Starts a block: all its lanes at the first block of code; shared memory holds no useful values. */
function addStart(
  module: ModuleBuilder,
  { warpBytes, spinsAt, spinBytes, reservedShared, begun }: SchedulerParts,
): number {
  return module.add(none, (builder) => {
    const warp = builder.local("i32");
    const bits = builder.local("v128");
    const mask = builder.local("v128");
    const chunk = (index: number): Wasm => {
      const each = lanes32([1 << (4 * index), 2 << (4 * index), 4 << (4 * index), 8 << (4 * index)]);
      return [
        set(mask, op("i32x4.eq", op("v128.and", get(bits), each), each)),
        store("v128.store", get(warp), get(mask), warpLayout.mask + 16 * index),
        store(
          "v128.store",
          get(warp),
          op("v128.andnot", splat32(pcFlags.exited), get(mask)),
          warpLayout.lanePc + 16 * index,
        ),
      ];
    };
    const header = (offset: number, value: Wasm): Wasm => store("i32.store", get(warp), value, offset);
    // The block's number; blocks go round the multiprocessors.
    const [x, y, z, width, height] = [
      0,
      4,
      8,
      staticLayout.nctaid - staticLayout.ctaid,
      staticLayout.nctaid - staticLayout.ctaid + 4,
    ].map((offset) => read(staticLayout.ctaid + offset)) as [Wasm, Wasm, Wasm, Wasm, Wasm];
    const linear = op("i32.add", x, op("i32.mul", width, op("i32.add", y, op("i32.mul", height, z))));
    const lanesAtStart = load("i32.load", get(warp), warpLayout.lanesAtStart);
    return [
      write(staticLayout.blocksLeft, op("i32.sub", read(staticLayout.blocksLeft), i32(1))),
      write(staticLayout.atWork, i32(1)),
      add(staticLayout.epoch, 1),
      // What was touched until now was touched by other blocks.
      store(
        "i32.store",
        getGlobal(globals.reuse),
        load("i32.load", getGlobal(globals.reuse), reuseLayout.now),
        reuseLayout.blockStart,
      ),
      write(staticLayout.multiprocessor, op("i32.rem_u", linear, i32(modelledGpu.multiprocessors))),
      clearShared(reservedShared),
      forEachWarp(warp, warpBytes, [
        set(bits, op("i32x4.splat", lanesAtStart)),
        Array.from({ length: 8 }, (_, index) => chunk(index)),
        header(warpLayout.pc, i32(0)),
        header(warpLayout.turn, i32(warpTurns.runs)),
        header(warpLayout.spun, i32(0)),
        spinBytes === 0 ? [] : fillMemory(op("i32.add", get(warp), i32(spinsAt)), i32(0), i32(spinBytes)),
        header(warpLayout.live, lanesAtStart),
        header(warpLayout.active, lanesAtStart),
      ]),
      begun === undefined ? [] : call(begun, i32(warpBytes)),
      write(staticLayout.nextWarp, read(staticLayout.firstWarp)),
      Array.from({ length: 4 }, (_, index) =>
        store("v128.store", base, splat32(0), staticLayout.arrived + 16 * index),
      ),
    ];
  });
}

/**
 * Opens the full barrier: every warp that waits there goes on. Its lanes are at one place, which the mask and
 * `active` name already.
 */
function addOpen(module: ModuleBuilder, { warpBytes, opened }: SchedulerParts): number {
  return module.add(none, (builder) => {
    const warp = builder.local("i32");
    const next = builder.local("i32");
    const lane = op("i32.shl", op("i32.ctz", load("i32.load", get(warp), warpLayout.live)), i32(2));
    const chunk = (index: number): Wasm =>
      store(
        "v128.store",
        get(warp),
        op(
          "v128.bitselect",
          op("i32x4.splat", get(next)),
          load("v128.load", get(warp), warpLayout.lanePc + 16 * index),
          load("v128.load", get(warp), warpLayout.mask + 16 * index),
        ),
        warpLayout.lanePc + 16 * index,
      );
    return [
      add(staticLayout.epoch, 1),
      opened === undefined ? [] : call(opened, i32(warpBytes)),
      forEachWarp(
        warp,
        warpBytes,
        when(op("i32.eq", load("i32.load", get(warp), warpLayout.turn), i32(warpTurns.waits)), [
          set(
            next,
            op(
              "i32.and",
              load("i32.load", op("i32.add", get(warp), lane), warpLayout.lanePc),
              i32(~pcFlags.barrier),
            ),
          ),
          Array.from({ length: 8 }, (_, index) => chunk(index)),
          store("i32.store", get(warp), get(next), warpLayout.pc),
          store("i32.store", get(warp), i32(0), warpLayout.spun),
          store("i32.store", get(warp), i32(warpTurns.runs), warpLayout.turn),
        ]),
      ),
    ];
  });
}
