import { createHash } from "node:crypto";
import { invariant } from "../../../core/base/assert";
import { at } from "../../../core/base/known";
import type { Json } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { InputVariant, Tier } from "../../../core/judge/verdict";
import { pricedCase } from "../../../core/workload/cases/priced-at";
import { itemBytes } from "../../../core/workload/item-bytes";
import { evaluateSizeExpression } from "../../../core/workload/size-expression";
import {
  type DataType,
  type Distribution,
  type KernelSpec,
  type ScalarArgument,
  scratchOf,
  type ShapeCase,
  type SizeExpression,
} from "../../../core/workload/spec";

/** The most bytes that one tensor of a spec may have. */
const tensorLimitBytes = 1024 ** 3;

/** A tensor of one shape case in numbers. */
export interface ResolvedTensor {
  readonly name: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly bytes: number;
}

/** One shape case in numbers; inputs and outputs in the order of the spec. */
export interface ResolvedShape {
  readonly shape: ShapeCase;
  /** How inputs are drawn that are not drawn as the spec says. */
  readonly drawn?: Readonly<Record<string, Distribution>>;
  readonly inputs: readonly ResolvedTensor[];
  readonly outputs: readonly ResolvedTensor[];
  /** Nothing may be left to do for a kernel, as where no step is asked for: copies may be all. */
  readonly mayBeIdle?: true;
  /** What an entry is lent for itself; left out where there is none. */
  readonly scratch?: readonly ResolvedTensor[];
}

/** A size of the spec as a number. Throws `spec-invalid` with the expression. */
export function sizeOf(expression: SizeExpression, sizes: ShapeCase["sizes"], what: string): number {
  if (typeof expression === "number") return expression;
  const outcome = evaluateSizeExpression(expression, sizes);
  if (outcome.ok) return outcome.value;
  throw new OperationalError("spec-invalid", {
    forUser: `kernel spec, ${what}: "${expression}": ${outcome.problem.message}`,
  });
}

/** The number that a scalar argument has in a case: one of the case's values, or a size. */
export function scalarOf({ value }: ScalarArgument, { sizes, values }: ShapeCase): number {
  return values?.[String(value)] ?? sizeOf(value, sizes, "an argument");
}

/** A distribution with numbers for its bounds, as the oracle takes it. Throws `spec-invalid`. */
export function resolveDistribution(distribution: Distribution, shape: ShapeCase, input: string): Json {
  if (typeof distribution === "string") return distribution;
  const bound = (value: SizeExpression, name: string): number =>
    typeof value === "number" ? value : sizeOf(value, shape.sizes, `${name} of the distribution of ${input}`);
  switch (distribution.kind) {
    case "range":
    case "skewed": {
      const { low, high } = distribution;
      return { ...distribution, low: bound(low, "low"), high: bound(high, "high") };
    }
    case "offsets":
      return { ...distribution, total: bound(distribution.total, "total") };
    default:
      return { ...distribution };
  }
}

/** All tensors of a shape case. Throws `spec-invalid` for a size that is negative or too large. */
export function resolveShape(spec: KernelSpec, shape: ShapeCase): ResolvedShape {
  const resolve = (tensors: KernelSpec["inputs"]): readonly ResolvedTensor[] =>
    Object.entries(tensors).map(([name, tensor]) => {
      const dimensions = tensor.shape.map((size, axis) =>
        sizeOf(size, shape.sizes, `shape of ${name}, dimension ${axis}`),
      );
      const bytes = dimensions.reduce((product, size) => product * size, itemBytes[tensor.dtype]);
      if (dimensions.some((size) => !Number.isSafeInteger(size) || size < 0) || bytes > tensorLimitBytes) {
        throw new OperationalError("spec-invalid", {
          forUser: `kernel spec: ${name} has the shape [${dimensions.join(", ")}] for ${JSON.stringify(shape.sizes)}; sizes are whole numbers and a tensor has at most ${tensorLimitBytes} bytes`,
        });
      }
      return { name, dtype: tensor.dtype, shape: dimensions, bytes };
    });
  const scratch = resolve(scratchOf(spec));
  return {
    ...{ shape, inputs: resolve(spec.inputs), outputs: resolve(spec.outputs) },
    ...(scratch.length > 0 && { scratch }),
  };
}

/** The shape that a task is priced at, where that is none of its shapes. Throws `spec-invalid`. */
export function pricedShape(spec: KernelSpec): ResolvedShape | undefined {
  const priced = pricedCase(spec);
  return priced && resolveShape(spec, priced);
}

/** An input of zeros, of whole numbers of this value. */
export function filledInput({ dtype, bytes }: ResolvedTensor, whole: number): Uint8Array {
  const content = new Uint8Array(bytes);
  if (whole === 0 || dtype.includes("float")) return content;
  // Little endian: the least byte of an element is its first.
  for (let at = 0; at < bytes; at += itemBytes[dtype]) content[at] = whole;
  return content;
}

/** Bytes of a scalar argument, little endian. */
export function scalarBytes(value: number, dtype: DataType): Uint8Array {
  const bytes = new Uint8Array(itemBytes[dtype]);
  const view = new DataView(bytes.buffer);
  if (dtype === "float64") view.setFloat64(0, value, true);
  else if (dtype === "float32") view.setFloat32(0, value, true);
  else if (dtype === "bfloat16" || dtype === "float16")
    view.setUint16(0, dtype === "float16" ? halfBits(value) : bfloatBits(value), true);
  else {
    const whole = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    for (let index = 0; index < bytes.length; index += 1)
      bytes[index] = Number((whole >> BigInt(8 * index)) & 0xffn);
  }
  return bytes;
}

function bfloatBits(value: number): number {
  const bits = at(new Uint32Array(new Float32Array([value]).buffer), 0);
  if (Number.isNaN(value)) return 0x7fc0;
  // Round to nearest, ties to even, as the hardware does.
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  // From half of the step above the greatest finite number on, the result is infinity.
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const step = 2 ** (exponent - 10);
  const exact = size / step;
  const floor = Math.floor(exact);
  const rounded = exact - floor > 0.5 || (exact - floor === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  // Subnormal numbers have exponent field 0; a carry out of the fraction moves the exponent by itself.
  return sign | (size < 2 ** -14 ? rounded : ((exponent + 14) << 10) + rounded);
}

/**
 * Whether outputs are other than those that the shape's recorded launch left; `outputs` in the spec's order.
 */
export function differsFromRecording(
  { shape, outputs: tensors }: ResolvedShape,
  outputs: readonly Uint8Array[],
): boolean {
  return tensors.some(({ name }, index) => {
    const recorded = shape.results?.[name];
    return recorded !== undefined && recorded !== sha256(at(outputs, index));
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A shape and a way of drawing its inputs; every planned case gets a secret seed of its own. */
export interface PlannedCase {
  readonly shape: ResolvedShape;
  readonly variant: InputVariant;
}

/**
 * Quick: two seeds of the first visible shape, and each other one that has its part in the price. Full: all
 * shapes, the first with a further seed, each also with values of very unequal size and with zeros and
 * ones. The first case is the one whose counters are taken.
 */
export function planCases(shapes: readonly ResolvedShape[], tier: Tier): readonly PlannedCase[] {
  const [first, ...rest] = [
    ...shapes.filter(({ shape }) => shape.heldOut !== true),
    ...shapes.filter(({ shape }) => shape.heldOut === true),
  ];
  invariant(first, "a task has a shape that is not held out");
  // A recording is the same each time; its variant is not.
  const isRecorded = Object.keys(first.shape.recorded ?? {}).length > 0;
  const twice: readonly PlannedCase[] = [
    { shape: first, variant: "declared" },
    { shape: first, variant: isRecorded ? "wide" : "declared" },
  ];
  if (tier === "quick") {
    const others = weighedShapes(shapes).filter((shape) => shape !== first);
    return [...twice, ...others.map((shape) => ({ shape, variant: "declared" as const }))];
  }
  const variants = isRecorded ? (["declared", "wide"] as const) : (["declared", "wide", "zero-one"] as const);
  if (isRecorded)
    return [...twice, ...rest.flatMap((shape) => variants.map((variant) => ({ shape, variant })))];
  return [
    ...twice,
    { shape: first, variant: "wide" },
    { shape: first, variant: "zero-one" },
    ...rest.flatMap((shape) => variants.map((variant) => ({ shape, variant }))),
  ];
}

/**
 * The visible shapes that make up the price together: all of them where it is known how often they are run,
 * else none but the first.
 */
export function weighedShapes(shapes: readonly ResolvedShape[]): readonly ResolvedShape[] {
  const visible = shapes.filter(({ shape }) => shape.heldOut !== true);
  return visible.some(({ shape }) => shape.weight !== undefined) ? visible : visible.slice(0, 1);
}

/** Of all tensors of a shape. */
export function bytesOf({ inputs, outputs, scratch = [] }: ResolvedShape): number {
  return [...inputs, ...outputs, ...scratch].reduce((sum, tensor) => sum + tensor.bytes, 0);
}

/** The shape whose tensors are largest. */
export function largestOf(shapes: readonly ResolvedShape[]): ResolvedShape {
  return shapes.reduce((most, each) => (bytesOf(each) > bytesOf(most) ? each : most), at(shapes, 0));
}

/** The shape whose tensors are smallest, of those that are not held out. */
export function smallestOf(shapes: readonly ResolvedShape[]): ResolvedShape {
  const visible = shapes.filter(({ shape }) => shape.heldOut !== true);
  return visible.reduce((least, each) => (bytesOf(each) < bytesOf(least) ? each : least), at(visible, 0));
}
