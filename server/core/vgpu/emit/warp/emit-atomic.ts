import { typeOf } from "../../opcodes/table";
import { i32 } from "../../wasm/code";
import { trash } from "../emitters/addresses";
import { type WarpFamily, translate, type WarpFamilies } from "./emit-memory";
import { isSharedSpace } from "../../ptx/spaces";
import { refuse } from "../../flatten/refusal";

/** atom and red (PTX ISA sections 9.7.13.5 and 9.7.13.6). */
const atomic: WarpFamily = (warp, instruction, mask) => {
  const { operation = "" } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  const { result: hasResult } = instruction.matched.traits;
  // The last operand of a cache hint is a policy, which is not modelled.
  const [first, ...rest] = instruction.matched.modifiers["hint"]
    ? instruction.operands.slice(0, -1)
    : instruction.operands;
  const [address, value, other] = hasResult ? rest : [first, ...rest];
  translate(warp, { instruction, address, bytes: type.bytes, access: "atomic", mask });
  if (warp.kernel.spread && !isSharedSpace(instruction.matched.modifiers["space"])) {
    return warp.push(
      warp.call(`reduction_${operation}_${type.name}`, warp.source(instruction, value, type), mask),
    );
  }
  const destination = hasResult ? warp.target(instruction, first) : trash();
  if (operation === "cas" && other === undefined) return refuse(instruction, "an operand is missing");
  warp.push(
    warp.call(
      `atomic_${operation}_${type.name}`,
      destination,
      warp.source(instruction, value, type),
      other === undefined ? i32(0) : warp.source(instruction, other, type),
      mask,
    ),
  );
};

export const atomicFamilies = { atomic, reduction: atomic } as const satisfies WarpFamilies;
