import * as z from "zod/mini";
import { notes } from "../../base/shape";
import type { DataType, SizeExpression, TensorSpec } from "../spec";
import { distribution } from "./distribution";
import { expected, mustBeOneOf, strictOf } from "./words";

const namePattern = /^[A-Za-z_]\w*$/;

/** A name of a tensor or of a size. */
const name = z.string().check(z.regex(namePattern)).register(notes, { id: "name" });

/** NAME → value, where names are those of an expression. */
export function named<Value extends z.core.$ZodType>(
  value: Value,
  what: string,
): z.ZodMiniRecord<z.ZodMiniString, Value> {
  const absent = expected(what);
  return z.record(name, value, {
    error: (issue) =>
      issue.code === "invalid_key"
        ? `"${String(issue.path?.at(-1))}" is not a name: letters, digits and _ were expected`
        : absent.error(issue),
  });
}

export const sizeWords = 'a size was expected: a whole number or an expression such as "ceil_div(n, 32)"';

/** A whole number or an expression over sizes. */
export const size: z.ZodMiniType<SizeExpression> = z
  .union([z.int(), z.string().check(z.regex(/\S/))], sizeWords)
  .register(notes, {
    id: "size",
    description:
      "A whole number or an expression over the size variables: + - * / // % ( ), ceil_div(a, b), min, max, a ? b : c.",
  });

const dataTypes = {
  float64: "float64",
  float32: "float32",
  float16: "float16",
  bfloat16: "bfloat16",
  int64: "int64",
  int32: "int32",
  int16: "int16",
  int8: "int8",
  uint64: "uint64",
  uint32: "uint32",
  uint16: "uint16",
  uint8: "uint8",
  bool: "bool",
} as const satisfies Readonly<Record<DataType, DataType>>;

export const dataType: z.ZodMiniType<DataType> = z
  .enum(dataTypes, mustBeOneOf(Object.keys(dataTypes)))
  .register(notes, { id: "dtype" });

const shape = z
  .array(size, expected("an array of sizes, slowest dimension first"))
  .register(notes, { id: "shape", description: "Sizes, slowest dimension first." });

const tensorWords = '{ "dtype": …, "shape": [ … ] }';
const input = strictOf<TensorSpec>()({ dtype: dataType, shape, distribution: distribution }, tensorWords);
const output = strictOf<Omit<TensorSpec, "distribution">>()({ dtype: dataType, shape }, tensorWords);

const tensorsWords = `an object: NAME → ${tensorWords}`;

export const inputs = named(input, tensorsWords).register(notes, {
  description: "Tensors that are given: name to dtype, shape and distribution.",
});

export const outputs = named(output, tensorsWords).register(notes, {
  description: "Tensors that the kernel writes: name to dtype and shape.",
  minProperties: 1,
});
