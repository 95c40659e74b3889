import { barrierKinds } from "../layout";
import type { CodeBlock } from "./blocks";
import { barrierOperands } from "../emit/warp/emit-barrier";
import type { ProgramOperand } from "../flatten/program";

/** A number, or the byte offset in a warp's block of the register that holds it. */
export type BarrierNumber = { readonly value: number } | { readonly slot: number };

/**
 * The barrier at the end of a block of code: what each of its lanes asks for can be read again while it
 * waits.
 */
export interface BarrierPlace {
  /**
   * All lanes of the warp have to come here together (PTX ISA section 9.7.13.1: `bar`, and `barrier` with
   * `.aligned`).
   */
  readonly aligned: boolean;
  readonly kind: number;
  readonly id: BarrierNumber | undefined;
  /** -1: all threads. */
  readonly count: BarrierNumber | undefined;
  /** Of a reduction: where its predicate and its result lie in a warp's block. */
  readonly predicate?: { readonly slot: number; readonly negated: boolean };
  readonly result?: number;
}

/** The barriers of a program by the block of code that ends in each. */
export function findBarrierPlaces(
  blocks: readonly CodeBlock[],
  slotOf: (register: number) => number,
): ReadonlyMap<number, BarrierPlace> {
  const places = new Map<number, BarrierPlace>();
  const numberOf = (operand: ProgramOperand | undefined, otherwise: number): BarrierNumber | undefined => {
    if (operand === undefined) return { value: otherwise };
    if (operand.kind === "integer") return { value: Number(BigInt.asIntN(32, operand.value)) };
    return operand.kind === "register" ? { slot: slotOf(operand.register) } : undefined;
  };
  blocks.forEach(({ terminator }, index) => {
    if (terminator.kind !== "barrier") return;
    const {
      matched: {
        instruction: { opcode },
        modifiers,
      },
    } = terminator.instruction;
    const { kind, id, count, predicate, result } = barrierOperands(terminator.instruction);
    places.set(index, {
      aligned: opcode !== "barrier" || modifiers["aligned"] !== undefined,
      kind: barrierKinds[kind],
      id: numberOf(id, 0),
      count: numberOf(count, -1),
      ...(predicate?.kind === "register" || predicate?.kind === "negated"
        ? { predicate: { slot: slotOf(predicate.register), negated: predicate.kind === "negated" } }
        : {}),
      ...(result?.kind === "register" ? { result: slotOf(result.register) } : {}),
    });
  });
  return places;
}
