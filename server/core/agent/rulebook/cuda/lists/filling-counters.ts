import { countedLoops } from "../../../../language/cuda/body/loops";
import { changes, localValues } from "../../../../language/cuda/body/scope";
import { isInside, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { estimatedValue, type KernelView } from "../kernel";
import { hasKnownTurns } from "./unrolled-loops";

/** What may stand between a loop and a statement in it that each of its turns comes to. */
const plain =
  /^(?:compound_statement|for_statement|expression_statement|subscript_(?:expression|argument_list)|assignment_expression|parenthesized_expression)$/;
const leaves = ["break_statement", "continue_statement", "goto_statement", "return_statement"];

/**
 * The loops that fill a list one by one: `list[n++] = …`, or `list[n] = …` and `++n` beside it. All of their
 * turns are known and each moves the counter by as much, so that unrolled each index is a number. Undefined
 * for any other index.
 */
export function fillingLoops(view: KernelView, index: SyntaxNode): readonly SyntaxNode[] | undefined {
  const inner = unwrapped(index);
  const counter = inner.type === "update_expression" ? inner.childForFieldName("argument") : inner;
  if (counter?.type !== "identifier") return undefined;
  const [local, ...others] = localValues(view.body).filter(({ name }) => name === counter.text);
  const block = local?.declaration.parent;
  if (!block || others.length > 0 || estimatedValue(view, local.value) === undefined) return undefined;
  const acts = changes(view.body).filter(({ target }) => target.text === counter.text);
  const around = [index, ...acts.map(({ act }) => act)].map((node) => loopsAround(view, node, block));
  if (acts.length === 0 || !acts.every(({ act }) => isStep(view, act))) return undefined;
  const loops = around.flatMap((each) => each ?? []);
  if (around.includes(undefined) || loops.length === 0) return undefined;
  return loops.some((loop) => loop.descendantsOfType(leaves).length > 0) ? undefined : loops;
}

/** `n++`, or `n += 2`. */
function isStep(view: KernelView, act: SyntaxNode): boolean {
  if (act.type === "update_expression") return true;
  const [operator, amount] = [act.childForFieldName("operator"), act.childForFieldName("right")];
  return operator?.text === "+=" && amount !== null && estimatedValue(view, amount) !== undefined;
}

/** The loops between a block and what all of their turns come to, innermost first. */
function loopsAround(view: KernelView, node: SyntaxNode, block: SyntaxNode): SyntaxNode[] | undefined {
  const counted = countedLoops(view.body);
  const loops: SyntaxNode[] = [];
  for (let at = node.parent; at !== null && at.id !== block.id; at = at.parent) {
    if (!plain.test(at.type)) return undefined;
    if (at.type !== "for_statement") continue;
    const loop = counted.find((each) => each.loop.id === at.id && isInside(node, each.body));
    if (loop === undefined || !hasKnownTurns(view, loop)) return undefined;
    loops.push(at);
  }
  return isInside(node, block) ? loops : undefined;
}
