import { changes, localValues } from "../../../../language/cuda/body/scope";
import { usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** Locals whose values come out of memory, directly or by way of other locals. */
export function loadedNames(body: SyntaxNode): ReadonlySet<string> {
  const given = [
    ...localValues(body).map(({ name, value }) => ({ name, value })),
    ...changes(body).flatMap(({ act, target }) => {
      const value = act.childForFieldName("right");
      return value === null ? [] : [{ name: target.text, value }];
    }),
  ];
  const loaded = new Set<string>();
  for (let before = -1; before < loaded.size;) {
    before = loaded.size;
    for (const { name, value } of given) if (isLoaded(value, loaded)) loaded.add(name);
  }
  return loaded;
}

/** True for an expression that reads memory, or such a local. */
export function isLoaded(value: SyntaxNode, loaded: ReadonlySet<string>): boolean {
  const reads = ["subscript_expression", "pointer_expression"];
  if (reads.includes(value.type) || value.descendantsOfType(reads).length > 0) return true;
  if (/\b__ld\w+\(|\batomic\w+\(|->/.test(value.text)) return true;
  return [...loaded].some((name) => usesOf(value, name).length > 0 || value.text === name);
}
