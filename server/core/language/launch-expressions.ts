import { evaluateSizeExpression } from "../workload/size-expression";
import type { LaunchQuestion, LaunchShape } from "./launch-evaluation";

/** The formulas of a launch over the sizes of its spec. */
interface LaunchFormulas {
  readonly grid: readonly string[];
  readonly block: readonly string[];
}

const deepest = 8;
const longest = 400;

/**
 * Grid and block of a launch site with the spec's expressions and the site's constants in place of names.
 * Undefined where a name has no meaning, and where the formulas do not give what was read for these sizes.
 */
export function launchFormulas(
  { site, arguments: passed, sizes }: LaunchQuestion,
  shape: LaunchShape,
): LaunchFormulas | undefined {
  const meanings = new Map(Object.keys(sizes).map((name) => [name, name]));
  for (const [index, argument] of passed.entries()) {
    const name = site.arguments[index];
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) continue;
    if (typeof argument === "object" && "value" in argument) meanings.set(name, String(argument.value));
  }
  const meaning = (name: string): string | undefined =>
    meanings.get(name) ?? (Object.hasOwn(site.constants, name) ? site.constants[name] : undefined);
  const isFinal = (name: string): boolean => meanings.has(name);
  const formulas = (expressions: readonly string[], numbers: readonly number[]): string[] | undefined => {
    const expanded = expressions.map((text) => expand(text, { meaning, isFinal }, deepest));
    const fits = expanded.every((text, axis) => {
      const value = text === undefined ? undefined : evaluateSizeExpression(text, sizes);
      return value?.ok === true && value.value === numbers[axis];
    });
    return fits ? expanded.filter((text) => text !== undefined) : undefined;
  };
  const [grid, block] = [formulas(site.grid, shape.grid), formulas(site.block, shape.block)];
  return grid && block && { grid, block };
}

interface Names {
  readonly meaning: (name: string) => string | undefined;
  /** Its meaning is an expression over sizes already. */
  readonly isFinal: (name: string) => boolean;
}

/** An expression with meanings in place of its names; undefined where it grows without end. */
function expand(text: string, names: Names, depth: number): string | undefined {
  if (depth === 0 || text.length > longest) return undefined;
  let isWhole = true;
  const expanded = text.replace(/(?<![\w.:])[A-Za-z_]\w*(?![\w(]|\s*\(|::|\.|<)/g, (name) => {
    const meaning = names.meaning(name);
    if (meaning === undefined || meaning === name) return name;
    const inner = names.isFinal(name) ? meaning : expand(meaning, names, depth - 1);
    isWhole &&= inner !== undefined;
    if (inner === undefined) return name;
    return /^\w+$/.test(inner) ? inner : `(${inner})`;
  });
  return isWhole ? expanded : undefined;
}
