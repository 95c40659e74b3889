import { at as element } from "../../../base/known";
import { zippedWords } from "../../wasm/shuffles";
import { staticLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  bytes16,
  call,
  get,
  i32,
  load,
  loop,
  op,
  set,
  shuffle,
  splat32,
  splatFloat,
  store,
  tee,
} from "../../wasm/code";
import type { LibraryContext } from "../library";
import { transpose16, vectors } from "./matrix-memory";
import {
  type FloatFormat,
  type PtxType,
  biasOf,
  formatOf,
  greatestOf,
  isSigned,
  types,
} from "../../ptx/types";

/** Bytes of a widened unit: a single, a pair of 16-bit integers, or 32 bits as they are. */
const unitBytes = 4;

const halves = ["low", "high"] as const;

const [single, half] = [formatOf(types.f32), formatOf(types.f16)];

/** Units in a fragment's row of 16 bytes: words of 32 bits as they are, twice as many of what is widened. */
export function unitsOf({ bits }: PtxType): number {
  return bits === 32 || bits === 1 ? 4 : 8;
}

/** Whether the quick way to widen an element makes numbers of its infinities and NaNs. */
export function losesSpecials({ bits, format }: PtxType): boolean {
  return bits === 16 && format !== undefined && format.exponent < single.exponent;
}

/**
 * How a fragment is widened to rows of 32-bit units. `exact` preserves infinities and NaNs of half precision,
 * at twice the cost.
 */
export interface Widening {
  readonly context: LibraryContext;
  readonly element: PtxType;
  readonly exact: boolean;
  /** Linear address of the static area. */
  readonly base: Wasm;
  /** Offset of B's units in the static area. */
  readonly units: number;
}

/** The halves of a vector in a local as units. */
function widened({ context, element, exact }: Widening, local: number): Wasm[] {
  const value = get(local);
  const { bits, format } = element;
  if (format === undefined) {
    const sign = isSigned(element) ? "s" : "u";
    return bits === 1 ? [value] : halves.map((part) => op(`i16x8.extend_${part}_i8x16_${sign}`, value));
  }
  const missing = single.fraction - format.fraction;
  if (bits === 32) return [op("v128.and", value, splat32(-1 << missing))];
  if (format.exponent === single.exponent)
    return halves.map((part) => op("i32x4.shl", op(`i32x4.extend_${part}_i16x8_u`, value), i32(missing)));
  if (exact)
    return halves.map((part) =>
      call(context.require("f16_to_f32"), op(`i32x4.extend_${part}_i16x8_u`, value)),
    );
  // A multiplication moves the exponent and normalises subnormals. Sign extension leaves copies of the sign,
  // which are masked out.
  const ofNumber = (1 << 31) | (((1 << (bits - 1)) - 1) << missing);
  return halves.map((part) =>
    op(
      "f32x4.mul",
      splatFloat(2 ** (biasOf(single) - biasOf(format))),
      op(
        "v128.and",
        splat32(ofNumber),
        op("i32x4.shl", op(`i32x4.extend_${part}_i16x8_s`, value), i32(missing)),
      ),
    ),
  );
}

/** Writes A as rows of units, rows g and g + 8 in turn: registers of A alternate between them. */
export function widenA(how: Widening, a: readonly Wasm[], rows: number): Wasm {
  const { builder } = how.context;
  const [offset, to] = [builder.local("i32"), builder.local("i32")];
  const value = builder.local("v128");
  const stride = (a.length / rows) * unitsOf(how.element) * unitBytes;
  const code = [
    set(offset, i32(0)),
    set(to, how.base),
    loop(
      a.map((pointer, index) => [
        set(value, load("v128.load", op("i32.add", pointer, get(offset)))),
        widened(how, value).map((part, piece) =>
          store(
            "v128.store",
            get(to),
            part,
            staticLayout.matrixRows +
              (index % rows) * stride +
              Math.floor(index / rows) * unitsOf(how.element) * unitBytes +
              16 * piece,
          ),
        ),
      ]),
      set(to, op("i32.add", get(to), i32(rows * stride))),
      branchIf(0, op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32(16))), i32(128))),
    ),
  ];
  for (const local of [offset, to, value]) builder.release(local);
  return code;
}

/** Transposes four vectors of 32-bit elements by way of four other locals. */
export function transpose32(rows: readonly number[], next: readonly number[]): Wasm {
  const round = (from: readonly number[], to: readonly number[]): Wasm =>
    [0, 1].map((pair) => {
      const [a, b] = [get(element(from, pair)), get(element(from, pair + 2))];
      return [
        set(element(to, 2 * pair), shuffle(a, b, zippedWords.low)),
        set(element(to, 2 * pair + 1), shuffle(a, b, zippedWords.high)),
      ];
    });
  return [round(rows, next), round(next, rows)];
}

/**
 * Writes B as rows of eight columns: unit u of column n at 32·u + 4·n. Its registers hold columns, so each is
 * transposed.
 */
export function widenB(how: Widening, b: readonly Wasm[]): Wasm {
  const {
    context: { builder },
    element,
    base,
  } = how;
  const units = unitsOf(element);
  const [rows, next] = [vectors(builder, 8), vectors(builder, 8)];
  const code = b.map((pointer, block) => {
    const at = (unit: number): number => how.units + 32 * (block * units + unit);
    const read = rows.map((local, row) => set(local, load("v128.load", pointer, 16 * row)));
    if (units === 8)
      return [
        read,
        transpose16(rows, next),
        next.map((local, unit) =>
          widened(how, local).map((part, half) => store("v128.store", base, part, at(unit) + 16 * half)),
        ),
      ];
    return [
      read,
      [0, 1].map((half) => {
        const four = rows.slice(4 * half, 4 * half + 4);
        return [
          transpose32(four, next),
          four.map((local, unit) =>
            widened(how, local).map((part) => store("v128.store", base, part, at(unit) + 16 * half)),
          ),
        ];
      }),
    ];
  });
  for (const local of [...rows, ...next]) builder.release(local);
  return code;
}

/** A number in all 16-bit lanes. */
function splat16(value: number): Wasm {
  return splat32((value << 16) | value);
}

/** Whether a half in any register is an infinity or NaN. */
export function hasSpecials({ builder }: LibraryContext, registers: readonly Wasm[]): Wasm {
  const most = builder.local("v128");
  const loads = registers.flatMap((pointer) =>
    Array.from({ length: 8 }, (_, row) =>
      op("v128.and", load("v128.load", pointer, 16 * row), splat16(0x7fff)),
    ),
  );
  const code = [
    set(most, splat32(0)),
    loads.map((value) => set(most, op("i16x8.max_u", get(most), value))),
    op("v128.any_true", op("i16x8.gt_u", get(most), splat16(greatestOf(half)))),
  ];
  builder.release(most);
  return code;
}

const nibbleOrder = {
  low: [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23],
  high: [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31],
};

/**
 * The two vectors of doubled elements of a vector in a local: bytes become halves, 4-bit integers become
 * bytes.
 */
function doubled(element: PtxType, local: number): Wasm[] {
  const value = get(local);
  const { format } = element;
  if (format) return halves.map((part) => halfOf(format, op(`i16x8.extend_${part}_i8x16_u`, value)));
  const shift = isSigned(element) ? "i8x16.shr_s" : "i8x16.shr_u";
  const [even, odd] = [op(shift, op("i8x16.shl", value, i32(4)), i32(4)), op(shift, value, i32(4))];
  return [shuffle(even, odd, nibbleOrder.low), shuffle(even, odd, nibbleOrder.high)];
}

/**
 * Converts floats of 8 bits in 16-bit lanes to halves. With the exponent of halves they are halves without
 * the last places. Else a nonzero exponent field grows by the difference of the biases, and the numbers below
 * are a few multiples of the least; a number of ones alone is NaN (PTX ISA section 5.2.3).
 */
function halfOf(format: FloatFormat, value: Wasm): Wasm {
  if (format.exponent === half.exponent) return op("i16x8.shl", value, i32(8));
  const magnitude = op("v128.and", value, splat16(0x7f));
  const rebias = (biasOf(half) - biasOf(format)) << half.fraction;
  const normal = op(
    "i16x8.add",
    op("i16x8.shl", magnitude, i32(half.fraction - format.fraction)),
    splat16(rebias),
  );
  const small = op(
    "i16x8.shl",
    op("i8x16.swizzle", bytes16(subnormals(format)), op("v128.or", magnitude, splat32(0x0f00_0f00))),
    i32(8),
  );
  const isSmall = op("i16x8.lt_u", magnitude, splat16(1 << format.fraction));
  const finite = op(
    "v128.bitselect",
    splat16(0x7fff),
    op("v128.bitselect", small, normal, isSmall),
    op("i16x8.eq", magnitude, splat16(0x7f)),
  );
  return op("v128.or", finite, op("i16x8.shl", op("v128.and", value, splat16(0x80)), i32(8)));
}

/** Upper bytes of the halves of a format's subnormal numbers, from zero on; their lower bytes are zero. */
function subnormals(format: FloatFormat): number[] {
  const least = 1 - biasOf(format) - format.fraction;
  return Array.from({ length: 16 }, (_, multiple) => {
    if (multiple === 0 || multiple >= 1 << format.fraction) return 0;
    const place = Math.floor(Math.log2(multiple));
    const fraction = (multiple / 2 ** place - 1) * 2 ** half.fraction;
    return (((place + least + biasOf(half)) << half.fraction) | fraction) >> 8;
  });
}

/**
 * The type that elements of a fragment are doubled to before they are widened; undefined for those that are
 * widened as they are.
 */
export function doubledType(element: PtxType): PtxType | undefined {
  if (element.bits === 8 && element.format) return types.f16;
  if (element.bits !== 4) return undefined;
  return isSigned(element) ? types.s8 : types.u8;
}

interface Doubling {
  readonly element: PtxType;
  /** Rows g alone, or g and g + 8 in turn. */
  readonly rows: number;
  readonly base: Wasm;
  /** Offset of the new registers in the static area. */
  readonly at: number;
}

/** Writes each register as two; returns their addresses in the order of registers of the wider element. */
export function doubleFragment(
  { builder }: LibraryContext,
  registers: readonly Wasm[],
  { element, rows, base, at }: Doubling,
): { code: Wasm; registers: Wasm[] } {
  const value = builder.local("v128");
  // Block 2·b of a row of halves follows from the first half of block b.
  const place = (index: number, half: number): number =>
    at + 128 * (rows * (2 * Math.floor(index / rows) + half) + (index % rows));
  const code = registers.map((pointer, index) =>
    Array.from({ length: 8 }, (_, row) => [
      set(value, load("v128.load", pointer, 16 * row)),
      doubled(element, value).map((part, half) =>
        store("v128.store", base, part, place(index, half) + 16 * row),
      ),
    ]),
  );
  builder.release(value);
  return {
    code,
    registers: Array.from({ length: 2 * registers.length }, (_, index) =>
      op("i32.add", base, i32(at + 128 * index)),
    ),
  };
}
