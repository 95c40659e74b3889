import { types } from "../ptx/types";
import { signals, staticLayout, warpLayout } from "../layout";
import { faultCodes } from "../library/memory/async";
import { globals } from "../library/library";
import { type Wasm, call, get, getGlobal, i32, load, op, set, store, tee, when } from "../wasm/code";
import type { BlockState } from "./block-end";
import { isGathering, waitsForGrid } from "../analyse/blocks";
import { memberMask, namesNoLanes } from "./warp/emit-exchange";
import type { ProgramInstruction } from "../flatten/program";
import { spinRecord } from "../analyse/spinning";
import { WarpEmitter } from "./emitters/warp-emitter";

/** Visits that are left to a warp's lanes once waiting has turned out to be what the kernel does. */
const leastPatience = 32;

const patience = load("i32.load", getGlobal(globals.static), staticLayout.patience);

/**
 * At the start of a code block that may spin: a spin-wait whose observed values have not changed yields to
 * other lanes, which independent threads may expect (CUDA C++ Programming Guide, Independent Thread
 * Scheduling).
 */
export function emitPatience({ kernel, builder, warp, active, index, spin }: BlockState): Wasm {
  if (spin === undefined) return [];
  const record = kernel.spinsAt + spin.offset;
  const left = builder.local("i32");
  const again = op("i32.shr_u", patience, i32(1));
  return when(
    op("i32.ne", load("i32.load", warp, record + spinRecord.lanes), active),
    [
      store("i32.store", warp, active, record + spinRecord.lanes),
      store("i32.store", warp, patience, record + spinRecord.patience),
    ],
    [
      set(left, op("i32.sub", load("i32.load", warp, record + spinRecord.patience), i32(1))),
      store("i32.store", warp, get(left), record + spinRecord.patience),
      when(op("i32.lt_s", get(left), i32(0)), [
        store("i32.store", warp, i32(0), record + spinRecord.lanes),
        set(left, again),
        store(
          "i32.store",
          getGlobal(globals.static),
          op("select", get(left), i32(leastPatience), op("i32.gt_u", get(left), i32(leastPatience))),
          staticLayout.patience,
        ),
        store("i32.store", warp, i32(index), warpLayout.pc),
        i32(signals.spin),
        op("return"),
      ]),
    ],
  );
}

/**
 * After an observing instruction: a lane that sees something new has its patience back, and its warp does not
 * only wait.
 */
export function emitObservation(
  { kernel, spin, masked, builder }: BlockState,
  emitter: WarpEmitter,
  instruction: ProgramInstruction,
): void {
  const place = spin?.observed.indexOf(instruction) ?? -1;
  if (spin === undefined || place < 0) return;
  const [result] = instruction.operands;
  const operand =
    result?.kind === "vector" ? result.elements.find(({ kind }) => kind === "register") : result;
  if (operand?.kind !== "register") return;
  const { warp } = emitter;
  const wide = emitter.isWideRegister(operand);
  const record = kernel.spinsAt + spin.offset;
  const seen = record + spinRecord.seen + place * spinRecord.seenBytes;
  const from = kernel.slotOf(operand.register);
  const [value, changes] = [builder.local("v128"), builder.local("v128")];
  const maskOf = (chunk: number): Wasm => {
    if (!wide) return load("v128.load", warp, warpLayout.mask + 16 * chunk);
    return op(
      chunk % 2 === 0 ? "i64x2.extend_low_i32x4_s" : "i64x2.extend_high_i32x4_s",
      load("v128.load", warp, warpLayout.mask + 16 * (chunk >> 1)),
    );
  };
  const compare = Array.from({ length: wide ? 16 : 8 }, (_, chunk) => {
    const before = load("v128.load", warp, seen + 16 * chunk);
    const now = load("v128.load", warp, from + 16 * chunk);
    const kept = masked ? op("v128.bitselect", now, before, maskOf(chunk)) : now;
    const difference = op("v128.xor", tee(value, kept), before);
    return [
      set(changes, chunk === 0 ? difference : op("v128.or", get(changes), difference)),
      store("v128.store", warp, get(value), seen + 16 * chunk),
    ];
  });
  emitter.push(
    compare,
    when(op("v128.any_true", get(changes)), [
      store("i32.store", warp, patience, record + spinRecord.patience),
      store("i32.store", warp, i32(0), warpLayout.spun),
    ]),
  );
  builder.release(value);
  builder.release(changes);
}

/** The member mask of a warp-wide instruction where it is written as a number. */
function writtenMask(instruction: ProgramInstruction): number | undefined {
  const member = memberMask(instruction);
  return member?.kind === "integer" ? Number(BigInt.asIntN(32, member.value)) : undefined;
}

/** Lanes that wait for the grid before let all others run until it has ended. */
export function emitGridWait({ warp, block, index }: BlockState): Wasm {
  const [first] = block.instructions;
  if (!first || !waitsForGrid(first)) return [];
  return [
    when(load("i32.load", getGlobal(globals.static), staticLayout.gridBefore), [
      store("i32.store", warp, i32(index), warpLayout.pc),
      i32(signals.spin),
      op("return"),
    ]),
    store("i32.store", warp, i32(0), warpLayout.spun),
  ];
}

/** Lanes named by a warp-wide instruction that starts the block are waited for when they are elsewhere. */
export function emitGather({ kernel, builder, warp, active, block, index }: BlockState): Wasm {
  const [first] = block.instructions;
  if (!first || !isGathering(first)) return [];
  const emitter = new WarpEmitter(kernel, builder, warp, active);
  const named = writtenMask(first);
  const missing =
    named === undefined
      ? op("i32.eqz", emitter.call("gather_ready", warp, emitter.source(first, memberMask(first), types.b32)))
      : op(
          "i32.and",
          op("i32.and", load("i32.load", warp, warpLayout.live), i32(named)),
          op("i32.xor", active, i32(-1)),
        );
  return when(missing, [
    store("i32.store", warp, i32(index), warpLayout.pc),
    i32(signals.gather),
    op("return"),
  ]);
}

/**
 * A lane that runs a warp-wide instruction under a mask which leaves it out ends the launch: what it would
 * get is undefined (PTX ISA section 9.7.9.6, shfl.sync, and likewise of the others).
 */
export function emitMembership({ kernel, builder, warp, active, block }: BlockState): Wasm {
  const [first] = block.instructions;
  if (!first || !isGathering(first)) return [];
  const named = writtenMask(first);
  if (named === -1 || namesNoLanes(first)) return [];
  const emitter = new WarpEmitter(kernel, builder, warp, active);
  const outside = builder.local("i32");
  const bits =
    named === undefined
      ? emitter.call("lanes_outside", active, emitter.source(first, memberMask(first), types.b32))
      : op("i32.and", active, i32(~named));
  const site = kernel.addSite({ instruction: first, space: "generic", access: "load", bytes: 0 });
  return when(
    tee(outside, bits),
    call(kernel.importOf("fault"), i32(faultCodes.outsideMask), warp, i32(site), op("i32.ctz", get(outside))),
  );
}
