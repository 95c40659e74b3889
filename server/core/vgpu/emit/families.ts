import {
  absoluteDifference,
  integerAdd,
  integerDivide,
  integerExtreme,
  integerMultiply,
  integerUnary,
  type LaneFamily,
  multiply24,
  selectByPredicate,
  selectBySign,
} from "./lane/emit-integer";
import {
  approximateDouble,
  compare,
  copySign,
  floatApproximate,
  floatBinary,
  floatDivide,
  floatExtreme,
  floatFma,
  floatReciprocal,
  floatSign,
  floatSquareRoot,
  testNumber,
} from "./lane/emit-float";
import { splat64 } from "../wasm/code";
import { carry } from "./lane/emit-carry";
import { bitFamilies } from "./lane/emit-bits";
import { wordFamilies } from "./lane/emit-words";
import { convertFamilies } from "./lane/emit-convert";
import { halfFamilies } from "./lane/emit-half";
import { smallFloatFamilies } from "./lane/emit-small-floats";
import { videoFamilies } from "./lane/emit-video";
import { packedVideoFamilies } from "./lane/emit-video-packed";
import {
  funnelShift,
  loadParameter,
  logic,
  logicTable,
  logicTablePredicate,
  move,
  shift,
} from "./lane/emit-logic";

/**
 * createpolicy: what a policy holds is nobody's business but the cache's, which is not modelled (PTX ISA
 * section 9.7.9.18).
 */
const createPolicy: LaneFamily = (lane, instruction) => {
  lane.write(instruction, instruction.operands[0], "b64", [splat64(0n), splat64(0n)]);
};

/** Emitters of the lane-by-lane families of the opcode table. A family that is missing here is refused. */
export const laneFamilies: Readonly<Record<string, LaneFamily>> = {
  move: move,
  "integer-add": integerAdd,
  carry: carry,
  "integer-multiply": integerMultiply,
  "multiply-24": multiply24,
  "absolute-difference": absoluteDifference,
  "integer-divide": integerDivide,
  "integer-unary": integerUnary,
  "integer-extreme": integerExtreme,
  select: selectByPredicate,
  "select-sign": selectBySign,
  logic: logic,
  "logic-table": logicTable,
  "logic-table-predicate": logicTablePredicate,
  shift: shift,
  "funnel-shift": funnelShift,
  compare: compare,
  "float-binary": floatBinary,
  "float-fma": floatFma,
  "float-divide": floatDivide,
  "float-reciprocal": floatReciprocal,
  "float-square-root": floatSquareRoot,
  "float-approximate": floatApproximate,
  "approximate-double": approximateDouble,
  "float-sign": floatSign,
  "float-extreme": floatExtreme,
  "copy-sign": copySign,
  "test-number": testNumber,
  load: loadParameter,
  "cache-policy": createPolicy,
  ...bitFamilies,
  ...convertFamilies,
  ...halfFamilies,
  ...wordFamilies,
  ...smallFloatFamilies,
  ...videoFamilies,
  ...packedVideoFamilies,
};
