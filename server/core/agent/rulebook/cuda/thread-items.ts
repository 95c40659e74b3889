import type { RuleNode } from "../rule";
import { compact, operands, unwrapped, usesOf } from "../syntax";
import { constantValue } from "./constants";
import type { CudaKernel } from "./kernel-source";

/**
 * A loop in which each thread handles a fixed number of items: `for (int item = 0; item < ITEMS; ++item)`.
 */
export interface ItemLoop {
  readonly loop: RuleNode;
  readonly body: RuleNode;
  /** The loop's variable. */
  readonly item: string;
  readonly update: RuleNode;
  /** The bound's text and value. */
  readonly items: RuleNode;
  readonly count: number;
}

/** Loops from zero in steps of one to a constant. */
export function itemLoops(kernel: CudaKernel): readonly ItemLoop[] {
  return kernel.body.descendantsOfType("for_statement").flatMap((loop) => {
    const [initializer, condition, update, body] = ["initializer", "condition", "update", "body"].map(
      (field) => loop.childForFieldName(field),
    );
    const declarator = initializer?.descendantsOfType("init_declarator")[0];
    const item = declarator?.childForFieldName("declarator");
    if (
      !condition ||
      !update ||
      !body ||
      item?.type !== "identifier" ||
      compact(declarator?.childForFieldName("value")) !== "0"
    )
      return [];
    const items = condition.childForFieldName("right");
    const count = items === null ? undefined : constantValue(items, kernel.constants);
    const counts =
      condition.childForFieldName("operator")?.text === "<" &&
      compact(condition.childForFieldName("left")) === item.text;
    const byOne = [`++${item.text}`, `${item.text}++`, `${item.text}+=1`].includes(compact(update));
    return counts && byOne && items !== null && count !== undefined && count > 1
      ? [{ loop, body, item: item.text, update, items, count }]
      : [];
  });
}

/** The declaration `int NAME = VALUE;` with one declarator that stands directly in a block, and its parts. */
export interface LocalValue {
  readonly name: string;
  readonly value: RuleNode;
  readonly declaration: RuleNode;
}

export function localValues(body: RuleNode): readonly LocalValue[] {
  return body.descendantsOfType("declaration").flatMap((declaration) => {
    const declarators = declaration.childrenForFieldName("declarator");
    const [name, value] = [
      declarators[0]?.childForFieldName("declarator"),
      declarators[0]?.childForFieldName("value"),
    ];
    return declarators.length === 1 && name?.type === "identifier" && value
      ? [{ name: name.text, value, declaration }]
      : [];
  });
}

/** True for `blockIdx.x * blockDim.x + threadIdx.x` in any order and grouping. */
export function isGlobalThreadIndex(node: RuleNode): boolean {
  const terms = operands(node, "+");
  const [thread, other] = [
    terms.find((term) => compact(term) === "threadIdx.x"),
    terms.find((term) => compact(term) !== "threadIdx.x"),
  ];
  const factors = other === undefined ? [] : operands(other, "*").map(compact).sort();
  return terms.length === 2 && thread !== undefined && factors.join() === "blockDim.x,blockIdx.x";
}

/**
 * For `(blockIdx.x * blockDim.x + threadIdx.x) * ITEMS`: true when the other factor reads as the loop's
 * bound.
 */
export function isBlockedStart(node: RuleNode, items: RuleNode): boolean {
  const inner = unwrapped(node);
  if (inner.type !== "binary_expression" || inner.childForFieldName("operator")?.text !== "*") return false;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (left === null || right === null) return false;
  return (
    (isGlobalThreadIndex(unwrapped(left)) && compact(right) === compact(items)) ||
    (isGlobalThreadIndex(unwrapped(right)) && compact(left) === compact(items))
  );
}

/**
 * The sums `first + item` that hold every use of both names inside the loop; undefined when either is used in
 * any other way there.
 */
export function sumsOf(loop: ItemLoop, first: string): readonly RuleNode[] | undefined {
  const sums = new Map<number, RuleNode>();
  for (const use of [...usesOf(loop.body, first), ...usesOf(loop.body, loop.item)]) {
    const sum = use.parent;
    if (sum?.type !== "binary_expression" || sum.childForFieldName("operator")?.text !== "+")
      return undefined;
    const sides = [compact(sum.childForFieldName("left")), compact(sum.childForFieldName("right"))]
      .sort()
      .join();
    if (sides !== [first, loop.item].sort().join()) return undefined;
    sums.set(sum.id, sum);
  }
  return sums.size === 0 ? undefined : [...sums.values()];
}
