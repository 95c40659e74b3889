import { typeOf } from "../../opcodes/table";
import { type PtxType, isWide, types } from "../../ptx/types";
import { type Wasm, op, shuffle } from "../../wasm/code";
import { type LaneFamily, each, lessThan, product } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { refuse } from "../../flatten/refusal";
import { type Parts, widenMask } from "../emitters/values";
import { evenWords } from "../../wasm/shuffles";

function joinMask([low = [], high]: Parts): Wasm {
  return high === undefined ? low : shuffle(low, high, evenWords);
}

/** Sum or difference with a carry: `carry` is a mask of lanes, and so is the result's. */
function withCarry(
  lane: LaneEmitter,
  type: PtxType,
  how: { a: Parts; b: Parts; carry: Wasm | undefined; subtract: boolean },
): { value: Parts; carry: Wasm } {
  const { a, b, carry, subtract } = how;
  const unsigned = isWide(type) ? types.u64 : types.u32;
  const first = lane.keepAll(
    subtract ? each("i32x4.sub", "i64x2.sub", a, b) : each("i32x4.add", "i64x2.add", a, b),
  );
  const firstOut = lane.keepAll(subtract ? lessThan(unsigned, a, b) : lessThan(unsigned, first, a));
  if (carry === undefined) return { value: first, carry: lane.keep(joinMask(firstOut)) };
  // A mask is -1, so that subtracting it adds one.
  const masks = isWide(type) ? lane.keepAll(widenMask(carry)) : [carry];
  const second = lane.keepAll(
    subtract ? each("i32x4.add", "i64x2.add", first, masks) : each("i32x4.sub", "i64x2.sub", first, masks),
  );
  const secondOut = subtract ? lessThan(unsigned, first, second) : lessThan(unsigned, second, first);
  return { value: second, carry: lane.keep(op("v128.or", joinMask(firstOut), joinMask(secondOut))) };
}

/**
 * add, sub and mad with .cc and the forms that take the carry in (PTX ISA section 9.7.2). The condition code
 * is a register of the program, the last operand. A subtraction is an addition of the complement and one, so
 * that its carry is the opposite of a borrow: the compiler's own division of 128-bit integers adds with the
 * carry that a subtraction left.
 */
export const carry: LaneFamily = (lane, instruction) => {
  const { modifiers, carry: how } = instruction.matched;
  const type = typeOf(instruction);
  const [d, first, second, ...rest] = instruction.operands;
  const code = rest.at(-1);
  if (code?.kind !== "register" || !how) return refuse(instruction);
  const subtract = how.does === "subtract";
  const turned = (mask: Wasm): Wasm => (subtract ? op("v128.not", mask) : mask);
  const carryIn = how.takes ? lane.keep(turned(lane.readOne(instruction, code, types.pred))) : undefined;
  const [x, y] = [
    lane.keepAll(lane.read(instruction, first, type)),
    lane.keepAll(lane.read(instruction, second, type)),
  ];
  const isMad = how.does === "multiply-add";
  const a = isMad ? lane.keepAll(product(lane, instruction, type, x, y).parts) : x;
  const b = isMad ? lane.keepAll(lane.read(instruction, rest[0], type)) : y;
  const result = withCarry(lane, type, { a, b, carry: carryIn, subtract });
  lane.write(instruction, d, type, result.value);
  if (modifiers["out"]) lane.write(instruction, code, types.pred, [turned(result.carry)]);
};
