import { addressWindows } from "../../layout";
import { isWide, typeBytes } from "../../ptx/types";
import {
  type PlainOpcode,
  type Wasm,
  i32,
  op,
  shuffle,
  splat32,
  splat64,
  splatDouble,
} from "../../wasm/code";
import { flushed, saturated } from "./emit-float";
import { type LaneFamily, lessThan, typeOf } from "./emit-integer";
import { type LaneEmitter, symbolAddress } from "../emitters/lane-emitter";
import { readLoose, writeLoose } from "../emitters/loose-nans";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type Parts, normalize } from "../emitters/values";
import { evenWords, firstLongs, upperLong } from "../../wasm/shuffles";

const isFloat = (type: string): boolean => type.includes("f");

/** cvt (PTX ISA section 9.7.9.21). */
const convert: LaneFamily = (lane, instruction) => {
  const { to = "", from = "", flush } = instruction.matched.modifiers;
  const [d, a] = instruction.operands;
  // A double keeps the bits of a NaN.
  let value =
    from === "f32" && to !== "f64"
      ? readLoose(lane, instruction, a, from)
      : lane.read(instruction, a, from === "f16" || from === "bf16" ? "u16" : from);
  if (flush && from === "f32") value = value.map((part) => flushed(lane, part));
  if (isFloat(from)) {
    if (isFloat(to)) floatToFloat(lane, instruction, value);
    else
      lane.write(instruction, d, to, floatToInteger(lane, instruction, toSingleOrDouble(lane, from, value)));
  } else if (isFloat(to)) integerToFloat(lane, instruction, value);
  else lane.write(instruction, d, to, integerToInteger(lane, instruction, value));
};

function toSingleOrDouble(lane: LaneEmitter, from: string, value: Parts): Parts {
  return from === "f16" || from === "bf16" ? [lane.call(`${from}_to_f32`, value[0] ?? [])] : value;
}

/**
 * Between integers: extension by the source's sign, truncation, and saturation to the destination's range.
 */
function integerToInteger(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Parts {
  const { to = "", from = "", saturate } = instruction.matched.modifiers;
  const kept = lane.keepAll(value);
  const limited = saturate ? saturateInteger(lane, from, to, kept) : kept;
  if (isWide(to) === (limited.length === 2))
    return isWide(to) ? limited : [normalize(limited[0] ?? [], to, "b32")];
  if (!isWide(to)) return [normalize(shuffle(limited[0] ?? [], limited[1] ?? [], evenWords), to, "b32")];
  const [low = []] = limited;
  return from.startsWith("s")
    ? [op("i64x2.extend_low_i32x4_s", low), op("i64x2.extend_high_i32x4_s", low)]
    : [op("i64x2.extend_low_i32x4_u", low), op("i64x2.extend_high_i32x4_u", low)];
}

function rangeOf(type: string): { readonly least: bigint; readonly most: bigint } {
  const bits = BigInt(8 * (typeBytes(type) ?? 4));
  return type.startsWith("s")
    ? { least: -(1n << (bits - 1n)), most: (1n << (bits - 1n)) - 1n }
    : { least: 0n, most: (1n << bits) - 1n };
}

function saturateInteger(lane: LaneEmitter, from: string, to: string, value: Parts): Parts {
  const [source, target] = [rangeOf(from), rangeOf(to)];
  const constant = (number: bigint): Parts =>
    value.map(() => (isWide(from) ? splat64(number) : splat32(Number(BigInt.asIntN(32, number)))));
  let result = value;
  // 8- and 16-bit values were widened, so that 32-bit comparisons of the source's sign are right for them
  // too.
  const type = `${from.startsWith("s") ? "s" : "u"}${isWide(from) ? 64 : 32}`;
  const pick = (masks: Parts, replacement: Parts): Parts =>
    lane.keepAll(
      result.map((part, index) => op("v128.bitselect", replacement[index] ?? [], part, masks[index] ?? [])),
    );
  if (source.least < target.least)
    result = pick(lessThan(type, result, constant(target.least)), constant(target.least));
  if (source.most > target.most)
    result = pick(lessThan(type, constant(target.most), result), constant(target.most));
  return result;
}

/** Rounds a float to an integral float as .rni, .rzi, .rmi or .rpi say. */
function integral(mode: string, wide: boolean, value: Wasm): Wasm {
  const shape = wide ? "f64x2" : "f32x4";
  const codes: Readonly<Record<string, PlainOpcode>> = {
    rni: `${shape}.nearest`,
    rzi: `${shape}.trunc`,
    rmi: `${shape}.floor`,
    rpi: `${shape}.ceil`,
  };
  const code = codes[mode];
  return code === undefined ? value : op(code, value);
}

/**
 * Float to integer: always clamped to the range. A NaN becomes 0, but when the source is a double or the
 * result has 64 bits it becomes the number whose only set bit is the highest.
 */
function floatToInteger(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Parts {
  const { to = "", from = "", rounding } = instruction.matched.modifiers;
  if (rounding === undefined || !rounding.endsWith("i")) return refuse(instruction);
  const nan =
    from === "f64" && !isWide(to)
      ? lane.keep(
          shuffle(
            op("f64x2.ne", value[0] ?? [], value[0] ?? []),
            op("f64x2.ne", value[1] ?? [], value[1] ?? []),
            evenWords,
          ),
        )
      : undefined;
  const rounded = value.map((part) => integral(rounding, from === "f64", part));
  const signed = to.startsWith("s");
  if (isWide(to)) {
    const name = `${from === "f64" ? "f64" : "f32"}_to_${to}`;
    if (from === "f64") return rounded.map((part) => lane.call(name, part));
    const kept = lane.keep(rounded[0] ?? []);
    return [lane.call(name, kept), lane.call(name, shuffle(kept, kept, upperLong))];
  }
  const whole =
    from === "f64"
      ? shuffle(
          op(signed ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f64x2_u_zero", rounded[0] ?? []),
          op(signed ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f64x2_u_zero", rounded[1] ?? []),
          firstLongs,
        )
      : op(signed ? "i32x4.trunc_sat_f32x4_s" : "i32x4.trunc_sat_f32x4_u", rounded[0] ?? []);
  const limited =
    typeBytes(to) === 4 ? [whole] : saturateInteger(lane, signed ? "s32" : "u32", to, [lane.keep(whole)]);
  if (nan === undefined) return limited;
  return limited.map((part) => op("v128.bitselect", splat32(1 << (8 * (typeBytes(to) ?? 4) - 1)), part, nan));
}

/** Four integers as doubles: exact when they have 32 bits, else rounded as `rounding` says. */
function doublesOf(lane: LaneEmitter, from: string, value: Parts, rounding: string): Parts {
  if (isWide(from))
    return value.map((part) => lane.call(`${from}_to_f64${rounding === "rn" ? "" : `_${rounding}`}`, part));
  const kept = lane.keep(value[0] ?? []);
  const code: PlainOpcode = from.startsWith("s") ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u";
  return [op(code, kept), op(code, shuffle(kept, kept, upperLong))];
}

function integerToFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { to = "", from = "", rounding, saturate } = instruction.matched.modifiers;
  if (rounding === undefined || !["rn", "rz", "rm", "rp"].includes(rounding)) return refuse(instruction);
  const [d] = instruction.operands;
  if (to === "f64") {
    const doubles = doublesOf(lane, from, value, rounding);
    lane.write(instruction, d, to, saturate ? doubles.map(saturatedDouble) : doubles);
    return;
  }
  const single = singleOf(lane, instruction, value);
  const limited = saturate ? saturated(single) : single;
  if (to === "f32") lane.write(instruction, d, to, [limited]);
  else lane.write(instruction, d, "b16", [halfOf(lane, limited, to, rounding)]);
}

/**
 * Integers as singles; on their way to halves rounded to odd, so that the second rounding is the only one.
 */
function singleOf(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Wasm {
  const { to = "", from = "", rounding = "rn" } = instruction.matched.modifiers;
  const signed = from.startsWith("s");
  if (rounding === "rn" && !isWide(from) && (to !== "bf16" || typeBytes(from) !== 4)) {
    // Integers that singles do not hold exactly are infinite as halves anyway, but not as bfloat16.
    return op(signed ? "f32x4.convert_i32x4_s" : "f32x4.convert_i32x4_u", value[0] ?? []);
  }
  if (rounding === "rn" && to === "f32") {
    return shuffle(
      lane.call(`${from}_to_f32`, value[0] ?? []),
      lane.call(`${from}_to_f32`, value[1] ?? []),
      firstLongs,
    );
  }
  const narrow = `f64_to_f32_${to === "f32" ? rounding : "odd"}`;
  const [low = [], upper = []] = doublesOf(lane, from, value, "odd").map((part) => lane.call(narrow, part));
  return shuffle(low, upper, firstLongs);
}

/**
 * Singles rounded to halves or bfloat16. Up and down start from what is cut off, which is never farther from
 * zero.
 */
function halfOf(lane: LaneEmitter, single: Wasm, to: string, rounding: string): Wasm {
  if (rounding === "rn" || rounding === "rz") return lane.call(`f32_to_${to}_${rounding}`, single);
  const kept = lane.keep(single);
  const cut = lane.keep(lane.call(`f32_to_${to}_rz`, kept));
  return op(
    "i32x4.sub",
    cut,
    op(rounding === "rp" ? "f32x4.gt" : "f32x4.lt", kept, lane.call(`${to}_to_f32`, cut)),
  );
}

/** Clamps doubles to [0, 1]; a NaN becomes +0. */
function saturatedDouble(value: Wasm): Wasm {
  return op("f64x2.pmin", splatDouble(1), op("f64x2.pmax", splatDouble(0), value));
}

function floatToFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { to = "", from = "", rounding, flush, saturate, relu, finite } = instruction.matched.modifiers;
  const [d] = instruction.operands;
  const small = to === "f16" || to === "bf16";
  if ((relu || finite) && !small) return refuse(instruction);
  if (from === to || rounding?.endsWith("i")) {
    if (from !== to || relu) return refuse(instruction);
    const rounded = toSingleOrDouble(lane, from, value).map((part) =>
      rounding ? integral(rounding, to === "f64", part) : part,
    );
    const limited = saturate
      ? rounded.map((part) => (to === "f64" ? saturatedDouble(part) : saturated(part)))
      : rounded;
    if (to === "f32") writeLoose(lane, instruction, d, limited);
    else
      lane.write(
        instruction,
        d,
        small ? "b16" : to,
        small ? limited.map((part) => lane.call(`f32_to_${to}_rn`, part)) : limited,
      );
  } else if (small) {
    const mode = rounding ?? (from === "f16" || from === "bf16" ? "rn" : refuse(instruction));
    let single =
      from === "f16" || from === "bf16"
        ? (toSingleOrDouble(lane, from, value)[0] ?? [])
        : from === "f64"
          ? shuffle(
              lane.call("f64_to_f32_odd", value[0] ?? []),
              lane.call("f64_to_f32_odd", value[1] ?? []),
              firstLongs,
            )
          : (value[0] ?? []);
    if (saturate) single = saturated(single);
    if (relu) single = relued(lane, single);
    const half = halfOf(lane, single, to, mode);
    lane.write(instruction, d, "b16", [finite ? finiteHalf(lane, half, to) : half]);
  } else if (from === "f16" || from === "bf16") {
    let single = lane.call(`${from}_to_f32`, value[0] ?? []);
    if (flush && to === "f32") single = flushed(lane, single);
    if (to === "f32") writeLoose(lane, instruction, d, [saturate ? saturated(single) : single]);
    else {
      const kept = lane.keep(saturate ? saturated(single) : single);
      lane.write(instruction, d, to, [
        op("f64x2.promote_low_f32x4", kept),
        op("f64x2.promote_low_f32x4", shuffle(kept, kept, upperLong)),
      ]);
    }
  } else if (to === "f64") {
    const kept = lane.keep(saturate ? saturated(value[0] ?? []) : (value[0] ?? []));
    lane.write(instruction, d, to, [
      op("f64x2.promote_low_f32x4", kept),
      op("f64x2.promote_low_f32x4", shuffle(kept, kept, upperLong)),
    ]);
  } else {
    const name = `f64_to_f32_${rounding ?? ""}`;
    const demote = (part: Wasm): Wasm =>
      rounding === "rn" ? op("f32x4.demote_f64x2_zero", part) : lane.call(name, part);
    if (!["rn", "rz", "rm", "rp"].includes(rounding ?? "")) return refuse(instruction);
    let single = shuffle(demote(value[0] ?? []), demote(value[1] ?? []), firstLongs);
    if (flush) single = flushed(lane, single);
    writeLoose(lane, instruction, d, [saturate ? saturated(single) : single]);
  }
}

/** Infinite halves become the greatest finite number, which comes just before; a comparison's mask is -1. */
function finiteHalf(lane: LaneEmitter, half: Wasm, to: string): Wasm {
  const kept = lane.keep(half);
  return lane.keep(
    op(
      "i32x4.add",
      kept,
      op("i32x4.eq", op("v128.and", kept, splat32(0x7fff)), splat32(to === "f16" ? 0x7c00 : 0x7f80)),
    ),
  );
}

/** Negative lanes become +0, -0 among them; a NaN stays one (PTX ISA section 9.7.9.22, `.relu`). */
export function relued(lane: LaneEmitter, value: Wasm): Wasm {
  const kept = lane.keep(value);
  return op(
    "v128.andnot",
    kept,
    op("v128.and", op("i32x4.lt_s", kept, splat32(0)), op("f32x4.eq", kept, kept)),
  );
}

/** cvt of two singles into one packed register; the first source goes to the upper half. */
const convertPair: LaneFamily = (lane, instruction) => {
  const { to = "", rounding, saturate, relu } = instruction.matched.modifiers;
  const [d, a, b] = instruction.operands;
  const half = (operand: typeof a): Wasm => {
    const single = lane.read(instruction, operand, "f32")[0] ?? [];
    const rounded = lane.keep(
      lane.call(`f32_to_${to.slice(0, -2)}_${rounding ?? "rn"}`, relu ? relued(lane, single) : single),
    );
    return saturate ? finiteHalf(lane, rounded, to.slice(0, -2)) : rounded;
  };
  const [upper, lower] = [half(a), half(b)];
  lane.write(instruction, d, "b32", [op("v128.or", lower, op("i32x4.shl", upper, i32(16)))]);
};

/** cvt to tf32: 10 bits of fraction kept, ties away from zero for .rna (PTX ISA section 9.7.9.21). */
const convertTf32: LaneFamily = (lane, instruction) => {
  const { rounding, relu, saturate } = instruction.matched.modifiers;
  const [d, a] = instruction.operands;
  const value = lane.keep(lane.read(instruction, a, "f32")[0] ?? []);
  const source = relu ? lane.keep(relued(lane, value)) : value;
  const even = op(
    "i32x4.add",
    splat32(0xfff),
    op("v128.and", op("i32x4.shr_u", source, i32(13)), splat32(1)),
  );
  const addend = rounding === "rna" ? splat32(0x1000) : rounding === "rn" ? even : splat32(0);
  const finite = op("i32x4.lt_u", op("v128.and", source, splat32(0x7fff_ffff)), splat32(0x7f80_0000));
  const rounded = op("v128.and", op("i32x4.add", source, op("v128.and", addend, finite)), splat32(~0x1fff));
  const kept = lane.keep(rounded);
  const infinite = op("i32x4.eq", op("v128.and", kept, splat32(0x7fff_ffff)), splat32(0x7f80_0000));
  const limited = saturate ? op("i32x4.sub", kept, op("v128.and", infinite, splat32(0x2000))) : kept;
  lane.write(instruction, d, "b32", [
    op("v128.bitselect", splat32(0x7fff_ffff), limited, op("f32x4.ne", source, source)),
  ]);
};

/**
 * cvta: between a window's own addresses and generic ones (PTX ISA section 9.7.9.20). Addresses of global
 * memory and of parameters are generic ones.
 */
const convertAddress: LaneFamily = (lane, instruction) => {
  const { space = "", direction } = instruction.matched.modifiers;
  const type = typeOf(instruction);
  if (type !== "u64") return refuse(instruction);
  const [d, a] = instruction.operands;
  const value = lane.read(instruction, a, type);
  const window = space.startsWith("shared")
    ? addressWindows.shared
    : space === "local"
      ? addressWindows.local
      : 0n;
  const code: PlainOpcode = direction === "to" ? "i64x2.sub" : "i64x2.add";
  lane.write(
    instruction,
    d,
    type,
    window === 0n ? value : value.map((part) => op(code, part, splat64(window))),
  );
};

/** Lanes whose 64-bit number is less than `size` above `low`, as masks of two 64-bit lanes. */
function within(lane: LaneEmitter, parts: Parts, low: Wasm, size: number): Parts {
  return parts.map((part) => {
    const distance = lane.keep(op("i64x2.sub", part, low));
    return op(
      "v128.and",
      op("i64x2.ge_s", distance, splat64(0n)),
      op("i64x2.lt_s", distance, splat64(BigInt(size))),
    );
  });
}

/**
 * isspacep: does a generic address fall into a window (PTX ISA section 9.7.9.19). Constant variables lie in
 * the window of global memory.
 */
const isSpace: LaneFamily = (lane, instruction) => {
  const { space = "" } = instruction.matched.modifiers;
  const [d, a] = instruction.operands;
  const address = lane.keepAll(lane.read(instruction, a, "u64"));
  const inWindow = (window: bigint): Parts =>
    address.map((part) =>
      op("i64x2.eq", op("v128.and", part, splat64(-1n << 40n)), splat64(window & (-1n << 40n))),
    );
  const constants = (): Parts =>
    lane.kernel.constantVariables
      .map(({ name, size }) => within(lane, address, symbolAddress(lane.kernel, name, 0), size))
      .reduce<Parts>(
        (found, next) => lane.keepAll(found.map((part, index) => op("v128.or", part, next[index] ?? []))),
        [splat64(0n), splat64(0n)],
      );
  const spaces: Readonly<Record<string, () => Parts>> = {
    global: () => {
      const held = constants();
      return inWindow(addressWindows.global).map((part, index) => op("v128.andnot", part, held[index] ?? []));
    },
    const: constants,
    shared: () => inWindow(addressWindows.shared),
    "shared::cta": () => inWindow(addressWindows.shared),
    local: () => inWindow(addressWindows.local),
    param: () => inWindow(addressWindows.parameter),
    "param::entry": () => inWindow(addressWindows.parameter),
  };
  const [low = [], high = []] = spaces[space]?.() ?? refuse(instruction);
  lane.write(instruction, d, "pred", [shuffle(low, high, evenWords)]);
};

export const convertFamilies: Readonly<Record<string, LaneFamily>> = {
  convert: convert,
  "convert-pair": convertPair,
  "convert-tf32": convertTf32,
  "convert-address": convertAddress,
  "is-space": isSpace,
};
