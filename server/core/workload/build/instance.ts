import type { DataType } from "../spec";

/** Types as a symbol's readable name spells them. */
const dataTypes: Readonly<Record<string, DataType>> = {
  float: "float32",
  double: "float64",
  __half: "float16",
  __nv_bfloat16: "bfloat16",
  char: "int8",
  "signed char": "int8",
  "unsigned char": "uint8",
  short: "int16",
  "unsigned short": "uint16",
  int: "int32",
  "unsigned int": "uint32",
  long: "int64",
  "long long": "int64",
  "unsigned long": "uint64",
  "unsigned long long": "uint64",
  bool: "bool",
};

/** The dtype of a template argument that is a type; undefined for numbers and for other types. */
export function instanceDataType(argument: string): DataType | undefined {
  return dataTypes[argument];
}

/** What is taken where nothing says which types an instance is to have. */
export const usualTypes: ReadonlySet<DataType> = new Set(["float32", "int32"]);

/**
 * The position of the instance to run of a template that has several: the one that is named, else the one
 * whose types are most among `types`, else the first. `instances`: the template arguments of each.
 */
export function chooseInstance(
  instances: readonly (readonly string[])[],
  named: readonly string[],
  types: ReadonlySet<DataType>,
): { readonly index: number; readonly isNamed: boolean } {
  const words = (texts: readonly string[]): string => texts.map((text) => text.replace(/\s+/g, " ")).join();
  const exact = instances.findIndex((each) => words(each) === words(named));
  if (exact >= 0 || instances.length === 1) return { index: Math.max(0, exact), isNamed: true };
  const misfits = instances.map((each) => each.filter((argument) => isOther(argument, types)).length);
  return { index: misfits.indexOf(Math.min(...misfits)), isNamed: false };
}

/** A type that is not among the wanted ones; numbers are none. */
function isOther(argument: string, types: ReadonlySet<DataType>): boolean {
  const dtype = instanceDataType(argument);
  if (dtype !== undefined) return !types.has(dtype);
  return !/^(?:-?\d+|true|false)$/.test(argument);
}
