import { madeUpFloat } from "../../../workload/probe/range-names";
import type { DataType } from "../../../workload/spec";
import type { ParameterFacts } from "../../facts";
import { dataTypeOf } from "../../spec-draft";
import type { SyntaxNode } from "../../tree";
import type { ElementType } from "../../../workload/probe/observation";
import { elementTypeOf } from "../launch/element-types";

/** A number that is no size; `isStated`: it is the parameter's default. */
export interface MadeUpNumber {
  readonly kind: "number";
  readonly dtype: DataType;
  readonly value: number;
  readonly isStated: boolean;
}

/** A parameter that is a number: its default, a size, or any value of its type. */
export function madeUpNumber(
  { name, defaultValue }: ParameterFacts,
  dtype: DataType,
  type: string,
): { readonly name: string } & (MadeUpNumber | { readonly kind: "size"; readonly dtype: DataType }) {
  const stated = literalOf(defaultValue);
  if (stated !== undefined) return { name, kind: "number", dtype, value: stated, isStated: true };
  if (dataTypeOf(type) === undefined) return { name, kind: "number", dtype, value: 0, isStated: false };
  if (dtype === "bool") return { name, kind: "number", dtype, value: 1, isStated: false };
  if (dtype.includes("float"))
    return { name, kind: "number", dtype, value: madeUpFloat(name), isStated: false };
  return { name, kind: "size", dtype };
}

/**
 * A number of a floating type, a structure of several, or a vector; a whole number only where nothing else
 * can be the result.
 */
export function resultOf(
  type: string,
  parameters: readonly object[],
  { root, types }: { readonly root: SyntaxNode; readonly types: ReadonlyMap<string, string> },
): ElementType | undefined {
  const plain = type.replace(/\b[A-Za-z_]\w*\b/g, (word) => types.get(word) ?? word);
  const [, listed] = /\bvector\s*<\s*([^<>]+?)\s*>/.exec(plain) ?? [];
  if (listed !== undefined) return elementTypeOf(listed, root);
  const dtype = dataTypeOf(plain);
  if (dtype === undefined) return floatsOf(elementTypeOf(plain, root));
  const fills = parameters.some((each) => "isConst" in each && !each.isConst);
  return dtype.includes("float") || (!fills && dtype !== "bool") ? { dtype, width: 1 } : undefined;
}

/** A structure of floats alone, as `struct Stats { float mean, peak; }`; undefined for other types. */
function floatsOf(element: ElementType | undefined): ElementType | undefined {
  return element !== undefined && element.width > 1 && element.dtype.includes("float") ? element : undefined;
}

/** The number that a default is: `1e-5f`, `(float)2`, `true`. */
function literalOf(text: string | undefined): number | undefined {
  if (text === "true" || text === "false") return Number(text === "true");
  const plain = text?.replace(/^\(\w+\)/, "").replace(/(?<=[\d.])[fFuUlL]+$/, "");
  const value = plain === undefined || plain.trim() === "" ? Number.NaN : Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
