import type { ElementType } from "../../workload/probe/observation";
import { namedElementType } from "./launch/element-types";

/** What a `__constant__` variable without an initialiser is made of; undefined where no text tells. */
export function constantElement(texts: readonly string[], name: string): ElementType | undefined {
  const declaration = new RegExp(String.raw`__constant__\s+([\w\s:*&<>]*?)\b${name}\b\s*(?:\[[^\]]*\]\s*)*;`);
  const type = texts.map((text) => declaration.exec(text)?.[1]).find((each) => each !== undefined);
  return type === undefined ? undefined : namedElementType(type.replace(storage, " ").trim());
}

const storage = /\b(?:static|extern|__device__)\b/g;
