import { comparisonOf } from "../../../../language/cuda/body/loops";
import { sameForm } from "../../../../language/cuda/body/forms";
import { changes, isPure, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { threadsCooperate } from "../elements/element-work";
import { formIn, type KernelView } from "../kernel";

/** A number that is taken apart: `fast = index % size` and `slow = index / size`. */
interface Parted {
  readonly index: string;
  readonly fast: LocalValue;
  readonly slow: LocalValue;
  readonly size: SyntaxNode;
  /** The extent of the slow number where it is written beside it: `index / size % extent`. */
  readonly extent: SyntaxNode | undefined;
}

/**
 * Takes the thread's number apart in the other order, so that neighbouring threads differ in what was the
 * slow number. The extents of both numbers have to be known.
 */
export function otherOrder(view: KernelView): readonly TextEdit[] | RuleHold {
  const held = threadsCooperate(view, { sums: true });
  if (held !== undefined) return held;
  const parted = partedIndex(view);
  if (parted === undefined)
    return not("no-pattern", "no number is taken apart into a row and a column", view.line);
  const { index, fast, slow, size } = parted;
  const changed = changes(view.body).find(
    ({ act, target }) =>
      [index, fast.name, slow.name].includes(target.text) && !isStep(act, fast.declaration),
  );
  if (changed !== undefined) return not("dependence", `${changed.target.text} is changed`, changed.act);
  const extent = extentOf(view, parted);
  if (isNot(extent)) return extent;
  const other = usesOf(view.body, index).find((use) => !isOwn(view, use, parted));
  if (other !== undefined) return not("dependence", `${index} is used for more than row and column`, other);
  const wrapped = parted.extent === undefined ? "" : ` % (${size.text})`;
  return [
    replaceNode(fast.value, `${index} / (${extent.text})${wrapped}`),
    replaceNode(slow.value, `${index} % (${extent.text})`),
    ...extent.edits,
  ];
}

/** The update of a loop around a node. */
function isStep(act: SyntaxNode, node: SyntaxNode): boolean {
  const loop = enclosing(act, "for_statement");
  const updates = loop?.childForFieldName("update");
  return loop !== undefined && !!updates && isInside(act, updates) && isInside(node, loop);
}

function partedIndex(view: KernelView): Parted | undefined {
  const locals = localValues(view.body);
  for (const fast of locals) {
    const remainder = division(fast.value, "%");
    if (remainder?.left.type !== "identifier") continue;
    for (const slow of locals) {
      const wrapped = division(slow.value, "%");
      const quotient = division(wrapped?.left ?? slow.value, "/");
      const same = quotient !== undefined && compact(quotient.left) === remainder.left.text;
      if (!same || !sameForm(formIn(view, quotient.right), formIn(view, remainder.right))) continue;
      return { index: remainder.left.text, fast, slow, size: remainder.right, extent: wrapped?.right };
    }
  }
  return undefined;
}

function division(
  node: SyntaxNode,
  operator: "/" | "%",
): { readonly left: SyntaxNode; readonly right: SyntaxNode } | undefined {
  const inner = unwrapped(node);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (fieldText(inner, "operator") !== operator || left === null || right === null || !isPure(right))
    return undefined;
  return { left: unwrapped(left), right: unwrapped(right) };
}

interface Extent {
  readonly text: string;
  /** What a condition has to say instead. */
  readonly edits: readonly TextEdit[];
}

/** How many values the slow number takes. */
function extentOf(view: KernelView, { index, fast, slow, size, extent }: Parted): Extent | RuleHold {
  if (extent !== undefined) return { text: extent.text, edits: [] };
  const from = localValues(view.body).find(({ name }) => name === index);
  const total = (from && division(from.value, "%")?.right) ?? endOf(view, index)?.bound;
  const rest = total && withoutFactors(view, total, size);
  if (rest !== undefined) return { text: rest, edits: [] };
  const guard = endOf(view, slow.name);
  if (guard === undefined) return not("limit", `the extent of ${slow.name} is not known`, slow.declaration);
  const condition = fieldText(guard.node, "operator");
  const mirrored = compact(unwrapped(guard.node.childForFieldName("left") ?? guard.node)) !== slow.name;
  const text = mirrored
    ? `(${size.text}) ${condition} ${fast.name}`
    : `${fast.name} ${condition} (${size.text})`;
  const bounded = endOf(view, fast.name) !== undefined;
  return { text: guard.bound.text, edits: bounded ? [] : [replaceNode(guard.node, text)] };
}

/** The condition that keeps a number below an end. */
function endOf(view: KernelView, name: string) {
  return view.body.descendantsOfType("binary_expression").flatMap((node) => {
    const compared = comparisonOf(node, name);
    const ends = compared?.comparison === "<" || compared?.comparison === ">=";
    return ends && isPure(compared.bound) ? [{ node, bound: compared.bound }] : [];
  })[0];
}

/** A product without the factors of another one; names of the kernel are followed. */
function withoutFactors(view: KernelView, total: SyntaxNode, size: SyntaxNode): string | undefined {
  const meaning = total.type === "identifier" ? view.scope.meaning(total.text) : undefined;
  const product = meaning !== undefined && typeof meaning !== "string" ? meaning : total;
  const left = [...operands(product, "*")];
  for (const factor of operands(size, "*")) {
    const place = left.findIndex((each) => sameForm(formIn(view, each), formIn(view, factor)));
    if (place < 0) return undefined;
    left.splice(place, 1);
  }
  return left.length === 0 ? undefined : left.map((node) => node.text).join(" * ");
}

/** Uses that stay right: in both numbers, in its own declaration, in a condition, in a quotient of both. */
function isOwn(view: KernelView, use: SyntaxNode, { index, fast, slow, extent }: Parted): boolean {
  const own = localValues(view.body).find(({ name }) => name === index);
  const places = [fast.value, slow.value, ...(own === undefined ? [] : [own.declaration])];
  if (places.some((node) => isInside(use, node))) return true;
  const outer = use.parent;
  if (outer === null) return false;
  if (comparisonOf(outer, index) !== undefined || isStep(outer, fast.declaration)) return true;
  const beyond = extent !== undefined && division(outer, "/");
  return beyond !== false && beyond !== undefined && operands(beyond.right, "*").length > 1;
}
