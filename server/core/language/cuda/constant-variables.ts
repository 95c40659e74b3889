import type { ElementType } from "../../workload/probe/observation";

const declaration = /__constant__\s+([\w\s:*&<>]*?)\b(\w+)\b\s*(?:\[[^\]]*\]\s*)*;/g;
const storage = /\b(?:static|extern|__device__)\b/g;

/**
 * What the `__constant__` variables without an initialiser are made of, by their names; those of which
 * `elementOf` knows no type are left out.
 */
export function constantElements(
  texts: readonly string[],
  elementOf: (type: string) => ElementType | undefined,
): ReadonlyMap<string, ElementType> {
  const found = new Map<string, ElementType>();
  for (const text of texts)
    for (const [, type = "", name = ""] of text.matchAll(declaration)) {
      const element = found.has(name) ? undefined : elementOf(type.replace(storage, " ").trim());
      if (element !== undefined) found.set(name, element);
    }
  return found;
}

/** Names of the `__constant__` variables without an initialiser. */
export function constantNames(text: string): readonly string[] {
  return [...text.matchAll(declaration)].map(([, , name = ""]) => name);
}
