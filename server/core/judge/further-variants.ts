import type { Distribution, KernelSpec, TensorSpec } from "../workload/spec";
import type { EvenValues, ExactingValues, InputVariant, LevelValues, SpecialValues } from "./verdict";

/** Distributions that promise nothing of single values. */
const openValues: ReadonlySet<Distribution> = new Set(["normal", "uniform", "integers"]);

const openFloats: ReadonlySet<Distribution> = new Set(["normal", "uniform"]);

/**
 * Inputs beyond those that the spec describes: large and small numbers, numbers far from zero, and whole
 * numbers of all bits, where it has inputs whose values it leaves open; and numbers that lean to one side,
 * also within a range; and numbers in order, or related to those of another input.
 * Sums of a range's ends may cancel, which only what is whole throughout comes through exactly.
 */
export function furtherVariants({
  inputs,
  outputs,
}: Pick<KernelSpec, "inputs" | "outputs">): readonly InputVariant[] {
  const open = Object.values(inputs).filter(({ distribution = "normal" }) => openValues.has(distribution));
  const areWhole = Object.values(outputs).every(isWhole);
  const leaning = Object.values(inputs).filter(mayLean);
  const isOpen = open.some(({ dtype }) => dtype.includes("float"));
  const asked: readonly (readonly [InputVariant, boolean])[] = [
    ["extreme", isOpen],
    ["small", isOpen],
    ["far-from-zero", isAfar(open, outputs)],
    ["all-bits", open.some(isWhole)],
    ["one-sided", leaning.length > 0],
    ["alike", leaning.some(isWhole) || hasOffsets(inputs)],
    ["long-row", hasOffsets(inputs)],
    ["mostly-zero", hasOpenFloats(inputs)],
    ["ends", leaning.some(areWhole ? isWholeRange : isOfManyBits)],
    ["strided", leaning.some(isWhole) && areWhole],
    ["crowded", hasOpenFloats(inputs) && areWhole],
    ["beside-halves", leaning.some(({ dtype }) => dtype === "float64")],
    ["arranged", Object.values(inputs).some(mayBeArranged)],
  ];
  return asked.filter(([, isAsked]) => isAsked).map(([variant]) => variant);
}

/**
 * Whether a variance of values far from zero may be told: types of fewer bits are too coarse for it, and
 * which of two whole numbers a result becomes is decided by its last bits.
 */
function isAfar(open: readonly TensorSpec[], outputs: KernelSpec["outputs"]): boolean {
  const isFine = ({ dtype, distribution = "normal" }: TensorSpec): boolean =>
    /^float(32|64)$/.test(dtype) && distribution !== "integers";
  return open.some(isFine) && Object.values(outputs).every(({ dtype }) => dtype.includes("float"));
}

function isWhole({ dtype }: Pick<TensorSpec, "dtype">): boolean {
  return dtype.includes("int");
}

function isWholeRange(input: TensorSpec): boolean {
  return isWhole(input) && typeof input.distribution === "object";
}

/** Seeds and counters rather than places: what goes on from the greatest begins anew, or carries. */
function isOfManyBits({ dtype, distribution = "normal" }: TensorSpec): boolean {
  if (!isWhole({ dtype }) || typeof distribution !== "object" || distribution.kind !== "range") return false;
  const { low, high } = distribution;
  return typeof low === "number" && typeof high === "number" && high - low >= 2 ** 31 - 1;
}

/** One number throughout where whole ones are left open: a picture of one grey, targets that are left out. */
export function evenVariants({ inputs }: Pick<KernelSpec, "inputs">): readonly EvenValues[] {
  const leaning = Object.values(inputs).filter((input) => mayLean(input) && input.dtype !== "bool");
  return [
    ...(leaning.some(isWholeRange) ? (["least"] as const) : []),
    ...(leaning.some(isWhole) ? (["greatest"] as const) : []),
  ];
}

/** Values for sums of singles that a spec requires to be more exact than single precision. */
export function exactingVariants({
  inputs,
  requires = [],
}: Pick<KernelSpec, "inputs" | "requires">): readonly ExactingValues[] {
  const isOpen = ({ dtype, distribution = "normal" }: TensorSpec): boolean =>
    dtype === "float32" && openFloats.has(distribution);
  const isExact = requires.includes("double") || requires.includes("compensated-sum");
  if (!isExact || !Object.values(inputs).some(isOpen)) return [];
  return requires.includes("compensated-sum") ? ["cancelling", "like"] : ["cancelling"];
}

/** Values with many ties, for inputs of floats whose values the spec leaves open: their size says nothing. */
export function levelVariants({ inputs }: Pick<KernelSpec, "inputs">): readonly LevelValues[] {
  return hasOpenFloats(inputs) ? ["halves", "not-above-zero", "not-below-zero"] : [];
}

function hasOpenFloats(inputs: KernelSpec["inputs"]): boolean {
  return Object.values(inputs).some(
    ({ dtype, distribution = "normal" }) => dtype.includes("float") && openFloats.has(distribution),
  );
}

/** Whether an input says where rows begin and end: the first and the last may be empty, and one be long. */
function hasOffsets(inputs: KernelSpec["inputs"]): boolean {
  return Object.values(inputs).some(
    ({ distribution }) => typeof distribution === "object" && distribution.kind === "offsets",
  );
}

/** Whether the values may all be on one side: nothing is promised of them but their range. */
function mayLean({ distribution = "normal" }: TensorSpec): boolean {
  if (typeof distribution === "string") return openValues.has(distribution);
  return distribution.kind === "range" && distribution.sorted !== true;
}

/** Whether the values may stand in any order: nothing is promised of single ones. */
function mayBeArranged(input: TensorSpec): boolean {
  return input.dtype !== "bool" && (mayLean(input) || input.distribution === "positive");
}

/**
 * Special values for an input whose values the spec leaves open. A kernel that is its own reference says
 * nothing of NaN, whose way through comparisons depends on their order, and of sums that may overflow.
 */
export function specialVariants({
  inputs,
  reference,
}: Pick<KernelSpec, "inputs" | "reference">): readonly SpecialValues[] {
  if (!hasOpenFloats(inputs)) return [];
  return reference.kind === "baseline" ? ["infinite", "tiny"] : ["nan", "infinite", "tiny", "largest"];
}
