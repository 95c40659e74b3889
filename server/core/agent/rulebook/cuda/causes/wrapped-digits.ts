import { type Form, formFrom, formOf, sameForm } from "../../../../language/cuda/body/forms";
import { comparisonOf, countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { fieldText, operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { formIn, type KernelView } from "../kernel";

/**
 * `(x + 1) % n` and `(x + n - 1) % n` of a number below `n` without a division: one comparison tells whether
 * the neighbour lies at the other end.
 */
export function wrappedDigits(view: KernelView): readonly TextEdit[] {
  const divisions = view.body
    .descendantsOfType("binary_expression")
    .filter((node) => fieldText(node, "operator") === "%");
  const edits = divisions.flatMap((node) => {
    const [left, size] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (!left || !size || view.scope.value(size) !== undefined || !isPure(node)) return [];
    const names = left.descendantsOfType("identifier").map(({ text }) => text);
    const digit = localValues(view.body).find(
      (local) => names.includes(local.name) && isBelow(view, local, size),
    );
    const text = digit && neighbour(view, { left, size, name: digit.name });
    return text === undefined ? [] : [replaceNode(node, text)];
  });
  const isInner = ({ start, end }: TextEdit): boolean =>
    edits.some((other) => other.start <= start && other.end >= end && other.end - other.start > end - start);
  return edits.filter((edit) => !isInner(edit));
}

/** True for a number of zero or more that stays below a size. */
function isBelow(view: KernelView, { name, value }: LocalValue, size: SyntaxNode): boolean {
  if (isAssigned(view.body, name)) return false;
  const inner = unwrapped(value);
  const operator = fieldText(inner, "operator");
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (!left || !right) return false;
  if (operator === "%") return sameForm(formIn(view, right), formIn(view, size)) && isCount(view, left);
  return operator === "/" && isCount(view, left) && isLeading(view, { left, right, size });
}

/** True for what is made of the thread's number by sums, products and divisions alone. */
function isCount(view: KernelView, node: SyntaxNode): boolean {
  const inner = unwrapped(node);
  if (inner.type === "identifier") {
    const meaning = view.scope.meaning(inner.text);
    const loop = countedLoops(view.body).find(({ variable }) => variable === inner.text);
    if (loop !== undefined) return loop.step.operator === "+" && isCount(view, loop.start);
    return typeof meaning === "object" && isCount(view, meaning);
  }
  if (inner.type === "cast_expression") return isCount(view, inner.childForFieldName("value") ?? inner);
  if (inner.type === "field_expression")
    return /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/.test(inner.text);
  if (inner.type === "number_literal") return true;
  if (inner.type !== "binary_expression") return false;
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  const operator = fieldText(inner, "operator");
  if (operator === "/" || operator === "%") return left !== null && isCount(view, left);
  return /^[+*]$/.test(operator) && [left, right].every((side) => side !== null && isCount(view, side));
}

interface Quotient {
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
  readonly size: SyntaxNode;
}

/** True where a condition keeps the number below the product of the divisor and the size. */
function isLeading(view: KernelView, { left, right, size }: Quotient): boolean {
  const number = unwrapped(left);
  const divisors: SyntaxNode[] = [right];
  let at = number;
  while (fieldText(at, "operator") === "/") {
    const [inner, by] = [at.childForFieldName("left"), at.childForFieldName("right")];
    if (!inner || !by) return false;
    divisors.push(by);
    at = unwrapped(inner);
  }
  if (at.type !== "identifier") return false;
  const wanted = [...divisors, size].reduce<Form>(
    (product, node) => times(product, formIn(view, node)),
    formFrom({ "": 1 }),
  );
  return view.body.descendantsOfType("if_statement").some((guard) => {
    const condition = guard.childForFieldName("condition")?.childForFieldName("value");
    const parts = condition ? [...operands(condition, "&&"), ...operands(condition, "||")] : [];
    return parts.some((part) => {
      const compared = comparisonOf(part, at.text);
      return (
        compared !== undefined &&
        /^(?:<|>=)$/.test(compared.comparison) &&
        sameForm(formIn(view, compared.bound), wanted)
      );
    });
  });
}

function times(left: Form, right: Form): Form {
  const terms = new Map<string, number>();
  for (const [a, first] of left)
    for (const [b, second] of right) {
      const key = [...a.split("*"), ...b.split("*")]
        .filter((part) => part !== "")
        .sort()
        .join("*");
      terms.set(key, (terms.get(key) ?? 0) + first * second);
    }
  return terms;
}

interface Neighbour {
  readonly left: SyntaxNode;
  readonly size: SyntaxNode;
  readonly name: string;
}

/** The number's neighbour above or below, around the end; undefined for any other dividend. */
function neighbour(view: KernelView, { left, size, name }: Neighbour): string | undefined {
  const scope = {
    ...view.scope,
    meaning: (each: string) => (each === name ? undefined : view.scope.meaning(each)),
  };
  const [form, extent] = [formOf(left, scope), formOf(size, scope)];
  const isSum = (others: Readonly<Record<string, number>>, sign: 0 | 1): boolean => {
    const terms = new Map([[name, 1], ...Object.entries(others)]);
    if (sign === 1) for (const [key, factor] of extent) terms.set(key, (terms.get(key) ?? 0) + factor);
    return sameForm(form, new Map([...terms].filter(([, factor]) => factor !== 0)));
  };
  const text = /^[\w.]+$/.test(size.text) ? size.text : `(${size.text})`;
  if (isSum({ "": 1 }, 0)) return `(${name} + 1 == ${text} ? 0 : ${name} + 1)`;
  return isSum({ "": -1 }, 1) ? `(${name} == 0 ? ${text} - 1 : ${name} - 1)` : undefined;
}
