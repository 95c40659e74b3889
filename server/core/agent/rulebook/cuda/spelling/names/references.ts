import { changes, isPure } from "../../../../../language/cuda/body/scope";
import { isInside, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode } from "../../../edits";
import { type Spelling, taken } from "../spelling";

/** `Body& own = bodies[i]; … own.x` as `bodies[i].x`. */
export const referencesFollowed: Spelling = ({ body }) => {
  const changed = new Set(changes(body).map(({ target }) => target.text));
  for (const declaration of body.descendantsOfType("declaration")) {
    const [declarator, ...others] = declaration.childrenForFieldName("declarator");
    if (declarator?.type !== "init_declarator" || others.length > 0) continue;
    const [reference, value] = [
      declarator.childForFieldName("declarator"),
      declarator.childForFieldName("value"),
    ];
    const [name] =
      reference?.type === "reference_declarator" ? reference.descendantsOfType("identifier") : [];
    if (name === undefined || value?.type !== "subscript_expression" || !isSteady(value, changed)) continue;
    const block = declaration.parent;
    const named = body.descendantsOfType("identifier").filter(({ text }) => text === name.text);
    const uses = usesOf(body, name.text).filter((use) => use.id !== name.id);
    const isOwn = block !== null && uses.every((use) => isInside(use, block));
    if (!isOwn || named.length !== uses.length + 1 || uses.length === 0) continue;
    return [taken(declaration), ...uses.map((use) => replaceNode(use, value.text))];
  }
  return undefined;
};

/** True for an element that is the same wherever its reference is used. */
function isSteady(element: SyntaxNode, changed: ReadonlySet<string>): boolean {
  const index = element.childForFieldName("indices");
  const argument = element.childForFieldName("argument");
  if (index === null || argument?.type !== "identifier") return false;
  const reads = index.descendantsOfType(["subscript_expression", "pointer_expression", "call_expression"]);
  const names = element.descendantsOfType("identifier").map(({ text }) => text);
  return isPure(index) && reads.length === 0 && !names.some((name) => changed.has(name));
}
