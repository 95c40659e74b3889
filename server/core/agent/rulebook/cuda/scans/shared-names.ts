import { coefficient } from "../../../../language/cuda/body/forms";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";
import { localTypes } from "../spelling/calls/objects";

const whole = /^(?:int|unsigned|unsigned int|long long|unsigned long long|u?int32_t|u?int64_t|size_t)$/;

/**
 * Conditions under which a loop's body means the same for all lanes of a warp: that names which are made of
 * the thread's number have one value. A guard's answer where they never have.
 */
export function sharedNames(
  view: KernelView,
  { body, variable }: CountedLoop,
  sums: ReadonlySet<string>,
): readonly string[] | RuleHold {
  const axes = (["x", "y", "z"] as const).map((axis) => variesWithThread(view.model, view.body, axis));
  const [direct] = usesOf(body, "threadIdx");
  if (direct !== undefined) return not("dependence", "each thread sums something of its own", direct);
  const inside = new Set(
    body
      .descendantsOfType("declaration")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const names = new Map<string, SyntaxNode>();
  for (const use of body.descendantsOfType("identifier")) {
    const own = use.text === variable || sums.has(use.text) || inside.has(use.text);
    if (!own && axes.some((differs) => differs(use))) names.set(use.text, use);
  }
  const conditions: string[] = [];
  for (const [name, use] of names) {
    const moves = coefficient(formIn(view, use), "threadIdx.x") !== 0;
    const isWhole = whole.test(localTypes(view).get(name) ?? "");
    if (moves || (!isWhole && !isPointer(view, name)))
      return not("dependence", `${compact(use)} differs from thread to thread`, use);
    const value = isWhole ? name : `reinterpret_cast<unsigned long long>(${name})`;
    conditions.push(`(${value} == __shfl_sync(0xffffffffu, ${value}, 0))`);
  }
  return conditions;
}

function isPointer({ body }: KernelView, name: string): boolean {
  return body
    .descendantsOfType("pointer_declarator")
    .some((node) => compact(node.childForFieldName("declarator")) === name);
}
