import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../../cuda/kernel";
import { loopTypes } from "../places";

const acts = ["init_declarator", "assignment_expression"];

/** The values that the names of a kernel are ever given. */
export function givenValues({ body }: KernelView): ReadonlyMap<string, readonly SyntaxNode[]> {
  const given = new Map<string, SyntaxNode[]>();
  for (const act of body.descendantsOfType(acts)) {
    const target = act.childForFieldName("declarator") ?? act.childForFieldName("left");
    const value = act.childForFieldName("value") ?? act.childForFieldName("right");
    const name = target?.descendantsOfType("identifier")[0]?.text;
    if (name !== undefined && value !== null) given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

/**
 * The load of a loop whose place each turn takes from what the turn before has loaded, as in `u = parent[u]`
 * and `node = node->next`.
 */
export function chainedLoad({ kernel, body }: KernelView): SyntaxNode | undefined {
  const { accesses } = cudaAccesses(kernel);
  for (const act of body.descendantsOfType("assignment_expression")) {
    const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
    const loop = enclosing(act, ...loopTypes);
    if (left?.type !== "identifier" || right === null || loop === undefined || !isInside(loop, body))
      continue;
    const load = accesses.find(({ node, indexNode, loads }) => {
      const place = indexNode ?? node;
      return loads && isInside(node, right) && usesOf(place, left.text).length > 0;
    });
    const member = right
      .descendantsOfType("field_expression")
      .find((node) => node.text.startsWith(`${left.text}->`));
    if (load !== undefined || member !== undefined) return load?.node ?? member;
  }
  return undefined;
}
