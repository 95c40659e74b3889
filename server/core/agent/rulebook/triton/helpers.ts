import { enclosing } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { TritonView } from "./kernel";

/** The functions of the file that the kernel calls, directly or through others, by their definitions. */
function helpersOf({ model, body }: TritonView): readonly SyntaxNode[] {
  const all = model.root
    .descendantsOfType("function_definition")
    .filter((node) => enclosing(node, "class_definition", "function_definition") === undefined);
  const found = new Map<number, SyntaxNode>();
  const open = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const call of node.descendantsOfType("call")) {
      const name = call.childForFieldName("function")?.text;
      const helper = all.find((each) => each.childForFieldName("name")?.text === name);
      if (helper === undefined || found.has(helper.id)) continue;
      found.set(helper.id, helper);
      open.push(helper);
    }
  return [...found.values()];
}

/** The kernel's body, and the functions that it calls. */
export function deviceCode(view: TritonView): readonly SyntaxNode[] {
  return [view.body, ...helpersOf(view)];
}
