import { blockLayout, warpLayout } from "../layout";
import { globals } from "../library/library";
import {
  type Wasm,
  branchIf,
  get,
  getGlobal,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  setGlobal,
  store,
  tee,
  when,
} from "../wasm/code";
import type { FunctionBuilder } from "../wasm/module";
import { type BlockParts, type BlockState, emitEnd, emitStart, predicateBits } from "./block-end";
import { blockTime } from "../analyse/clocks";
import { emitGather, emitGridWait, emitMembership, emitObservation, emitPatience } from "./emit-waiting";
import { emitWarpWide } from "./warp/emit-warp";
import type { KeptRegister, LaneSegment } from "./lane-code";
import type { KernelContext } from "./emitters/kernel-context";
import type { ProgramInstruction } from "../flatten/program";
import { emitWhole } from "../flatten/refusal";
import { rolesOf } from "../flatten/roles";
import { widenMask } from "./emitters/values";
import { WarpEmitter } from "./emitters/warp-emitter";

/**
 * Code of one basic block for one warp: returns the next block or a signal. Lane segments run as a loop over
 * eight groups of four lanes with registers in locals; in the masked version results are blended into the
 * register file under the active mask.
 */
export function emitBlock(parts: BlockParts, builder: FunctionBuilder, warp: Wasm): Wasm {
  const { kernel, block, index, masked } = parts;
  // Both versions have it, so that their other locals have the same numbers and they can share lane code.
  const activeLocal = builder.local("i32");
  const active = masked ? get(activeLocal) : i32(-1);
  const state: BlockState = { ...parts, builder, warp, active, bits: new Map() };
  const body = [
    parts.segments.map((segment) =>
      segment.kind === "lanes" ? emitLanes(state, segment) : emitWarp(state, segment.instruction),
    ),
    block.last ? emitWhole(block.last, () => emitEnd(state)) : emitEnd(state),
  ];
  return [
    masked ? set(activeLocal, load("i32.load", warp, warpLayout.active)) : [],
    masked ? emitGather(state) : [],
    emitGridWait(state),
    emitMembership(state),
    emitStart(state),
    selfLoop(state, [
      emitPatience(state),
      setGlobal(globals.fuel, op("i32.sub", getGlobal(globals.fuel), i32(blockTime(block)))),
      kernel.counters ? countBlock(index, active) : [],
      body,
    ]),
  ];
}

/** A block that branches to itself stays in its function while all active lanes agree and there is fuel. */
function selfLoop({ block, index }: BlockState, body: Wasm): Wasm {
  const { terminator } = block;
  if (terminator.kind !== "branch" || (terminator.taken !== index && terminator.otherwise !== index))
    return body;
  return [loop(body), op("unreachable")];
}

function countBlock(index: number, active: Wasm): Wasm {
  const at = getGlobal(globals.blocks);
  const add = (offset: number, value: Wasm): Wasm =>
    store(
      "i64.store",
      at,
      op("i64.add", load("i64.load", at, index * blockLayout.size + offset), value),
      index * blockLayout.size + offset,
    );
  return [
    add(blockLayout.executions, i64(1n)),
    add(blockLayout.lanes, op("i64.extend_i32_u", op("i32.popcnt", active))),
  ];
}

/**
 * The loop over groups of four lanes: lane code that both versions share, then what leaves the segment, under
 * the active mask in the masked version.
 */
function emitLanes(state: BlockState, segment: LaneSegment): Wasm {
  const { kernel, builder, warp, masked } = state;
  const { code, narrow, wide, kept, bits } = state.lanes.of(kernel, builder, segment, { warp, masked });
  const at = {
    narrow: get(narrow),
    wide: get(wide),
    mask: masked ? load("v128.load", get(narrow), warpLayout.mask) : undefined,
  };
  for (const { register, local } of bits) state.bits.set(register, local);
  const work = [code, kept.map((register) => storeRegister(kernel, register, at))];
  return [
    set(narrow, warp),
    set(wide, warp),
    loop(
      at.mask === undefined ? work : when(op("v128.any_true", at.mask), work),
      bits.map(({ local, mask }) =>
        set(
          local,
          op(
            "i32.or",
            op("i32.shr_u", get(local), i32(4)),
            op("i32.shl", op("i32x4.bitmask", get(mask)), i32(28)),
          ),
        ),
      ),
      set(wide, op("i32.add", get(wide), i32(32))),
      branchIf(
        0,
        op("i32.lt_u", tee(narrow, op("i32.add", get(narrow), i32(16))), op("i32.add", warp, i32(128))),
      ),
    ),
  ];
}

function storeRegister(
  kernel: KernelContext,
  { register, locals }: KeptRegister,
  { narrow, wide, mask }: { readonly narrow: Wasm; readonly wide: Wasm; readonly mask: Wasm | undefined },
): Wasm {
  const slot = kernel.slotOf(register);
  const [first = 0, second] = locals;
  if (second === undefined) return storeVector(narrow, slot, first, mask);
  const masks = mask === undefined ? [] : widenMask(mask);
  return [storeVector(wide, slot, first, masks[0]), storeVector(wide, slot + 16, second, masks[1])];
}

/** Stores a local, all of it or the lanes of a mask. */
function storeVector(address: Wasm, offset: number, local: number, mask: Wasm | undefined): Wasm {
  const value = get(local);
  return store(
    "v128.store",
    address,
    mask === undefined ? value : op("v128.bitselect", value, load("v128.load", address, offset), mask),
    offset,
  );
}

function emitWarp(state: BlockState, instruction: ProgramInstruction): Wasm {
  const emitter = new WarpEmitter(state.kernel, state.builder, state.warp, state.active);
  const forget = (): void => rolesOf(instruction).writes.forEach((register) => state.bits.delete(register));
  if (!instruction.guard) {
    emitWarpWide(emitter, instruction, state.active);
    emitObservation(state, emitter, instruction);
    forget();
    return emitter.code;
  }
  const bits = predicateBits(state, instruction.guard.register);
  const chosen = instruction.guard.negated ? op("i32.xor", bits, i32(-1)) : bits;
  const mask = state.builder.local("i32");
  emitWarpWide(emitter, instruction, get(mask));
  emitObservation(state, emitter, instruction);
  forget();
  return when(tee(mask, op("i32.and", chosen, state.active)), emitter.code);
}
