import { known } from "../../base/known";
import { evaluateSizeExpression } from "../size-expression";
import { checkSpec } from "../spec-check";
import { isRecorded } from "./recorded-inputs";
import type {
  DataType,
  Distribution,
  KernelSpec,
  PlainDistribution,
  ShapeCase,
  SizeExpression,
  TensorSpec,
} from "../spec";

/** A case that nobody listed: its sizes, and how it draws inputs that it does not draw as the spec says. */
export interface MadeUpCase extends Pick<ShapeCase, "sizes" | "values"> {
  readonly inputs?: Readonly<Record<string, Distribution>>;
}

/** Values between bounds, with what more is known of them. */
interface Values {
  readonly low: number;
  readonly high: number;
  readonly whole?: boolean;
  readonly sorted?: boolean;
}

const any: Values = { low: -Infinity, high: Infinity };

/** What each word draws, and what it promises to a kernel; a word without a line is drawn in one way only. */
const words: Readonly<
  Partial<Record<PlainDistribution, { readonly drawn: Values; readonly promised: Values }>>
> = {
  normal: { drawn: any, promised: any },
  uniform: { drawn: { low: -1, high: 1 }, promised: any },
  integers: { drawn: { low: -100, high: 100, whole: true }, promised: { ...any, whole: true } },
  positive: { drawn: { low: 2 ** -10, high: 100 }, promised: { low: Number.MIN_VALUE, high: Infinity } },
  "zero-one": { drawn: { low: 0, high: 1, whole: true }, promised: { low: 0, high: 1, whole: true } },
  sorted: { drawn: { ...any, sorted: true }, promised: { ...any, sorted: true } },
};

/** The greatest number that a made-up distribution may draw: sums of larger ones depend on their order. */
export const mostFloat = 1000;
/** Different numbers that a skewed distribution may draw, and its steepest exponent. */
const mostSkewed = 2 ** 20;
const mostExponent = 8;
/** How many times the largest listed one a size may be: kernels are made for a range of sizes. */
export const mostGrowth = 10;
/** Elements of all tensors together up to which a case is run, or four times those of the largest listed. */
const leastElements = 2 ** 22;

/**
 * Whether cases can be made up. Recorded launches have their own sizes, and their whole numbers may be
 * indices, which nobody else may draw; their real numbers may be others.
 */
export function takesMadeUpCases(spec: Pick<KernelSpec, "shapes" | "inputs">): boolean {
  return !isOfLaunches(spec) || Object.values(spec.inputs).some(({ dtype }) => dtype.includes("float"));
}

/** Whether the spec has the contents of launches that a program made. */
function isOfLaunches({ shapes, inputs }: Pick<KernelSpec, "shapes" | "inputs">): boolean {
  return (
    shapes.some(({ recorded }) => Object.keys(recorded ?? {}).length > 0) ||
    Object.values(inputs).some(({ distribution }) => isRecorded(distribution))
  );
}

/**
 * The case as a shape of the spec: of a recorded launch it has the contents that it does not draw itself, and
 * not what the launch left.
 */
export function shapeOf(spec: KernelSpec, made: MadeUpCase): ShapeCase {
  const { sizes, values } = made;
  const recorded = launchOf(spec, made)?.recorded;
  return { sizes, ...(values && { values }), ...(recorded && { recorded }) };
}

/** The listed launch with the sizes and values of a case. */
function launchOf({ shapes }: KernelSpec, { sizes, values = {} }: MadeUpCase): ShapeCase | undefined {
  const same = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean =>
    Object.keys(one).length === Object.keys(other).length &&
    Object.entries(one).every(([name, value]) => other[name] === value);
  return shapes.find(
    (shape) => shape.recorded && same(shape.sizes, sizes) && same(shape.values ?? {}, values),
  );
}

/**
 * In which way a made-up case goes beyond what the spec promises to a kernel: names, bounds of values, sizes
 * far from the listed ones. Undefined where it stays inside.
 */
export function beyondSpec(spec: KernelSpec, made: MadeUpCase): string | undefined {
  return (
    beyondSizes(spec, made) ??
    beyondValues(spec, made) ??
    beyondLaunch(spec, made) ??
    Object.entries(made.inputs ?? {})
      .map(([name, distribution]) => beyondInput(spec, made, [name, distribution]))
      .find((fault) => fault !== undefined) ??
    checkSpec({ ...spec, shapes: [shapeOf(spec, made)] })[0]?.message ??
    beyondMemory(spec, made)
  );
}

function beyondLaunch(spec: KernelSpec, made: MadeUpCase): string | undefined {
  if (!isOfLaunches(spec)) return undefined;
  if (launchOf(spec, made) === undefined) return "it has not the sizes and values of a recorded launch";
  return Object.keys(made.inputs ?? {}).length === 0 ? "it draws no input of the launch anew" : undefined;
}

function beyondSizes({ shapes }: KernelSpec, { sizes }: MadeUpCase): string | undefined {
  const names = Object.keys(shapes[0]?.sizes ?? {});
  if (!hasNames(sizes, names)) return `its sizes are not ${names.join(", ")}`;
  for (const name of names) {
    const listed = shapes.map((shape) => known(shape.sizes[name], "a size of the spec"));
    const [least, most] = [Math.min(1, ...listed), mostGrowth * Math.max(1, ...listed)];
    const size = known(sizes[name], "a size that was just found");
    if (!Number.isSafeInteger(size) || size < least || size > most)
      return `${name} = ${size} is no whole number from ${least} to ${most}`;
  }
  return undefined;
}

/** Scalar arguments have no range of their own: that of the listed ones holds. */
function beyondValues({ shapes }: KernelSpec, { values = {} }: MadeUpCase): string | undefined {
  const names = Object.keys(shapes[0]?.values ?? {});
  if (!hasNames(values, names)) return `its values are not ${names.join(", ") || "none"}`;
  for (const name of names) {
    const listed = shapes.map((shape) => known(shape.values?.[name], "a value of the spec"));
    const [least, most] = [Math.min(...listed), Math.max(...listed)];
    const value = known(values[name], "a value that was just found");
    if (value < least || value > most || (listed.every(Number.isInteger) && !Number.isInteger(value)))
      return `${name} = ${value} is not from ${least} to ${most}`;
  }
  return undefined;
}

function hasNames(given: Readonly<Record<string, number>>, names: readonly string[]): boolean {
  return Object.keys(given).length === names.length && names.every((name) => Object.hasOwn(given, name));
}

function beyondInput(
  { inputs }: KernelSpec,
  { sizes }: MadeUpCase,
  [name, distribution]: readonly [string, Distribution],
): string | undefined {
  const tensor = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (tensor === undefined) return `${JSON.stringify(name)} is no input`;
  const [promised, drawn] = [promisedOf(tensor, sizes), drawnOf(distribution, sizes)];
  if (promised === undefined) return `${name} is drawn in one way only`;
  if (drawn === undefined) return `${name} cannot be drawn so`;
  const fits =
    drawn.low >= promised.low &&
    drawn.high <= promised.high &&
    (promised.whole !== true || drawn.whole === true) &&
    (promised.sorted !== true || drawn.sorted === true);
  if (!fits) return `the spec promises other values of ${name}`;
  return isDrawable(distribution, drawn, tensor.dtype) ? undefined : `${name} cannot hold such values`;
}

/** Figures that were made up, as a type can hold them; what words draw, every type holds. */
function isDrawable(distribution: Distribution, { low, high }: Values, dtype: DataType): boolean {
  if (typeof distribution === "string") return true;
  const isSkewed = distribution.kind === "skewed";
  if (isSkewed && (high - low > mostSkewed || !(Math.abs(distribution.exponent) <= mostExponent)))
    return false;
  if (dtype.includes("float")) return !isSkewed && low >= -mostFloat && high <= mostFloat;
  const [least, most] = wholeRange(dtype);
  return Number.isInteger(low) && Number.isInteger(high) && low >= least && high <= most;
}

function wholeRange(dtype: DataType): readonly [number, number] {
  if (dtype === "bool") return [0, 1];
  const bits = Math.min(32, Number(dtype.replace(/\D+/, "")));
  return dtype.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
}

/** What the spec promises of an input's values; undefined where they are drawn in one way only. */
function promisedOf(
  { distribution = "normal", dtype }: TensorSpec,
  sizes: ShapeCase["sizes"],
): Values | undefined {
  const isWhole = !dtype.includes("float");
  // What a program handed over says nothing of other numbers; the original has to take them.
  if (isRecorded(distribution)) return isWhole ? undefined : any;
  if (typeof distribution !== "string")
    return distribution.kind === "constant" ? undefined : withoutWhole(drawnOf(distribution, sizes), isWhole);
  return withoutWhole(words[distribution]?.promised, isWhole);
}

/** Inputs of whole numbers are whole whatever draws them. */
function withoutWhole(values: Values | undefined, isWhole: boolean): Values | undefined {
  return values && isWhole ? { ...values, whole: false } : values;
}

/** The values that a distribution draws; undefined for orders and contents that no bounds describe. */
function drawnOf(distribution: Distribution, sizes: ShapeCase["sizes"]): Values | undefined {
  if (typeof distribution === "string") return words[distribution]?.drawn;
  switch (distribution.kind) {
    case "constant": {
      const { value } = distribution;
      return { low: value, high: value, whole: Number.isInteger(value), sorted: true };
    }
    case "range":
    case "skewed": {
      const [low, high] = [figureOf(distribution.low, sizes), figureOf(distribution.high, sizes)];
      if (low === undefined || high === undefined || !(low <= high)) return undefined;
      const sorted = distribution.kind === "range" && distribution.sorted === true;
      return { low, high, sorted, whole: distribution.kind === "skewed" };
    }
    default:
      return undefined;
  }
}

function figureOf(expression: SizeExpression, sizes: ShapeCase["sizes"]): number | undefined {
  if (typeof expression === "number") return expression;
  const outcome = evaluateSizeExpression(expression, sizes);
  return outcome.ok ? outcome.value : undefined;
}

function beyondMemory(spec: KernelSpec, { sizes }: MadeUpCase): string | undefined {
  const listed = spec.shapes.map((shape) => elementsOf(spec, shape.sizes));
  const most = Math.max(leastElements, 4 * Math.max(...listed));
  const elements = elementsOf(spec, sizes);
  return elements > most ? `its tensors have ${elements} elements, more than ${most}` : undefined;
}

function elementsOf({ inputs, outputs }: KernelSpec, sizes: ShapeCase["sizes"]): number {
  return [...Object.values(inputs), ...Object.values(outputs)].reduce(
    (sum, { shape }) =>
      sum + shape.reduce<number>((product, expression) => product * (figureOf(expression, sizes) ?? 1), 1),
    0,
  );
}
