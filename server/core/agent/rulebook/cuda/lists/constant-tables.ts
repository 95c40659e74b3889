import { changes } from "../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** An array of numbers that nobody changes. */
export interface ConstantTable {
  readonly name: string;
  /** The same as a constant of the kernel, which the compiler reads at known places; none where it is one. */
  readonly local: string | undefined;
}

/** Arrays of a kernel's file, and of the kernel itself, that are given numbers once and for all. */
export function constantTables({ model, body }: KernelView): ReadonlyMap<string, ConstantTable> {
  const { root } = model;
  const tables = root.descendantsOfType("init_declarator").flatMap((each): readonly ConstantTable[] => {
    const declarator = each.childForFieldName("declarator");
    const declaration = each.parent;
    const value = each.childForFieldName("value");
    if (declarator?.type !== "array_declarator" || value?.type !== "initializer_list" || !declaration)
      return [];
    const name = declarator.descendantsOfType("identifier")[0]?.text;
    const words = declaration.children.map(({ text }) => text);
    const isOwn = isInside(declaration, body);
    const isKept = words.some((word) => /^(?:const|constexpr|__constant__)$/.test(word));
    if (name === undefined || !isKept || !(isOwn || declaration.parent?.type === "translation_unit"))
      return [];
    if (!numbers(value) || isChanged(root, name)) return [];
    const type = collapse(fieldText(declaration, "type"));
    return [{ name, local: isOwn ? undefined : `constexpr ${type} ${each.text};` }];
  });
  return new Map(
    tables
      .filter(({ name }) => tables.filter((other) => other.name === name).length === 1)
      .map((table) => [table.name, table]),
  );
}

function numbers(list: SyntaxNode): boolean {
  return partsOf(list).every((each) =>
    each.type === "initializer_list" ? numbers(each) : /^-?[\d.][\w.]*(?:[-+]\d+f?)?$/.test(compact(each)),
  );
}

/** Whether a table is stored to, or handed to a call such as `cudaMemcpyToSymbol`. */
function isChanged(root: SyntaxNode, name: string): boolean {
  if (changes(root).some(({ target }) => target.descendantsOfType("identifier")[0]?.text === name))
    return true;
  return usesOf(root, name).some(({ parent }) => parent?.type === "argument_list");
}
