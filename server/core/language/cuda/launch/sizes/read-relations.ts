import { parseSizeExpression } from "../../../../workload/size-expression";
import type { SizeNode } from "../../../../workload/size-syntax";
import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import { bare, mostCharacters, namesInSize } from "./size-text";

/**
 * What a comparison that has to hold says of sizes, each side an expression in them; nothing where the size
 * that would have to follow is not plain. `left op right`, or with the remainder of a division: `left %
 * right` is 0.
 */
export function relationOf(
  left: string,
  operator: string,
  right: string,
  sizes: ReadonlySet<string>,
): SizeRelation | undefined {
  const [one, other] = [bare(left), bare(right)];
  const used = [one, other].map(namesInSize);
  if (used.some((names) => names === undefined || names.some((name) => !sizes.has(name)))) return undefined;
  if (one.length + other.length > mostCharacters) return undefined;
  switch (operator) {
    case "%":
      return multiple(one, other);
    case "==":
      return equal(one, other) ?? equal(other, one);
    case ">=":
      return ordered(other, one, 0);
    case ">":
      return ordered(other, one, 1);
    case "<=":
      return ordered(one, other, 0);
    case "<":
      return ordered(one, other, 1);
    default:
      return undefined;
  }
}

/** The lesser of two and the greater one, which are apart by so much at least. */
function ordered(lesser: string, greater: string, apart: 0 | 1): SizeRelation | undefined {
  const [above, below] = [`${bracketed(lesser)} + 1`, `${bracketed(greater)} - 1`];
  return least(greater, apart === 1 ? above : lesser) ?? most(lesser, apart === 1 ? below : greater);
}

function multiple(one: string, other: string): SizeRelation | undefined {
  const name = lastFactor(one);
  return name === undefined || mentions(other, name) || /^[01]$/.test(other)
    ? undefined
    : { kind: "multiple", name, value: other };
}

/** A name on one side is what the other side is. */
function equal(one: string, other: string): SizeRelation | undefined {
  if (!isName(one) || mentions(other, one)) return undefined;
  return { kind: "equal", name: one, value: other };
}

/** The size that grows until a product of sizes is not less than a value. */
function least(greater: string, value: string): SizeRelation | undefined {
  const node = parseSizeExpression(greater);
  const [name, ...others] = node.ok ? (factorsOf(node.value) ?? []) : [];
  if (name === undefined || others.includes(name) || mentions(value, name)) return undefined;
  const rest = others.join(" * ");
  return { kind: "least", name, value: rest === "" ? value : `ceil_div(${value}, ${rest})` };
}

/** A size that is not above a number. */
function most(name: string, value: string): SizeRelation | undefined {
  return isName(name) && namesInSize(value)?.length === 0 ? { kind: "most", name, value } : undefined;
}

function lastFactor(text: string): string | undefined {
  const node = parseSizeExpression(text);
  return node.ok ? factorsOf(node.value)?.at(-1) : undefined;
}

/** The names of a product of sizes; undefined where it is something else. */
function factorsOf(node: SizeNode): readonly string[] | undefined {
  if (node.kind === "variable") return [node.name];
  if (node.kind !== "binary" || node.operator !== "*") return undefined;
  const [left, right] = [factorsOf(node.left), factorsOf(node.right)];
  return left === undefined || right === undefined ? undefined : [...left, ...right];
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

function mentions(text: string, name: string): boolean {
  return namesInSize(text)?.includes(name) === true;
}

function bracketed(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}
