import { type PtxType, isWide, types } from "../../ptx/types";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { placeValue } from "./immediates";
import { type KernelContext, symbolAddress } from "./kernel-context";
import { type Parts, integerParts } from "./values";

/** The address of a variable, the same in all lanes. */
export function addressParts(
  kernel: KernelContext,
  instruction: ProgramInstruction,
  place: Extract<ProgramOperand, { kind: "place" }>,
  type: PtxType,
): Parts {
  const wide = isWide(type);
  const known = placeValue(place, kernel);
  if (known === undefined) {
    if (!wide) return refuse(instruction, "a global address in 32 bits");
    const at = symbolAddress(kernel, place.symbol, place.offset);
    return [at, at];
  }
  if (place.space === "param" && !wide) return refuse(instruction, "the address of a parameter in 32 bits");
  return integerParts(known, wide ? types.u64 : types.u32);
}
