import type { ElementType } from "../../workload/probe/observation";

const declaration = /__constant__\s+([^;={}]+);/g;
const storage = /\b(?:static|extern|__device__|const|volatile)\b|\b(?:__align__|alignas)\s*\([^()]*\)/g;
const declared = /^(.*?)\b([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$/;

/** A `__constant__` variable without an initialiser. */
export interface ConstantVariable {
  readonly name: string;
  /** As written, without words of storage. */
  readonly type: string;
  readonly isArray: boolean;
  /** Names of the namespaces that it stands in, the outermost first; none for those without a name. */
  readonly scopes: readonly string[];
}

/** The `__constant__` variables of a text without an initialiser, in order. */
export function constantVariables(text: string): readonly ConstantVariable[] {
  return [...text.matchAll(declaration)].flatMap((found) => {
    const [, list = ""] = found;
    const parts = splitList(list.replace(storage, " "));
    const [, base = ""] = declared.exec(parts[0]?.trim() ?? "") ?? [];
    const scopes = scopesAt(text, found.index);
    return parts.flatMap((part, index) => {
      const [, before = "", name, lengths = ""] = declared.exec(part.trim()) ?? [];
      const type = (index === 0 ? before : `${base} ${before}`).replace(/\s+/g, " ").trim();
      return name === undefined || base.trim() === ""
        ? []
        : [{ name, type, isArray: lengths !== "", scopes }];
    });
  });
}

/**
 * What the `__constant__` variables without an initialiser are made of, by their names; addresses, and those
 * of which `elementOf` knows no type, are left out.
 */
export function constantElements(
  texts: readonly string[],
  elementOf: (type: string) => ElementType | undefined,
): ReadonlyMap<string, ElementType> {
  const found = new Map<string, ElementType>();
  for (const { name, type } of texts.flatMap(constantVariables)) {
    const element = found.has(name) || type.includes("*") ? undefined : elementOf(type);
    if (element !== undefined) found.set(name, element);
  }
  return found;
}

/** Parts between commas that are in no brackets. */
function splitList(list: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    if ("<[(".includes(character)) depth += 1;
    if (">])".includes(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const opening = /\bnamespace\b\s*([\w:]*)\s*\{|[{}]/g;

/** Names of the namespaces around a place of a text. */
function scopesAt(text: string, place: number): readonly string[] {
  const open: string[] = [];
  for (const { index, 0: brace, 1: name = "" } of text.matchAll(opening)) {
    if (index >= place) break;
    if (brace === "}") open.pop();
    else open.push(name);
  }
  return open.flatMap((name) => name.split("::")).filter((name) => name !== "");
}
