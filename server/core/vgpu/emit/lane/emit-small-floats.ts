import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type FloatFormat, biasOf, formatOf, greatestOf, isSigned, types } from "../../ptx/types";
import { type Wasm, i32, op, splat32, splatFloat } from "../../wasm/code";
import { relued } from "./emit-convert-float";
import type { LaneFamily, LaneFamilies } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";

/**
 * Singles to eight bits, to nearest even; what is larger than the greatest finite number becomes that, a NaN
 * becomes 0x7f.
 */
function toSmall(lane: LaneEmitter, single: Wasm, format: FloatFormat): Wasm {
  const { fraction } = format;
  const bias = biasOf(format);
  const value = lane.keep(single);
  const magnitude = lane.keep(op("v128.and", value, splat32(0x7fff_ffff)));
  const drop = 23 - fraction;
  const even = op("v128.and", op("i32x4.shr_u", magnitude, i32(drop)), splat32(1));
  const normal = op(
    "i32x4.sub",
    op(
      "i32x4.shr_u",
      op("i32x4.add", op("i32x4.add", magnitude, splat32((1 << (drop - 1)) - 1)), even),
      i32(drop),
    ),
    splat32((127 - bias) << fraction),
  );
  // Below the normal numbers a sum with this constant has the last place of the format's subnormal ones.
  const unit = 2 ** (1 - bias - fraction + 23);
  const bits = at(new Int32Array(new Float32Array([unit]).buffer), 0);
  const tiny = op("i32x4.sub", op("f32x4.add", magnitude, splatFloat(unit)), splat32(bits));
  const rounded = op(
    "v128.bitselect",
    tiny,
    normal,
    op("i32x4.lt_s", magnitude, splat32((128 - bias) << 23)),
  );
  const limited = op(
    "v128.or",
    op("i32x4.min_u", rounded, splat32(greatestOf(format))),
    op("v128.and", op("i32x4.shr_u", value, i32(24)), splat32(0x80)),
  );
  return lane.keep(op("v128.bitselect", splat32(0x7f), limited, op("f32x4.ne", value, value)));
}

/**
 * cvt to pairs of e4m3 or e5m2 from two singles, the first of which goes to the upper half, or from packed
 * halves (PTX ISA section 9.7.9.22).
 */
const convertTo8: LaneFamily = (lane, instruction) => {
  const { relu } = instruction.matched.modifiers;
  const format = formatOf(typeOf(instruction, "to"));
  const from = typeOf(instruction, "from");
  const [d, a, b] = instruction.operands;
  const singles = (): readonly [Wasm, Wasm] => {
    if (from === types.f32)
      return [lane.readOne(instruction, a, types.f32), lane.readOne(instruction, b, types.f32)];
    const packed = lane.keep(lane.readOne(instruction, a, types.b32));
    return [
      lane.call("f16_to_f32", op("i32x4.shr_u", packed, i32(16))),
      lane.call("f16_to_f32", op("v128.and", packed, splat32(0xffff))),
    ];
  };
  const [upper, lower] = singles().map((single) =>
    toSmall(lane, relu ? relued(lane, single) : single, format),
  ) as [Wasm, Wasm];
  lane.write(instruction, d, types.b16, [op("v128.or", lower, op("i32x4.shl", upper, i32(8)))]);
};

/** Halves of bytes in 32-bit lanes; exact. */
function toHalf(lane: LaneEmitter, byte: Wasm, format: FloatFormat): Wasm {
  const half = formatOf(types.f16);
  const { exponent, fraction } = format;
  const value = lane.keep(byte);
  const magnitude = lane.keep(op("v128.and", value, splat32(0x7f)));
  const sign = op("i32x4.shl", op("v128.and", value, splat32(0x80)), i32(8));
  if (exponent === half.exponent) {
    const nan = op("i32x4.gt_s", magnitude, splat32(greatestOf(format) + 1));
    return lane.keep(op("v128.bitselect", splat32(0x7fff), op("i32x4.shl", value, i32(8)), nan));
  }
  const rebias = (biasOf(half) - biasOf(format)) << half.fraction;
  const normal = op("i32x4.add", op("i32x4.shl", magnitude, i32(half.fraction - fraction)), splat32(rebias));
  const tiny = lane.call(
    "f32_to_f16_rn",
    op("f32x4.mul", op("f32x4.convert_i32x4_s", magnitude), splatFloat(2 ** (1 - biasOf(format) - fraction))),
  );
  const finite = op(
    "v128.or",
    sign,
    op("v128.bitselect", tiny, normal, op("i32x4.lt_s", magnitude, splat32(1 << fraction))),
  );
  return lane.keep(op("v128.bitselect", splat32(0x7fff), finite, op("i32x4.eq", magnitude, splat32(0x7f))));
}

/** cvt from pairs of e4m3 or e5m2 to packed halves; with .relu negative numbers become zero. */
const convertFrom8: LaneFamily = (lane, instruction) => {
  const { relu } = instruction.matched.modifiers;
  const from = formatOf(typeOf(instruction, "from"));
  const [d, a] = instruction.operands;
  const packed = lane.keep(lane.readOne(instruction, a, types.u16));
  const positive = (half: Wasm): Wasm =>
    relu ? op("v128.andnot", half, op("i32x4.gt_u", half, splat32(0x7fff))) : half;
  const lower = positive(toHalf(lane, op("v128.and", packed, splat32(0xff)), from));
  const upper = positive(toHalf(lane, op("i32x4.shr_u", packed, i32(8)), from));
  lane.write(instruction, d, types.b32, [op("v128.or", lower, op("i32x4.shl", upper, i32(16)))]);
};

/**
 * cvt.pack: two integers clamped to a small type, the first above the second, with the third operand shifted
 * in above (PTX ISA section 9.7.9.23).
 */
const convertPack: LaneFamily = (lane, instruction) => {
  const { rest } = instruction.matched.types;
  const to = typeOf(instruction, "to");
  const [d, a, b, c] = instruction.operands;
  const size = to.bits;
  const [least, most] = isSigned(to) ? [-(2 ** (size - 1)), 2 ** (size - 1) - 1] : [0, 2 ** size - 1];
  const clamped = (operand: typeof a): Wasm => {
    const value = lane.readOne(instruction, operand, types.s32);
    const limited = op("i32x4.min_s", op("i32x4.max_s", value, splat32(least)), splat32(most));
    return op("v128.and", limited, splat32(2 ** size - 1));
  };
  const pair = op("v128.or", op("i32x4.shl", clamped(a), i32(size)), clamped(b));
  const above =
    rest === undefined ? splat32(0) : op("i32x4.shl", lane.readOne(instruction, c, types.b32), i32(2 * size));
  lane.write(instruction, d, types.b32, [op("v128.or", pair, above)]);
};

export const smallFloatFamilies = {
  "convert-to-8": convertTo8,
  "convert-from-8": convertFrom8,
  "convert-pack": convertPack,
} as const satisfies LaneFamilies;
