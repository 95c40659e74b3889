import { types } from "../ptx/types";
import { faultCodes } from "../library/memory/async";
import { globals } from "../library/library";
import { blockLayout, pcFlags, signals, warpLayout } from "../layout";
import {
  type Wasm,
  branchIf,
  call,
  get,
  getGlobal,
  i32,
  i64,
  lanes32,
  load,
  op,
  set,
  splat32,
  store,
  when,
} from "../wasm/code";
import type { FunctionBuilder } from "../wasm/module";
import type { CodeBlock } from "../analyse/blocks";
import { emitBarrier } from "./warp/emit-barrier";
import { emitCall, emitResume, emitReturn } from "./warp/emit-calls";
import type { LaneCodes } from "./lane-code";
import type { PlannedBlock } from "../analyse/plan";
import { refuse } from "../flatten/refusal";
import { type WarpContext, WarpEmitter } from "./emitters/warp-emitter";

export interface BlockParts extends PlannedBlock {
  readonly kernel: WarpContext;
  readonly block: CodeBlock;
  readonly index: number;
  /** The version for warps whose lanes do not all run. */
  readonly masked: boolean;
  /** Of the whole kernel. */
  readonly lanes: LaneCodes;
}

/** A block while its code is composed. */
export interface BlockState extends BlockParts {
  readonly builder: FunctionBuilder;
  readonly warp: Wasm;
  /** Bit mask of the active lanes. */
  readonly active: Wasm;
  /** Bit masks of predicates, in locals. */
  readonly bits: Map<number, number>;
}

/** The lanes of a predicate as bits: from the segment that computed it, or from the register file. */
export function predicateBits(state: BlockState, register: number): Wasm {
  const known = state.bits.get(register);
  if (known !== undefined) return get(known);
  const emitter = new WarpEmitter(state.kernel, state.builder, state.warp, state.active);
  return emitter.call("lane_bits", op("i32.add", state.warp, i32(state.kernel.slotOf(register))));
}

/**
 * A block that does nothing but go back to itself is never left: compilers make it of a loop that waits for
 * what they take to be unchanging.
 */
function emitEndless({
  kernel,
  block: { terminator, instructions, last },
  index,
  warp,
  active,
}: BlockState): Wasm {
  if (terminator.kind !== "jump" || terminator.target !== index || instructions.length > 0 || !last)
    return [];
  const site = kernel.addSite({ instruction: last, space: "generic", access: "load", bytes: 0 });
  return call(kernel.importOf("fault"), i32(faultCodes.endless), warp, i32(site), op("i32.ctz", active));
}

/** Code that leaves the block: its value is the next block or a signal. */
export function emitEnd(state: BlockState): Wasm {
  const { terminator } = state.block;
  switch (terminator.kind) {
    case "jump":
      return [emitEndless(state), i32(terminator.target)];
    case "pause":
      return state.masked
        ? i32(terminator.next)
        : [store("i32.store", state.warp, i32(terminator.next), warpLayout.pc), i32(signals.pause)];
    case "exit":
      return i32(signals.exit);
    case "branch":
      return emitBranch(state, terminator);
    case "barrier": {
      const emitter = new WarpEmitter(state.kernel, state.builder, state.warp, state.active);
      emitBarrier(emitter, terminator.instruction);
      return [
        emitter.code,
        writeLanes(state, () => splat32(terminator.next | pcFlags.barrier)),
        i32(signals.barrier),
      ];
    }
    case "call":
      return emitCall(
        new WarpEmitter(state.kernel, state.builder, state.warp, state.active),
        terminator,
        state.saved ?? [],
      );
    case "return":
      return emitReturn(new WarpEmitter(state.kernel, state.builder, state.warp, state.active));
    case "trap": {
      const emitter = new WarpEmitter(state.kernel, state.builder, state.warp, state.active);
      const place = state.block.last
        ? emitter.kernel.addSite({
            instruction: state.block.last,
            space: "generic",
            access: "load",
            bytes: 0,
          })
        : 0;
      return [
        call(
          state.kernel.importOf("fault"),
          i32(faultCodes.trap),
          state.warp,
          i32(place),
          op("i32.ctz", state.active),
        ),
        i32(signals.exit),
      ];
    }
    default:
      return emitTable(state, terminator);
  }
}

/** What a block does before its instructions: behind a call it takes back what the call kept. */
export function emitStart({ kernel, builder, warp, active, restored }: BlockState): Wasm {
  return restored ? emitResume(new WarpEmitter(kernel, builder, warp, active), restored) : [];
}

/** Writes the next block of the active lanes; `value` gives four lanes' numbers. */
function writeLanes({ warp, masked }: BlockState, value: (chunk: number) => Wasm): Wasm {
  return Array.from({ length: 8 }, (_, chunk) => {
    const offset = warpLayout.lanePc + 16 * chunk;
    const next = value(chunk);
    return store(
      "v128.store",
      warp,
      masked
        ? op(
            "v128.bitselect",
            next,
            load("v128.load", warp, offset),
            load("v128.load", warp, warpLayout.mask + 16 * chunk),
          )
        : next,
      offset,
    );
  });
}

function emitBranch(
  state: BlockState,
  terminator: Extract<CodeBlock["terminator"], { kind: "branch" }>,
): Wasm {
  const { kernel, builder, active, index, masked } = state;
  const taken = builder.local("i32");
  const bits = predicateBits(state, terminator.register);
  const chosen = terminator.negated ? op("i32.xor", bits, i32(-1)) : bits;
  const at = getGlobal(globals.blocks);
  const offset = index * blockLayout.size + blockLayout.divergent;
  const count = kernel.counters
    ? store("i64.store", at, op("i64.add", load("i64.load", at, offset), i64(1n)), offset)
    : [];
  const laneBits = (chunk: number): Wasm => {
    const own = lanes32([1 << (4 * chunk), 2 << (4 * chunk), 4 << (4 * chunk), 8 << (4 * chunk)]);
    const isTaken = op("i32x4.ne", op("v128.and", op("i32x4.splat", get(taken)), own), splat32(0));
    return op("v128.bitselect", splat32(terminator.taken), splat32(terminator.otherwise), isTaken);
  };
  const again = op("i32.gt_s", getGlobal(globals.fuel), i32(0));
  const leave = (target: number): Wasm => [
    // Inside of the self-loop (depth 1: this `if` is 0) the block starts over without leaving its function.
    target === index ? branchIf(1, again) : [],
    i32(target),
    op("return"),
  ];
  return [
    set(taken, masked ? op("i32.and", chosen, active) : chosen),
    when(op("i32.eq", get(taken), active), leave(terminator.taken)),
    when(op("i32.eqz", get(taken)), leave(terminator.otherwise)),
    count,
    writeLanes(state, laneBits),
    i32(signals.diverged),
    op("return"),
    terminator.taken === index || terminator.otherwise === index ? [] : op("unreachable"),
  ];
}

function emitTable(state: BlockState, terminator: Extract<CodeBlock["terminator"], { kind: "table" }>): Wasm {
  const last = state.block.last;
  if (!last) return op("unreachable");
  if (terminator.targets.length > 256) return refuse(last, "more than 256 targets");
  const [first] = terminator.targets;
  if (first === undefined) return refuse(last, "no targets");
  const emitter = new WarpEmitter(state.kernel, state.builder, state.warp, state.active);
  const index = emitter.source(last, terminator.index, types.u32);
  const next = (chunk: number): Wasm =>
    terminator.targets.reduce<Wasm>(
      (value, target, at) =>
        op(
          "v128.bitselect",
          splat32(target),
          value,
          op("i32x4.eq", load("v128.load", index, 16 * chunk), splat32(at)),
        ),
      splat32(first),
    );
  return [emitter.code, writeLanes(state, next), i32(signals.diverged)];
}
