import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { formFrom, sameForm } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { changes } from "../../../../language/cuda/body/scope";
import { cooperationIn } from "../../../../language/cuda/body/threads";
import { collapse, enclosing, fieldText, isInside, operands, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";

/**
 * What the threads found has to be put together before anything of it is stored: by one thread, behind work
 * of all. Elsewhere it may matter which thread saw which elements.
 */
export function storesApart(view: KernelView, { loop }: CountedLoop): RuleHold | undefined {
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex >= loop.endIndex);
  if (cooperationIn(view.model, view.kernel, behind) === undefined)
    return not("dependence", "the threads put nothing together behind the loop", loop);
  const pointers = new Set(
    view.kernel.facts.parameters.flatMap(({ name, pointer }) => (pointer ? [name] : [])),
  );
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const stores = [
    ...behind.flatMap(changes).flatMap(({ target }) => (pointers.has(objectOf(target)) ? [target] : [])),
    ...[...accesses, ...atomics].flatMap(({ node, stores: isStore }) => (isStore ? [node] : [])),
  ];
  const other = stores.find((node) => !isByOneThread(view, node));
  if (other !== undefined)
    return not("dependence", `${collapse(other.text)} is stored by more than one thread`, other);
  return stores.length > 0 ? undefined : not("no-pattern", "nothing is stored behind the loop", loop);
}

/** The first name of what is changed. */
function objectOf(target: SyntaxNode): string {
  return target.type === "identifier" ? target.text : (target.descendantsOfType("identifier")[0]?.text ?? "");
}

/** True below `threadIdx.x == 0`. */
function isByOneThread(view: KernelView, node: SyntaxNode): boolean {
  for (let at = enclosing(node, "if_statement"); at !== undefined; at = enclosing(at, "if_statement")) {
    const condition = at.childForFieldName("condition")?.childForFieldName("value");
    const then = at.childForFieldName("consequence");
    const parts = condition ? operands(condition, "&&") : [];
    const isOne = parts.some((part) => {
      const [left, right] = [part.childForFieldName("left"), part.childForFieldName("right")];
      if (!left || !right || fieldText(part, "operator") !== "==") return false;
      const isThread = sameForm(formIn(view, left), formFrom({ "threadIdx.x": 1 }));
      return isThread && view.scope.value(right) !== undefined;
    });
    if (isOne && then !== null && isInside(node, then)) return true;
  }
  return false;
}
