import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isSigned, isWide, types, unsignedOfSize } from "../../ptx/types";
import {
  type PlainOpcode,
  type Wasm,
  getGlobal,
  i32,
  load,
  op,
  shuffle,
  splat32,
  splat64,
} from "../../wasm/code";
import { globals } from "../../library/library";
import { type LaneFamily, type LaneFamilies, each } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { readsParameters } from "../../flatten/roles";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { evenWords, oddWords } from "../../wasm/shuffles";

const binary: Readonly<Record<string, PlainOpcode>> = { and: "v128.and", or: "v128.or", xor: "v128.xor" };

/** and, or, xor, not, cnot (PTX ISA section 9.7.8). */
const logic: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const { opcode } = instruction.matched.instruction;
  const left = lane.read(instruction, a, type);
  if (opcode === "not")
    lane.write(
      instruction,
      d,
      type,
      left.map((part) => op("v128.not", part)),
    );
  else if (opcode === "cnot") {
    const wide = isWide(type);
    const zero = wide ? splat64(0n) : splat32(0);
    const one = wide ? splat64(1n) : splat32(1);
    lane.write(
      instruction,
      d,
      type,
      left.map((part) => op("v128.and", op(wide ? "i64x2.eq" : "i32x4.eq", part, zero), one)),
    );
  } else {
    const code = binary[opcode] ?? refuse(instruction);
    const right = lane.read(instruction, b, type);
    lane.write(
      instruction,
      d,
      type,
      left.map((part, index) => op(code, part, at(right, index))),
    );
  }
};

/** lop3: any function of three bits, given as its truth table (PTX ISA section 9.7.8.6). */
const logicTable: LaneFamily = (lane, instruction) => {
  lane.write(instruction, instruction.operands[0], types.b32, [tableOf(lane, instruction)]);
};

/** lop3 with .and or .or: the second result is whether the first is not zero, combined with a predicate. */
const logicTablePredicate: LaneFamily = (lane, instruction) => {
  const [d, , , , , other] = instruction.operands;
  if (d?.kind !== "pair") return refuse(instruction, "a result is missing");
  const result = lane.keep(tableOf(lane, instruction));
  const predicate = lane.keep(lane.readOne(instruction, other, types.pred));
  lane.write(instruction, d.first, types.b32, [result]);
  lane.write(instruction, d.second, types.pred, [
    op(
      binary[instruction.matched.modifiers["combine"] ?? ""] ?? refuse(instruction),
      op("i32x4.ne", result, splat32(0)),
      predicate,
    ),
  ]);
};

function tableOf(lane: LaneEmitter, instruction: ProgramInstruction): Wasm {
  const [, a, b, c, table] = instruction.operands;
  if (table?.kind !== "integer") return refuse(instruction, "the table is no number");
  const bits = Number(table.value & 0xffn);
  const [x, y, z] = [a, b, c].map((operand) => lane.keep(lane.readOne(instruction, operand, types.b32))) as [
    Wasm,
    Wasm,
    Wasm,
  ];
  // By cases of x, then y, then z: each half of the table is a smaller table.
  const ofZ = (two: number): Wasm | 0 | 1 => at([0, op("v128.not", z), z, 1] as const, two);
  const full = (value: Wasm | 0 | 1): Wasm => {
    if (value === 0) return splat32(0);
    return value === 1 ? splat32(-1) : value;
  };
  const pick = (mask: Wasm, whenTrue: Wasm | 0 | 1, whenFalse: Wasm | 0 | 1): Wasm | 0 | 1 => {
    if (whenTrue === whenFalse && typeof whenTrue === "number") return whenTrue;
    if (whenTrue === 1 && whenFalse === 0) return mask;
    return op("v128.bitselect", full(whenTrue), full(whenFalse), mask);
  };
  const ofYZ = (four: number): Wasm | 0 | 1 => pick(y, ofZ(four >> 2), ofZ(four & 3));
  return full(pick(x, ofYZ(bits >> 4), ofYZ(bits & 15)));
}

/** shl, shr: amounts of the width or more shift everything out (PTX ISA sections 9.7.8.8 and 9.7.8.9). */
const shift: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const value = lane.read(instruction, a, type);
  const left = instruction.matched.instruction.opcode === "shl";
  const signed = isSigned(type);
  const width = type.bits;
  if (b?.kind === "integer")
    lane.write(
      instruction,
      d,
      type,
      shiftByConstant(value, Number(BigInt.asUintN(32, b.value)), { left, signed, width }),
    );
  else {
    const amount = lane.readOne(instruction, b, types.u32);
    const right = signed ? "right_signed" : "right";
    const name = `shift_${left ? "left" : right}_${isWide(type) ? 64 : 32}`;
    if (value.length === 1) lane.write(instruction, d, type, [lane.call(name, at(value, 0), amount)]);
    else {
      const kept = lane.keep(amount);
      const amounts = [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
      lane.write(
        instruction,
        d,
        type,
        value.map((part, index) => lane.call(name, part, at(amounts, index))),
      );
    }
  }
};

function shiftByConstant(
  value: Parts,
  amount: number,
  how: { left: boolean; signed: boolean; width: number },
): Parts {
  const wide = value.length === 2;
  if (amount >= how.width) {
    if (!how.signed || how.left) return value.map(() => splat32(0));
    return value.map((part) => op(wide ? "i64x2.shr_s" : "i32x4.shr_s", part, i32(wide ? 63 : 31)));
  }
  const right = how.signed ? "shr_s" : "shr_u";
  const code: PlainOpcode = `${wide ? "i64x2" : "i32x4"}.${how.left ? "shl" : right}`;
  return value.map((part) => op(code, part, i32(amount)));
}

/** shf: shifts the 64 bits b:a and keeps 32 (PTX ISA section 9.7.8.7). */
const funnelShift: LaneFamily = (lane, instruction) => {
  const [d, a, b, c] = instruction.operands;
  const { direction, mode } = instruction.matched.modifiers;
  const [low, high, amount] = [a, b, c].map((operand) =>
    lane.keep(lane.readOne(instruction, operand, types.b32)),
  ) as [Wasm, Wasm, Wasm];
  const count = lane.keep(
    mode === "wrap" ? op("v128.and", amount, splat32(31)) : op("i32x4.min_u", amount, splat32(32)),
  );
  const rest = lane.keep(op("i32x4.sub", splat32(32), count));
  const [main, other] = direction === "l" ? [high, low] : [low, high];
  const [mainShift, otherShift] =
    direction === "l" ? ["shift_left_32", "shift_right_32"] : ["shift_right_32", "shift_left_32"];
  lane.write(instruction, d, types.b32, [
    op("v128.or", lane.call(mainShift, main, count), lane.call(otherShift, other, rest)),
  ]);
};

/** mov between registers, packing and unpacking vectors (PTX ISA sections 9.7.9.3 and 9.7.9.4). */
const move: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a] = instruction.operands;
  if (instruction.matched.modifiers["vector"]) moveVector(lane, instruction, d, a);
  else if (d?.kind === "vector") unpack(lane, instruction, d.elements, a);
  else if (a?.kind === "vector") pack(lane, instruction, d, a.elements);
  else lane.write(instruction, d, type, lane.read(instruction, a, type));
};

/** mov.v2 and mov.v4: element by element. */
function moveVector(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  d: ProgramOperand | undefined,
  a: ProgramOperand | undefined,
): void {
  const count = Number(instruction.matched.modifiers["vector"]?.slice(1));
  if (
    d?.kind !== "vector" ||
    a?.kind !== "vector" ||
    d.elements.length !== count ||
    a.elements.length !== count
  )
    return refuse(instruction, "no vector");
  const type = typeOf(instruction);
  const values = a.elements.map((element) => lane.keepAll(lane.read(instruction, element, type)));
  d.elements.forEach((element, index) => lane.write(instruction, element, type, at(values, index)));
}

function unpack(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  elements: readonly ProgramOperand[],
  source: ProgramOperand | undefined,
): void {
  const type = typeOf(instruction);
  const value = lane.keepAll(lane.read(instruction, source, type));
  const [low = [], high = []] = value;
  const size = type.bytes / elements.length;
  if (size === 4) {
    lane.write(instruction, elements[0], types.b32, [shuffle(low, high, evenWords)]);
    lane.write(instruction, elements[1], types.b32, [shuffle(low, high, oddWords)]);
  } else if (size === 2 && value.length === 1) {
    lane.write(instruction, elements[0], types.b16, [op("v128.and", low, splat32(0xffff))]);
    lane.write(instruction, elements[1], types.b16, [op("i32x4.shr_u", low, i32(16))]);
  } else if (size === 2) {
    const words = [lane.keep(shuffle(low, high, evenWords)), lane.keep(shuffle(low, high, oddWords))];
    elements.forEach((element, index) => {
      const word = at(words, index >> 1);
      lane.write(instruction, element, types.b16, [
        index % 2 === 0 ? op("v128.and", word, splat32(0xffff)) : op("i32x4.shr_u", word, i32(16)),
      ]);
    });
  } else if (size === 1 && value.length === 1) {
    elements.forEach((element, index) =>
      lane.write(instruction, element, types.b8, [
        op("v128.and", op("i32x4.shr_u", low, i32(8 * index)), splat32(0xff)),
      ]),
    );
  } else refuse(instruction, `unpacking into ${elements.length}`);
}

function pack(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  result: ProgramOperand | undefined,
  elements: readonly ProgramOperand[],
): void {
  const type = typeOf(instruction);
  const { bytes } = type;
  const size = bytes / elements.length;
  if (size !== 1 && size !== 2 && size !== 4) return refuse(instruction, `packing ${elements.length}`);
  const values = elements.map((element) =>
    lane.keep(lane.readOne(instruction, element, unsignedOfSize(size))),
  );
  const perWord = 4 / size;
  const words = Array.from({ length: Math.max(1, bytes / 4) }, (_, word) =>
    values
      .slice(word * perWord, (word + 1) * perWord)
      .map((value, index) => (index === 0 ? value : op("i32x4.shl", value, i32(8 * size * index))))
      .reduce((left, right) => op("v128.or", left, right)),
  );
  const [low = [], high] = words.map((word) => lane.keep(word));
  if (high === undefined) lane.write(instruction, result, type, [low]);
  else {
    lane.write(instruction, result, type, [
      shuffle(low, high, [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23]),
      shuffle(low, high, [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31]),
    ]);
  }
}

/** ld.param of a kernel parameter: the same bytes for every lane (PTX ISA section 9.7.9.8). */
export const loadParameter: LaneFamily = (lane, instruction) => {
  const [d, address] = instruction.operands;
  if (!readsParameters(instruction) || address?.kind !== "address" || address.base.kind !== "place")
    return refuse(instruction);
  const type = typeOf(instruction);
  const { bytes } = type;
  const start = lane.kernel.parametersAt + address.base.offset + address.offset;
  if (address.base.offset + address.offset < 0) return refuse(instruction, "a parameter before the first");
  const targets = d?.kind === "vector" ? d.elements : [d];
  targets.forEach((target, index) =>
    lane.write(instruction, target, type, parameterParts(start + index * bytes, type)),
  );
};

function parameterParts(at: number, type: PtxType): Parts {
  const { bytes } = type;
  const base = getGlobal(globals.static);
  if (bytes === 8) {
    const value = load("v128.load64_splat", base, at);
    return [value, value];
  }
  if (bytes === 4) return [load("v128.load32_splat", base, at)];
  const signed = isSigned(type);
  if (bytes === 2) return [op("i32x4.splat", load(signed ? "i32.load16_s" : "i32.load16_u", base, at))];
  return [op("i32x4.splat", load(signed ? "i32.load8_s" : "i32.load8_u", base, at))];
}

/** Comparison of integers, as a mask of 32-bit lanes. */
const integerComparisons: Readonly<
  Record<string, { code: "eq" | "lt"; swap: boolean; negate: boolean; unsigned: boolean }>
> = {
  eq: { code: "eq", swap: false, negate: false, unsigned: false },
  ne: { code: "eq", swap: false, negate: true, unsigned: false },
  lt: { code: "lt", swap: false, negate: false, unsigned: false },
  gt: { code: "lt", swap: true, negate: false, unsigned: false },
  ge: { code: "lt", swap: false, negate: true, unsigned: false },
  le: { code: "lt", swap: true, negate: true, unsigned: false },
  lo: { code: "lt", swap: false, negate: false, unsigned: true },
  hi: { code: "lt", swap: true, negate: false, unsigned: true },
  hs: { code: "lt", swap: false, negate: true, unsigned: true },
  ls: { code: "lt", swap: true, negate: true, unsigned: true },
};

/** Compares integers of a type: lanes of 0 or -1 (PTX ISA section 9.3.1). */
export function compareIntegers(comparison: string, type: PtxType, a: Parts, b: Parts): Wasm | undefined {
  const rule = integerComparisons[comparison];
  if (!rule) return undefined;
  const [left, right] = rule.swap ? [b, a] : [a, b];
  const unsigned = rule.unsigned || !isSigned(type);
  const wide = isWide(type);
  const flip = (parts: Parts): Parts =>
    unsigned && wide && rule.code === "lt"
      ? parts.map((part) => op("v128.xor", part, splat64(1n << 63n)))
      : parts;
  const lessCode = unsigned ? "i32x4.lt_u" : "i32x4.lt_s";
  const narrowCode: PlainOpcode = rule.code === "eq" ? "i32x4.eq" : lessCode;
  const result = each(narrowCode, rule.code === "eq" ? "i64x2.eq" : "i64x2.lt_s", flip(left), flip(right));
  const [low = [], high] = result;
  const mask = high === undefined ? low : shuffle(low, high, evenWords);
  return rule.negate ? op("v128.not", mask) : mask;
}

export const logicFamilies = {
  move: move,
  logic: logic,
  "logic-table": logicTable,
  "logic-table-predicate": logicTablePredicate,
  shift: shift,
  "funnel-shift": funnelShift,
} as const satisfies LaneFamilies;
