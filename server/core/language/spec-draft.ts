import { at } from "../base/known";
import type { UnknownPart } from "../workload/spec-write";
import type { DataType, KernelSpec, ShapeCase, TensorSpec } from "../workload/spec";

/** A spec made from the source, with what could not be known. */
export interface InferredSpec {
  readonly spec: KernelSpec;
  readonly unknowns: readonly UnknownPart[];
}

/** A tensor while its shape is still a guess. */
interface TensorDraft {
  readonly name: string;
  readonly dtype: DataType | undefined;
  readonly shape: readonly string[] | undefined;
}

const typeNames: Readonly<Record<string, DataType>> = {
  float: "float32",
  double: "float64",
  half: "float16",
  __half: "float16",
  "at::Half": "float16",
  __nv_bfloat16: "bfloat16",
  nv_bfloat16: "bfloat16",
  "at::BFloat16": "bfloat16",
  int: "int32",
  signed: "int32",
  unsigned: "uint32",
  "unsigned int": "uint32",
  uint: "uint32",
  long: "int64",
  "long long": "int64",
  "unsigned long": "uint64",
  "unsigned long long": "uint64",
  size_t: "uint64",
  short: "int16",
  "unsigned short": "uint16",
  char: "int8",
  "signed char": "int8",
  "unsigned char": "uint8",
  bool: "bool",
  int8_t: "int8",
  int16_t: "int16",
  int32_t: "int32",
  int64_t: "int64",
  uint8_t: "uint8",
  uint16_t: "uint16",
  uint32_t: "uint32",
  uint64_t: "uint64",
};

/** The dtype of a C++ type as written, pointers and qualifiers aside; undefined for types that have none. */
export function dataTypeOf(type: string): DataType | undefined {
  const plain = type
    .replace(
      /\b(const|volatile|__restrict__|__restrict|restrict|struct|std::)\b|std::|__grid_constant__|[*&]|\[[^\]]*\]/g,
      " ",
    )
    .replace(/\s+/g, " ")
    .trim();
  return typeNames[plain];
}

/** The first value of each size, by how many sizes there are: about as many elements in all. */
const powers: Readonly<Record<number, number>> = { 1: 65_536, 2: 256, 3: 128 };
const leastPower = 32;

/**
 * Values for size variables: a power of two, odd sizes that are no multiple of a block, the smallest, and one
 * that is held out.
 */
export function proposeShapes(names: readonly string[]): readonly ShapeCase[] {
  const single = names.length === 1;
  const power = powers[names.length] ?? leastPower;
  const pick = (values: readonly number[]): Readonly<Record<string, number>> =>
    Object.fromEntries(names.map((name, index) => [name, at(values, index % values.length)]));
  if (names.length === 0) return [{ sizes: {} }];
  return [
    { sizes: pick([power]) },
    { sizes: pick(single ? [1007] : [100, 77, 53, 11]) },
    { sizes: pick([1, 33, 17, 3]) },
    { sizes: pick(single ? [4099] : [65, 130, 40, 7]), heldOut: true },
  ];
}

const guessedType: DataType = "float32";

/**
 * A tensor of the spec, and what is unknown of it. A missing shape becomes one dimension with the product of
 * all sizes; where there is no size, with as many elements as the launch has threads, if that is known.
 */
export function finishTensor(
  draft: TensorDraft,
  side: "inputs" | "outputs",
  sizes: readonly string[],
  threads?: string,
): { readonly tensor: TensorSpec; readonly unknowns: readonly UnknownPart[] } {
  const unknowns: UnknownPart[] = [];
  if (draft.dtype === undefined)
    unknowns.push({
      path: `${side}.${draft.name}.dtype`,
      sentence: `the dtype of ${draft.name} does not stand in the source; ${guessedType} is a guess.`,
    });
  const [guess, words] =
    sizes.length > 0 || threads === undefined
      ? [sizes.join(" * "), "the product of all sizes"]
      : [threads, "one element for each thread of the launch"];
  if (draft.shape === undefined)
    unknowns.push({
      path: `${side}.${draft.name}.shape`,
      sentence: `the shape of ${draft.name} cannot be read from how it is indexed; ${words} is a guess.`,
    });
  const tensor = { dtype: draft.dtype ?? guessedType, shape: draft.shape ?? [guess === "" ? "1" : guess] };
  return { tensor: side === "inputs" ? { ...tensor, distribution: "normal" } : tensor, unknowns };
}

/** The remark that every inferred spec carries: what is right is not known. */
export const baselineUnknown: UnknownPart = {
  path: "reference",
  sentence:
    'what the right result is. "baseline" keeps to what the kernel does now; name a Python function ("FILE.py::FUNCTION") or numpy expressions to check against that.',
};
