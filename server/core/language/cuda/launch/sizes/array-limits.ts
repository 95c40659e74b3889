import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import type { SyntaxNode } from "../../../tree";
import { fieldText } from "../../../query";
import { type Constants, constantValue } from "../../constants";

/** `float x[N];`, `Link link[7], tool;`: names of arrays with their first lengths. */
const declared =
  /\b[A-Za-z_]\w*(?:\s*[*&])?\s+([A-Za-z_]\w*)\s*\[\s*([^\]]+)\s*\](?:\s*\[[^\]]*\])*\s*[;,=]/g;
/** `j < arm.dof`, `j < n`, also with "<=". */
const bounded = /^\s*([A-Za-z_]\w*)\s*(<=?)\s*(?:([A-Za-z_]\w*)\s*(?:\.|->)\s*)?([A-Za-z_]\w*)\s*$/;

/**
 * Sizes up to which a loop goes over an array of a fixed length, its place alone between the brackets: they
 * are not more than that. The array may be one of a structure, of constants, or the kernel's own. Of a
 * structure's member both names that it may have here are told.
 */
export function arrayLimits(
  root: SyntaxNode,
  body: SyntaxNode,
  constants: Constants,
): readonly SizeRelation[] {
  const lengths = lengthsIn(root.text, constants);
  return body.descendantsOfType("for_statement").flatMap((loop) => {
    const [, place = "", sign, owner, name = ""] = bounded.exec(fieldText(loop, "condition")) ?? [];
    if (place === "") return [];
    const inside = fieldText(loop, "body");
    const uses = inside.matchAll(new RegExp(String.raw`\b([A-Za-z_]\w*)\s*\[\s*${place}\s*\]`, "g"));
    const limits = [...uses].flatMap(([, array = ""]) => lengths.get(array) ?? []);
    if (limits.length === 0) return [];
    const most = Math.min(...limits) - (sign === "<=" ? 1 : 0);
    const names = owner === undefined ? [name] : [name, `${owner}_${name}`];
    return most < 1 ? [] : names.map((each) => ({ kind: "most" as const, name: each, value: most }));
  });
}

/** Lengths of arrays; of several that have a name in common none is known. */
function lengthsIn(text: string, constants: Constants): ReadonlyMap<string, number> {
  const code = text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ");
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (const [, name = "", length = ""] of code.matchAll(declared)) {
    const value = constantValue(length, constants) ?? Number.NaN;
    if (found.has(name) && found.get(name) !== value) twice.add(name);
    found.set(name, value);
  }
  return new Map([...found].filter(([name, value]) => !twice.has(name) && value >= 1));
}
