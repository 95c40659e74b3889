import { addressWindows } from "../../layout";
import { singleBits } from "../../ptx/variables";
import { type PtxType, types } from "../../ptx/types";
import type { KernelContext } from "./kernel-context";
import type { Place, ProgramOperand } from "../../flatten/program";

/** An integer as a register of the type holds it: small ones have zeroes above. */
function integerBits(value: bigint, type: PtxType): bigint {
  if (type === types.pred) return value === 0n ? 0n : -1n;
  return type.bytes < 4 ? BigInt.asUintN(8 * type.bytes, value) : value;
}

/** The bits of an operand that is the same in all lanes and known now; undefined for any other. */
export function integerValueOf(
  operand: ProgramOperand,
  type: PtxType,
  kernel: Pick<KernelContext, "dynamicSharedAt">,
): bigint | undefined {
  switch (operand.kind) {
    case "integer":
      return integerBits(operand.value, type);
    case "float":
      return operand.size === 64 && type === types.f32 ? singleBits(operand.bits) : operand.bits;
    case "place":
      return placeValue(operand, kernel);
    default:
      return undefined;
  }
}

/**
 * The address of a place, unless it is a module variable, which has one only once it is loaded. Shared and
 * local variables are offsets in their windows; parameters of a kernel have their generic address, so that
 * `cvta.param` has nothing to do (PTX ISA sections 5.1.6.1 and 9.7.9.20).
 */
export function placeValue(place: Place, kernel: Pick<KernelContext, "dynamicSharedAt">): bigint | undefined {
  if (place.space === "global") return undefined;
  if (place.space === "param") return addressWindows.parameter + BigInt(place.offset);
  return BigInt(place.space === "dynamic-shared" ? place.offset + kernel.dynamicSharedAt : place.offset);
}
