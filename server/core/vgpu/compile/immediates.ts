import { singleBits } from "../ptx/variables";
import type { KernelContext } from "./lane-emitter";
import type { ProgramOperand } from "./program";

/** The bits of an operand that is the same in all lanes and known now; undefined for any other. */
export function integerValueOf(operand: ProgramOperand, type: string, kernel: Pick<KernelContext, "dynamicSharedAt">): bigint | undefined {
  switch (operand.kind) {
    case "integer": return type === "pred" ? (operand.value === 0n ? 0n : -1n) : operand.value;
    case "float": return operand.size === 64 && type === "f32" ? singleBits(operand.bits) : operand.bits;
    case "place":
      if (operand.space === "global" || operand.space === "param") return undefined;
      return BigInt(operand.space === "dynamic-shared" ? operand.offset + kernel.dynamicSharedAt : operand.offset);
    default: return undefined;
  }
}
