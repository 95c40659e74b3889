import { signals, warpLayout } from "../../layout";
import { type Wasm, call, choose, get, i32, i64, load, op, set, splat32, store, when } from "../../wasm/code";
import { faultCodes } from "../memory/async";
import { type LibraryFunction, type LibraryTable, wordLocals } from "../library";
import { forEachLane, laneAt } from "../lanes";

const { stackTop, localTop, lanePc } = warpLayout;

function topOf(warp: Wasm, lane: Wasm, which: number = stackTop): Wasm {
  return load("i32.load", laneAt(warp, lane), which);
}

/** Linear address of a lane's call stack. `stack`: lane 0's; `stride`: size of one. */
function stackOf(stack: Wasm, stride: Wasm, lane: Wasm): Wasm {
  return op("i32.add", stack, op("i32.mul", lane, stride));
}

/**
 * stack_push(warp, stack, stride, bytes, block, mask, site): pushes `bytes` on the call stacks of the lanes,
 * with the block to return to at their end. A stack overflow ends the launch.
 */
const stackPush: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({
    builder,
    imported,
    parameters: [warp = [], stack = [], stride = [], bytes = [], next = [], mask = [], site = []],
  }) => {
    const { rest, lane, top } = wordLocals(builder, "rest", "lane", "top");
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(top, op("i32.add", topOf(warp, get(lane)), bytes)),
        when(
          op("i32.gt_u", get(top), stride),
          call(imported("fault"), i32(faultCodes.stackOverflow), warp, site, get(lane)),
        ),
        store("i32.store", laneAt(warp, get(lane)), get(top), stackTop),
        store(
          "i32.store",
          op("i32.sub", op("i32.add", stackOf(stack, stride, get(lane)), get(top)), i32(8)),
          next,
        ),
      ]),
    ];
  },
};

/**
 * stack_save_SIZE(warp, stack, stride, register, below, mask): saves the lanes' values `below` bytes under
 * the top of their call stacks.
 */
function stackMove(size: 32 | 64, saves: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
    build: ({
      builder,
      parameters: [warp = [], stack = [], stride = [], register = [], below = [], mask = []],
    }) => {
      const { rest, lane, at } = wordLocals(builder, "rest", "lane", "at");
      const from = op("i32.add", register, op("i32.shl", get(lane), i32(size === 32 ? 2 : 3)));
      const [loaded, stored] =
        size === 32 ? (["i32.load", "i32.store"] as const) : (["i64.load", "i64.store"] as const);
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(
            at,
            op("i32.sub", op("i32.add", stackOf(stack, stride, get(lane)), topOf(warp, get(lane))), below),
          ),
          saves ? store(stored, get(at), load(loaded, from)) : store(stored, from, load(loaded, get(at))),
        ]),
      ];
    },
  };
}

/** stack_pop(warp, bytes, mask): pops what the call has pushed. */
const stackPop: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], bytes = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    return [
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        store("i32.store", laneAt(warp, get(lane)), op("i32.sub", topOf(warp, get(lane)), bytes), stackTop),
      ),
    ];
  },
};

/** Writes each lane's next block. Returns the block if all agree, else the signal of divergence. */
function agree(
  builder: Parameters<LibraryFunction["build"]>[0]["builder"],
  { warp, mask, block }: { warp: Wasm; mask: Wasm; block: (lane: Wasm) => Wasm },
): Wasm {
  const { rest, lane, first, same, next } = wordLocals(builder, "rest", "lane", "first", "same", "next");
  return [
    set(first, i32(-1)),
    set(same, i32(1)),
    set(rest, mask),
    forEachLane(rest, lane, [
      set(next, block(get(lane))),
      store("i32.store", laneAt(warp, get(lane)), get(next), lanePc),
      when(op("i32.lt_s", get(first), i32(0)), set(first, get(next))),
      set(same, op("i32.and", get(same), op("i32.eq", get(first), get(next)))),
    ]),
    op("select", get(first), i32(signals.diverged), get(same)),
  ];
}

/** stack_return(warp, stack, stride, mask) → the block to return to, or the signal of divergence. */
const stackReturn: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [warp = [], stack = [], stride = [], mask = []] }) =>
    agree(builder, {
      warp,
      mask,
      block: (lane) =>
        load(
          "i32.load",
          op("i32.sub", op("i32.add", stackOf(stack, stride, lane), topOf(warp, lane)), i32(8)),
        ),
    }),
};

/** lanes_agree(warp, blocks, mask) → as stack_return, for block numbers in a vector. */
const lanesAgree: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
  build: ({ builder, parameters: [warp = [], blocks = [], mask = []] }) =>
    agree(builder, { warp, mask, block: (lane) => load("i32.load", laneAt(blocks, lane)) }),
};

/** stack_reset(warp, bytes): empties the call stacks, with local memory in use up to `bytes`. */
const stackReset: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [warp = [], bytes = []] }) =>
    Array.from({ length: 8 }, (_, chunk) => [
      store("v128.store", warp, splat32(0), stackTop + 16 * chunk),
      store("v128.store", warp, op("i32x4.splat", bytes), localTop + 16 * chunk),
    ]),
};

/**
 * frame_enter(warp, register, bytes, limit, mask, site): allocates a frame of local memory; its start goes to
 * a 64-bit register.
 */
const frameEnter: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({
    builder,
    imported,
    parameters: [warp = [], register = [], bytes = [], limit = [], mask = [], site = []],
  }) => {
    const { rest, lane, top } = wordLocals(builder, "rest", "lane", "top");
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(top, op("i32.and", op("i32.add", topOf(warp, get(lane), localTop), i32(15)), i32(-16))),
        store(
          "i64.store",
          op("i32.add", register, op("i32.shl", get(lane), i32(3))),
          op("i64.extend_i32_u", get(top)),
        ),
        when(
          op("i32.gt_u", op("i32.add", get(top), bytes), limit),
          call(imported("fault"), i32(faultCodes.stackOverflow), warp, site, get(lane)),
        ),
        store("i32.store", laneAt(warp, get(lane)), op("i32.add", get(top), bytes), localTop),
      ]),
    ];
  },
};

/** local_top(warp, register, wide, mask): the end of the lanes' local memory in use (stacksave). */
const readTop: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32"], results: [] },
  build: ({ builder, parameters: [warp = [], register = [], wide = [], mask = []] }) => {
    const [rest, lane] = [builder.local("i32"), builder.local("i32")];
    const top = topOf(warp, get(lane), localTop);
    return [
      set(rest, mask),
      forEachLane(
        rest,
        lane,
        when(
          wide,
          store(
            "i64.store",
            op("i32.add", register, op("i32.shl", get(lane), i32(3))),
            op("i64.extend_i32_u", top),
          ),
          store("i32.store", laneAt(register, get(lane)), top),
        ),
      ),
    ];
  },
};

/** Reads a lane of a register of 32 or 64 bits. */
function laneValue(register: Wasm, wide: Wasm, lane: Wasm): Wasm {
  return choose(
    "i64",
    wide,
    load("i64.load", op("i32.add", register, op("i32.shl", lane, i32(3)))),
    op("i64.extend_i32_u", load("i32.load", laneAt(register, lane))),
  );
}

/**
 * set_local_top(warp, register, wide, limit, mask, site): stackrestore, and the end of a frame. A value that
 * no stacksave returned is a fault.
 */
const setTop: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({
    builder,
    imported,
    parameters: [warp = [], register = [], wide = [], limit = [], mask = [], site = []],
  }) => {
    const [rest, lane, value] = [builder.local("i32"), builder.local("i32"), builder.local("i64")];
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(value, laneValue(register, wide, get(lane))),
        when(
          op("i64.gt_u", get(value), op("i64.extend_i32_u", limit)),
          call(imported("fault"), i32(faultCodes.badStack), warp, site, get(lane)),
        ),
        store("i32.store", laneAt(warp, get(lane)), op("i32.wrap_i64", get(value)), localTop),
      ]),
    ];
  },
};

/**
 * stack_allocate(warp, result, sizes, wide, align, limit, mask, site): alloca. The result is an address in
 * the local window.
 */
const allocate: LibraryFunction = {
  signature: { parameters: ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], results: [] },
  build: ({
    builder,
    imported,
    parameters: [warp = [], result = [], sizes = [], wide = [], align = [], limit = [], mask = [], site = []],
  }) => {
    const [rest, lane, start, size] = [
      builder.local("i32"),
      builder.local("i32"),
      builder.local("i64"),
      builder.local("i64"),
    ];
    const mostly = op("i64.extend_i32_u", op("i32.sub", align, i32(1)));
    const most = op("i64.extend_i32_u", limit);
    const end = op("i64.add", get(start), get(size));
    return [
      set(rest, mask),
      forEachLane(rest, lane, [
        set(size, laneValue(sizes, wide, get(lane))),
        set(
          start,
          op(
            "i64.and",
            op("i64.add", op("i64.extend_i32_u", topOf(warp, get(lane), localTop)), mostly),
            op("i64.xor", mostly, i64(-1n)),
          ),
        ),
        when(
          op("i32.or", op("i64.gt_u", get(size), most), op("i64.gt_u", end, most)),
          call(imported("fault"), i32(faultCodes.stackOverflow), warp, site, get(lane)),
        ),
        store("i32.store", laneAt(warp, get(lane)), op("i32.wrap_i64", end), localTop),
        when(
          wide,
          store("i64.store", op("i32.add", result, op("i32.shl", get(lane), i32(3))), get(start)),
          store("i32.store", laneAt(result, get(lane)), op("i32.wrap_i64", get(start))),
        ),
      ]),
    ];
  },
};

export const callLibrary: LibraryTable = {
  stack_push: stackPush,
  stack_pop: stackPop,
  stack_return: stackReturn,
  stack_reset: stackReset,
  lanes_agree: lanesAgree,
  stack_save_32: stackMove(32, true),
  stack_save_64: stackMove(64, true),
  stack_restore_32: stackMove(32, false),
  stack_restore_64: stackMove(64, false),
  frame_enter: frameEnter,
  local_top: readTop,
  set_local_top: setTop,
  stack_allocate: allocate,
};
