import { typeOf } from "../../opcodes/table";
import { getGlobal, i32, op, type Wasm } from "../../wasm/code";
import { globals } from "../../library/library";
import { type PtxType, types } from "../../ptx/types";
import { trash } from "../emitters/addresses";
import { vectorElements } from "../emitters/memory-site";
import type { WarpEmitter } from "../emitters/warp-emitter";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
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
  if (instruction.matched.modifiers["vector"] !== undefined)
    return vectorAtomic(warp, instruction, { address, value, result: hasResult ? first : undefined, mask });
  translate(warp, { instruction, address, bytes: type.bytes, access: "atomic", mask });
  if (warp.kernel.spread && !isSharedSpace(instruction.matched.modifiers["space"])) {
    return warp.push(
      warp.call(`reduction_${operation}_${type.name}`, warp.source(instruction, value, type), mask),
    );
  }
  const destination = hasResult ? warp.target(instruction, first) : trash();
  if (operation === "cas" && other === undefined) return refuse(instruction, "an operand is missing");
  const operands = {
    destination,
    value: warp.source(instruction, value, type),
    other: other === undefined ? i32(0) : warp.source(instruction, other, type),
    mask,
  };
  warp.push(update(warp, operation, type, operands));
};

/** The call that updates memory at the addresses of the last translation. */
function update(
  warp: WarpEmitter,
  operation: string,
  type: PtxType,
  { destination, value, other, mask }: Readonly<Record<"destination" | "value" | "other" | "mask", Wasm>>,
): Wasm {
  const { sumsAt } = warp.kernel;
  if (sumsAt === undefined || operation !== "add" || type !== types.f32)
    return warp.call(`atomic_${operation}_${type.name}`, destination, value, other, mask);
  const sums = op("i32.add", getGlobal(globals.static), i32(sumsAt));
  return warp.call("atomic_add_exact_f32", destination, value, sums, mask);
}

interface VectorOperands {
  readonly address: ProgramOperand | undefined;
  readonly value: ProgramOperand | undefined;
  readonly result: ProgramOperand | undefined;
  readonly mask: Wasm;
}

/** One access, whose elements are updated each by itself (PTX ISA section 9.7.13.5). */
function vectorAtomic(
  warp: WarpEmitter,
  instruction: ProgramInstruction,
  { address, value, result, mask }: VectorOperands,
): void {
  const { operation = "", vector } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  const values = vectorElements(value);
  const results = result === undefined ? values.map(() => undefined) : vectorElements(result);
  const count = Number(vector?.slice(1));
  if (values.length !== count || results.length !== count) return refuse(instruction, "no vector");
  const isOverwritten = results.some((each, place) =>
    values.slice(place + 1).some((later) => isSame(each, later)),
  );
  if (isOverwritten) return refuse(instruction, "a result in the register of another element's operand");
  translate(warp, { instruction, address, bytes: count * type.bytes, access: "atomic", mask });
  for (const [place, element] of values.entries()) {
    const into = results[place];
    const isWanted = into !== undefined && into.kind !== "sink";
    warp.push(
      ...(place === 0 ? [] : [warp.call("next_elements", i32(type.bytes))]),
      update(warp, operation, type, {
        destination: isWanted ? warp.target(instruction, into) : trash(),
        value: warp.source(instruction, element, type),
        other: i32(0),
        mask,
      }),
    );
  }
}

function isSame(one: ProgramOperand | undefined, other: ProgramOperand | undefined): boolean {
  return one?.kind === "register" && other?.kind === "register" && one.register === other.register;
}

export const atomicFamilies = { atomic, reduction: atomic } as const satisfies WarpFamilies;
