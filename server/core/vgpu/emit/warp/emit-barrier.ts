import { types } from "../../ptx/types";
import { barrierKinds, warpLayout } from "../../layout";
import { type Wasm, i32, load, op, store } from "../../wasm/code";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** Value of an operand that is the same in all lanes: that of the first active lane. */
function uniform(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): Wasm {
  if (!operand) return i32(-1);
  const at = warp.source(instruction, operand, types.u32);
  return load("i32.load", op("i32.add", at, op("i32.shl", op("i32.ctz", warp.active), i32(2))));
}

/** What the operands of a barrier say. */
interface BarrierOperands {
  readonly kind: keyof typeof barrierKinds;
  /** Of an arrival at the cluster's barrier: 1 where it orders no memory. */
  readonly id: ProgramOperand | undefined;
  readonly count: ProgramOperand | undefined;
  /** Of a reduction. */
  readonly predicate?: ProgramOperand | undefined;
  readonly result?: ProgramOperand | undefined;
}

/**
 * Reads the operands of bar and barrier; a reduction's are the result, the barrier, the count (optional) and
 * the predicate.
 */
export function barrierOperands({
  matched: { family, modifiers },
  operands,
}: ProgramInstruction): BarrierOperands {
  const { kind, operation } = modifiers;
  if (family === "cluster-barrier") {
    const isRelaxed = modifiers.semantics === "relaxed";
    return {
      kind: modifiers.action === "wait" ? "clusterWait" : "clusterArrive",
      id: isRelaxed ? { kind: "integer", value: 1n } : undefined,
      count: undefined,
    };
  }
  if (kind !== "red")
    return { kind: kind === "arrive" ? "arrive" : "sync", id: operands[0], count: operands[1] };
  const [result, id, ...rest] = operands;
  return {
    kind: operation === "and" || operation === "or" ? operation : "popc",
    result,
    id,
    count: rest.length > 1 ? rest[0] : undefined,
    predicate: rest.at(-1),
  };
}

/**
 * bar and barrier (PTX ISA section 9.7.13.1): leaves the request in the warp's header, where the scheduler of
 * the block reads it.
 */
export function emitBarrier(warp: WarpEmitter, instruction: ProgramInstruction): void {
  const { kind, id, count, predicate } = barrierOperands(instruction);
  const write = (offset: number, value: Wasm): void =>
    warp.push(store("i32.store", warp.warp, value, offset));
  const isReduction = barrierKinds[kind] >= barrierKinds.and;
  const register: ProgramOperand | undefined =
    predicate?.kind === "negated" ? { kind: "register", register: predicate.register } : predicate;
  const bits = isReduction ? warp.call("lane_bits", warp.source(instruction, register, types.pred)) : [];
  write(
    warpLayout.barrierId,
    uniform(warp, instruction, isReduction ? id : (id ?? { kind: "integer", value: 0n })),
  );
  write(warpLayout.barrierCount, uniform(warp, instruction, count));
  write(warpLayout.barrierKind, i32(barrierKinds[kind]));
  if (!isReduction) return;
  write(
    warpLayout.barrierBits,
    op("i32.and", predicate?.kind === "negated" ? op("i32.xor", bits, i32(-1)) : bits, warp.active),
  );
}
