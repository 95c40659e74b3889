import { barrierKinds, warpLayout } from "../layout";
import { type Wasm, i32, load, op, store } from "../wasm/code";
import type { ProgramInstruction, ProgramOperand } from "./program";
import type { WarpEmitter } from "./warp-emitter";

/** Value of an operand that is the same in all lanes: that of the first active lane. */
function uniform(warp: WarpEmitter, instruction: ProgramInstruction, operand: ProgramOperand | undefined): Wasm {
  if (!operand) return i32(-1);
  const at = warp.source(instruction, operand, "u32");
  return load("i32.load", op("i32.add", at, op("i32.shl", op("i32.ctz", warp.active), i32(2))));
}

/**
 * bar and barrier (PTX ISA section 9.7.13.1): leaves the request in the warp's header, where the scheduler of the block reads it.
 * A reduction's operands are the result, the barrier, the count (optional) and the predicate.
 */
export function emitBarrier(warp: WarpEmitter, instruction: ProgramInstruction): void {
  const { kind = "sync", operation } = instruction.matched.modifiers;
  const write = (offset: number, value: Wasm): void => warp.push(store("i32.store", warp.warp, value, offset));
  if (kind !== "red") {
    const [id, count] = instruction.operands;
    write(warpLayout.barrierId, uniform(warp, instruction, id ?? { kind: "integer", value: 0n }));
    write(warpLayout.barrierCount, uniform(warp, instruction, count));
    write(warpLayout.barrierKind, i32(kind === "arrive" ? barrierKinds.arrive : barrierKinds.sync));
    return;
  }
  const [result, id, ...rest] = instruction.operands;
  const predicate = rest.at(-1);
  const negated = predicate?.kind === "negated";
  const register: ProgramOperand | undefined = predicate?.kind === "negated" ? { kind: "register", register: predicate.register } : predicate;
  const bits = warp.call("lane_bits", warp.source(instruction, register, "pred"));
  write(warpLayout.barrierId, uniform(warp, instruction, id));
  write(warpLayout.barrierCount, uniform(warp, instruction, rest.length > 1 ? rest[0] : undefined));
  write(warpLayout.barrierKind, i32(barrierKinds[operation === "and" ? "and" : operation === "or" ? "or" : "popc"]));
  write(warpLayout.barrierBits, op("i32.and", negated ? op("i32.xor", bits, i32(-1)) : bits, warp.active));
  write(warpLayout.barrierResult, warp.target(instruction, result));
}
