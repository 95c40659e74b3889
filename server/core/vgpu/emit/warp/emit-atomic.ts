import { typeBytes } from "../../ptx/types";
import { i32 } from "../../wasm/code";
import { trash } from "../emitters/addresses";
import { type WarpFamily, translate } from "./emit-memory";
import { refuse } from "../../flatten/refusal";

/** atom and red (PTX ISA sections 9.7.13.5 and 9.7.13.6). */
const atomic: WarpFamily = (warp, instruction, mask) => {
  const { operation = "", type = "b32" } = instruction.matched.modifiers;
  const bytes = typeBytes(type) ?? 4;
  const isReduction = instruction.matched.instruction.opcode === "red";
  // The last operand of a cache hint is a policy, which is not modelled.
  const [first, ...rest] = instruction.matched.modifiers["hint"]
    ? instruction.operands.slice(0, -1)
    : instruction.operands;
  const [address, value, other] = isReduction ? [first, ...rest] : rest;
  translate(warp, { instruction, address, bytes, access: "atomic", mask });
  if (warp.kernel.spread && !instruction.matched.modifiers["space"]?.startsWith("shared")) {
    return warp.push(
      warp.call(`reduction_${operation}_${type}`, warp.source(instruction, value, type), mask),
    );
  }
  const destination = isReduction ? trash() : warp.target(instruction, first);
  if (operation === "cas" && other === undefined) return refuse(instruction, "an operand is missing");
  warp.push(
    warp.call(
      `atomic_${operation}_${type}`,
      destination,
      warp.source(instruction, value, type),
      other === undefined ? i32(0) : warp.source(instruction, other, type),
      mask,
    ),
  );
};

export const atomicFamilies: Readonly<Record<string, WarpFamily>> = { atomic };
