import { entry } from "../../base/known";
import type { ArgumentSpec, KernelSpec, ScalarArgument, ShapeCase, TensorSpec } from "../spec";

/**
 * Behind what sixteen bits with a sign hold, and no more than the second and the third dimension of a grid
 * do: rows that lie along one of these are no fault. As many blocks again would show no more.
 */
const longest = 32_771;
/** Products of all sizes up to which such a shape is tried. */
const mostVolume = 2 ** 21;
/**
 * Of each of sixteen blocks 15/16, which are alike, are more than 65,535, and all no multiple of anything.
 * It is the dearest case of whole numbers, so that it has no more than that takes.
 */
const many = 2 ** 20 + 2 ** 17 + 77;
/** What the other sizes become where the least listed ones are too many. */
const few = 5;

type Cases = Pick<KernelSpec, "inputs" | "outputs" | "run" | "shapes">;

/**
 * The smallest listed shape with one whole number that is no size of a tensor set to nothing, to one, and to
 * more than twice the largest size (a number of steps, a shift round an end), each as a group of its own.
 */
export function scalarShapes(spec: Cases): readonly (readonly ShapeCase[])[] {
  const first = smallest(spec);
  if (first === undefined) return [];
  const most = 2 * Math.max(1, ...Object.values(first.sizes)) + 3;
  return wholeScalars(spec).flatMap((name) =>
    [0, 1, most]
      .map((value) => [withScalar(first, name, value)])
      .filter(([made]) => !spec.shapes.some((each) => made !== undefined && areSame(each, made))),
  );
}

/**
 * Each size alone behind what sixteen bits with a sign hold, with small other ones as alternatives. Not the
 * length of rows, which may be what a block has room for: only rows themselves and single numbers are without
 * end.
 */
export function longDimensions(spec: Cases): readonly (readonly ShapeCase[])[] {
  const first = smallest(spec);
  if (first === undefined) return [];
  return growing(spec).map((grows) => {
    const long = (other: (name: string) => number): ShapeCase =>
      madeOf(first, (name) => (name === grows ? longest : other(name)));
    const [least, fewest] = [long((name) => leastOf(spec, name)), long((name) => fewOf(spec, name))];
    const alternatives = areSame(least, fewest) ? [least] : [least, fewest];
    return alternatives.filter(({ sizes }) => volumeOf(sizes) <= mostVolume);
  });
}

/**
 * Each size alone so long that counters of sixteen bits are full where most numbers are alike, in kernels
 * whose results are whole throughout; as a group each.
 */
export function countedShapes(spec: Cases): readonly (readonly ShapeCase[])[] {
  const first = smallest(spec);
  if (first === undefined || !Object.values(spec.outputs).every(({ dtype }) => dtype.includes("int")))
    return [];
  return growing(spec).flatMap((grows) => {
    const isCounted = ({ dtype, shape, distribution }: TensorSpec): boolean =>
      dtype.includes("int") && shape.includes(grows) && !isOneNumber(distribution);
    const counted = Object.values(spec.inputs).find(isCounted);
    if (counted === undefined) return [];
    const beside = Object.fromEntries(
      Object.keys(first.sizes).flatMap((name) =>
        name !== grows && counted.shape.includes(name) ? [[name, fewOf(spec, name)]] : [],
      ),
    );
    const length = Math.ceil(many / volumeOf(beside));
    return [[madeOf(first, (name) => (name === grows ? length : fewOf(spec, name)))]];
  });
}

/** What is one number throughout is a place for counts, and nothing to be counted. */
function isOneNumber(distribution: TensorSpec["distribution"]): boolean {
  return typeof distribution === "object" && distribution.kind === "constant";
}

/** The listed shape whose sizes are least; undefined where contents are recorded, whose sizes are given. */
function smallest({ shapes }: Cases): ShapeCase | undefined {
  if (shapes.some(({ recorded = {} }) => Object.keys(recorded).length > 0)) return undefined;
  const visible = shapes.filter(({ heldOut }) => heldOut !== true);
  return visible.reduce<ShapeCase | undefined>(
    (least, each) => (least === undefined || volumeOf(each.sizes) < volumeOf(least.sizes) ? each : least),
    undefined,
  );
}

/** Whole numbers among the arguments that no tensor's size is made of, where it varies or stands alone. */
function wholeScalars(spec: Cases): readonly string[] {
  const listed = spec.run.kind === "launch" ? spec.run.launch.arguments : spec.run.entry.arguments;
  const named = listed.filter(isWholeScalar).map(({ value }) => String(value));
  const ofTensors = sizeWords(spec);
  const [first] = spec.shapes;
  const isKnown = (name: string): boolean =>
    Object.hasOwn(first?.values ?? {}, name) || Object.hasOwn(first?.sizes ?? {}, name);
  return [...new Set(named)].filter((name) => isKnown(name) && !ofTensors.has(name) && isVaried(spec, name));
}

function isWholeScalar(argument: ArgumentSpec): argument is ScalarArgument {
  return typeof argument === "object" && "value" in argument && /int(32|64)/.test(argument.dtype);
}

/** Names in the sizes of tensors, and in the bounds of their values. */
function sizeWords({ inputs, outputs }: Cases): ReadonlySet<string> {
  const texts = [...Object.values(inputs), ...Object.values(outputs)].flatMap(({ shape, distribution }) => [
    ...shape.map(String),
    JSON.stringify(distribution ?? ""),
  ]);
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
}

/** Sizes that vary among the listed shapes and are the length of no rows. */
function growing(spec: Cases): readonly string[] {
  const inputs = Object.values(spec.inputs);
  const isLength = (name: string): boolean => inputs.some((input) => isRowLength(input, name));
  const counts = (name: string): boolean => inputs.some(({ shape }) => shape.includes(name));
  const names = Object.keys(spec.shapes[0]?.sizes ?? {});
  return names.filter((name) => counts(name) && !isLength(name) && isVaried(spec, name));
}

/** Whether a size is the last one of a tensor with several. */
function isRowLength({ shape }: TensorSpec, name: string): boolean {
  return shape.length > 1 && String(shape.at(-1)).split(/\W+/).includes(name);
}

/** A number that is the same in all shapes may be what a kernel is made for. */
function isVaried({ shapes }: Cases, name: string): boolean {
  const values = shapes.map(({ sizes, values }) => values?.[name] ?? entry(sizes, name));
  return shapes.length === 1 || new Set(values).size > 1;
}

function withScalar(shape: ShapeCase, name: string, value: number): ShapeCase {
  const { sizes, values } = shape;
  if (!Object.hasOwn(values ?? {}, name))
    return madeOf(shape, (each) => (each === name ? value : entry(sizes, each)));
  return { sizes, values: { ...values, [name]: value } };
}

function madeOf({ sizes, values }: ShapeCase, sizeOf: (name: string) => number): ShapeCase {
  return {
    ...(values && { values }),
    sizes: Object.fromEntries(Object.keys(sizes).map((name) => [name, sizeOf(name)])),
  };
}

function areSame(one: ShapeCase, other: ShapeCase): boolean {
  const numbers = ({ sizes, values }: ShapeCase): string => JSON.stringify([sizes, values]);
  return numbers(one) === numbers(other);
}

function leastOf({ shapes }: Cases, name: string): number {
  return Math.min(...shapes.map(({ sizes }) => entry(sizes, name)));
}

function fewOf(spec: Cases, name: string): number {
  return isVaried(spec, name) ? Math.min(few, leastOf(spec, name)) : leastOf(spec, name);
}

function volumeOf(sizes: ShapeCase["sizes"]): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}
