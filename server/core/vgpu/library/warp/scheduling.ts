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
import { globals, vectorLocals, wordLocals } from "../library";

/** Functions and sizes that the scheduler of a kernel's blocks needs. */
interface SchedulerParts {
  /** Index of `run_warp`. */
  readonly runWarp: number;
  /** Bytes from one warp to the next. */
  readonly warpBytes: number;
  /** Offset and bytes of a warp's records about waiting loops, which are zeroed when a block starts. */
  readonly spinsAt: number;
  readonly spinBytes: number;
  /** Shared memory that the system reserves: zeroed when a block starts. */
  readonly reservedShared: { readonly at: number; readonly bytes: number } | undefined;
  /** With detectors: functions to call after a block has started, and before its block-wide barrier opens. */
  readonly begun?: number;
  readonly opened?: number;
  /** A warp that has run out of fuel goes on itself: only where it pauses or waits do others take over. */
  readonly keepsTurn?: boolean;
}

const none = { parameters: [], results: [] } as const;
const base = getGlobal(globals.static);
const read = (offset: number): Wasm => load("i32.load", base, offset);
const write = (offset: number, value: Wasm): Wasm => store("i32.store", base, value, offset);
const add = (offset: number, value: number): Wasm => write(offset, op("i32.add", read(offset), i32(value)));

/**
 * Runs `body` for each warp of the block, with its address in `warp`. A branch to depth 0 repeats the warp.
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
 * Adds `run_blocks() → state`: runs the blocks of the current range one after the other. The warps of a block
 * take turns until all wait at its barrier or have ended. Opens the block-wide barrier 0 itself (PTX ISA
 * section 9.7.13.1). For any other barrier request, and when the fuel is used up, it returns; the next call
 * continues there.
 */
export function addBlockRunner(module: ModuleBuilder, parts: SchedulerParts): number {
  const start = addStart(module, parts);
  const open = addOpen(module, parts);
  return module.add({ parameters: [], results: ["i32"] }, (builder) => {
    const { warp, state, running, waiting, asking, busy } = wordLocals(
      builder,
      "warp",
      "state",
      "running",
      "waiting",
      "asking",
      "busy",
    );
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

/**
 * Whether a warp's barrier request can be opened by generated code: all lanes of the warp wait at barrier 0
 * for all threads, without a reduction.
 */
function isPlainBarrier(header: (offset: number) => Wasm): Wasm {
  return op(
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
}

/** Gives each runnable warp a turn, from `nextWarp` to the last. */
function turns(
  builder: FunctionBuilder,
  { runWarp, warpBytes, keepsTurn = false }: SchedulerParts,
  { warp, state }: { warp: number; state: number },
): Wasm {
  const place = builder.local("i32");
  const after = write(staticLayout.nextWarp, op("i32.add", get(warp), i32(keepsTurn ? 0 : warpBytes)));
  const turn = (value: Wasm): Wasm => store("i32.store", get(warp), value, warpLayout.turn);
  const header = (offset: number): Wasm => load("i32.load", get(warp), offset);
  const isState = (value: number): Wasm => op("i32.eq", get(state), i32(value));
  const atBarrier = turn(op("select", i32(warpTurns.waits), i32(warpTurns.asks), isPlainBarrier(header)));
  // Out of fuel, or stuck: `run_blocks` returns, and the next call continues with the next warp, or this one.
  const leave = [
    after,
    op("select", i32(blockStates.stuck), i32(blockStates.yielded), isState(warpStates.stuck)),
    op("return"),
  ];
  return [
    set(warp, read(staticLayout.nextWarp)),
    block(
      loop(
        branchIf(1, op("i32.ge_u", get(warp), read(staticLayout.endOfWarps))),
        when(op("i32.eqz", header(warpLayout.turn)), [
          set(state, call(runWarp, get(warp))),
          when(
            isState(warpStates.barrier),
            atBarrier,
            when(op("i32.eqz", get(state)), turn(i32(warpTurns.ended)), [
              write(staticLayout.lastWarp, get(warp)),
              when(op("i32.ne", get(state), i32(warpStates.spinning)), leave),
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

/** Ends the current block and moves on to the next one's coordinates. */
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
 * Fills shared memory with all ones (NaNs and huge indices), uninitialised, and its reserved part with
 * zeroes.
 */
function clearShared(reserved: SchedulerParts["reservedShared"]): Wasm {
  const shadow = op("i32.add", getGlobal(globals.shared), getGlobal(globals.shadow));
  const fillReserved = (start: Wasm, value: number): Wasm =>
    reserved ? fillMemory(op("i32.add", start, i32(reserved.at)), i32(value), i32(reserved.bytes)) : [];
  return [
    fillMemory(getGlobal(globals.shared), i32(0xff), getGlobal(globals.sharedBytes)),
    fillReserved(getGlobal(globals.shared), 0),
    when(getGlobal(globals.shadow), [
      fillMemory(shadow, i32(0), getGlobal(globals.sharedBytes)),
      fillReserved(shadow, 1),
    ]),
  ];
}

/** Linear number of the current block. */
function blockNumber(): Wasm {
  const id = (axis: number): Wasm => read(staticLayout.ctaid + 4 * axis);
  const size = (axis: number): Wasm => read(staticLayout.nctaid + 4 * axis);
  const rows = op("i32.add", id(1), op("i32.mul", size(1), id(2)));
  return op("i32.add", id(0), op("i32.mul", size(0), rows));
}

/** Resets a warp: all its lanes are active at the first code block. `locals.bits` and `mask` are vectors. */
function resetWarp(
  { warp, bits, mask }: Readonly<Record<"warp" | "bits" | "mask", number>>,
  { spinsAt, spinBytes }: Pick<SchedulerParts, "spinsAt" | "spinBytes">,
): Wasm {
  const header = (offset: number, value: Wasm): Wasm => store("i32.store", get(warp), value, offset);
  const lanesAtStart = load("i32.load", get(warp), warpLayout.lanesAtStart);
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
  return [
    set(bits, op("i32x4.splat", lanesAtStart)),
    Array.from({ length: 8 }, (_, index) => chunk(index)),
    header(warpLayout.pc, i32(0)),
    header(warpLayout.turn, i32(warpTurns.runs)),
    header(warpLayout.spun, i32(0)),
    spinBytes === 0 ? [] : fillMemory(op("i32.add", get(warp), i32(spinsAt)), i32(0), i32(spinBytes)),
    header(warpLayout.live, lanesAtStart),
    header(warpLayout.active, lanesAtStart),
  ];
}

/** Adds a function that starts the next block. */
function addStart(module: ModuleBuilder, parts: SchedulerParts): number {
  const { warpBytes, reservedShared, begun } = parts;
  return module.add(none, (builder) => {
    const warp = builder.local("i32");
    const { bits, mask } = vectorLocals(builder, "bits", "mask");
    return [
      write(staticLayout.blocksLeft, op("i32.sub", read(staticLayout.blocksLeft), i32(1))),
      write(staticLayout.atWork, i32(1)),
      add(staticLayout.epoch, 1),
      // Sectors touched until now were touched by other blocks.
      store(
        "i32.store",
        getGlobal(globals.reuse),
        load("i32.load", getGlobal(globals.reuse), reuseLayout.now),
        reuseLayout.blockStart,
      ),
      // Blocks are assigned to the multiprocessors in turn.
      write(staticLayout.multiprocessor, op("i32.rem_u", blockNumber(), i32(modelledGpu.multiprocessors))),
      clearShared(reservedShared),
      forEachWarp(warp, warpBytes, resetWarp({ warp, bits, mask }, parts)),
      begun === undefined ? [] : call(begun, i32(warpBytes)),
      write(staticLayout.nextWarp, read(staticLayout.firstWarp)),
      Array.from({ length: 4 }, (_, index) =>
        store("v128.store", base, splat32(0), staticLayout.arrived + 16 * index),
      ),
    ];
  });
}

/**
 * Adds a function that opens the block-wide barrier. The lanes of each waiting warp have converged, so its
 * mask and `active` are already right.
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
