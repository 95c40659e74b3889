import { type CountedLoop, countedLoops, statementsOf } from "../../../../../language/cuda/body/loops";
import { variesWithThread } from "../../../../../language/cuda/body/threads";
import { isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import { isFirstThread } from "./serial-loops";

/** `if (threadIdx.x == 0) { … for (…) … }`. */
export interface Branch {
  readonly choice: SyntaxNode;
  readonly consequence: SyntaxNode;
  /** Its loops, each a statement of it. */
  readonly loops: readonly CountedLoop[];
}

/** Branches of the first thread of a block that hold loops. */
export function branchesOf(view: KernelView): readonly Branch[] {
  const all = countedLoops(view.body);
  return view.body.descendantsOfType("if_statement").flatMap((choice) => {
    const condition = choice.childForFieldName("condition")?.childForFieldName("value");
    const consequence = choice.childForFieldName("consequence");
    if (!condition || !consequence || choice.childForFieldName("alternative") !== null) return [];
    if (!isFirstThread(view, condition)) return [];
    const own = statementsOf(consequence);
    const loops = all.filter(({ loop }) => own.some(({ id }) => id === loop.id));
    return loops.length === 0 ? [] : [{ choice, consequence, loops }];
  });
}

/** Names that a declaration declares. */
export function declaredNames(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

/** A variable of the kernel that each thread has for itself, where threads may have other values of it. */
export function ownThreadsValue(view: KernelView, { choice, consequence }: Branch): RuleHold | undefined {
  const varies = variesWithThread(view.model, view.body, "x");
  const outside = view.body
    .descendantsOfType("declaration")
    .filter((node) => !isInside(node, choice) && !/\b__shared__\b/.test(node.text));
  const locals = new Set(outside.flatMap(declaredNames));
  const inside = new Set(consequence.descendantsOfType("declaration").flatMap(declaredNames));
  const read = consequence.descendantsOfType("identifier");
  const own = read.find(
    (node) => node.text === "threadIdx" || (locals.has(node.text) && !inside.has(node.text) && varies(node)),
  );
  return own && not("dependence", `${own.text} is another one in each thread`, own);
}
