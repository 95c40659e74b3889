import { hiddenThreadIndex } from "../../../../language/cuda/body/threads";
import { comparisonOf } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { isGlobalThreadIndex } from "../elements/item-loops";
import { formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";

/** Digits that one thread takes on at most. */
const MOST = 32;

/** Work of threads whose number is taken apart into a quotient and a digit of a constant base. */
export interface DigitWork {
  /** The number of the thread in the grid. */
  readonly number: LocalValue;
  readonly base: number;
  /** `number / base`. */
  readonly quotients: readonly SyntaxNode[];
  /** `number % base`. */
  readonly digits: readonly SyntaxNode[];
  /** The branch by which the lanes of a warp part. */
  readonly branch: SyntaxNode;
  /** `if (number >= end) return;`. */
  readonly guard: SyntaxNode;
  readonly end: SyntaxNode;
  /** True where the end is a multiple of the base, so that all digits of a quotient are there. */
  readonly isWhole: boolean;
  /** The statements behind the guard that have to do with the digit: all to the end of the kernel. */
  readonly statements: readonly SyntaxNode[];
}

/** The work of a kernel on digits; a guard's answer where it is of another kind. */
export function digitWork(input: RuleInput, view: KernelView): DigitWork | RuleHold {
  const block = blockShape(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const number = localValues(view.body).find(({ value }) =>
    isGlobalThreadIndex(formIn(view, value), threads),
  );
  if (number === undefined || isAssigned(view.body, number.name))
    return not("no-pattern", "no variable is the number of the thread in the grid", view.line);
  if (number.declaration.childrenForFieldName("declarator").length > 1)
    return not("no-pattern", `${number.name} is declared beside others`, number.declaration);
  const parts = takenApart(view, number);
  if (isNot(parts)) return parts;
  const branch = branchOn(view, parts.digits);
  if (branch === undefined)
    return not("no-pattern", `no branch tells the digits of ${number.name} apart`, number.declaration);
  const places = ["threadIdx", "blockIdx", "gridDim"].flatMap((name) => usesOf(view.body, name));
  const other = places.find((use) => !isInside(use, number.value));
  if (other !== undefined) return not("dependence", `${other.text} is used beside ${number.name}`, other);
  const hidden = hiddenThreadIndex(view.model, view.kernel);
  if (hidden !== undefined)
    return not("dependence", "a macro or a called function reads threadIdx", hidden.line);
  const guarded = guardOf(view, number, parts.base);
  if (isNot(guarded)) return guarded;
  const statements = digitStatements(view, { number, ...parts, ...guarded });
  return isNot(statements) ? statements : { number, ...parts, branch, ...guarded, statements };
}

type Parts = Pick<DigitWork, "base" | "quotients" | "digits">;

/** Quotients and digits of the number, all of one constant base. */
function takenApart(view: KernelView, { name, declaration }: LocalValue): Parts | RuleHold {
  const found = view.body.descendantsOfType("binary_expression").flatMap((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const operator = fieldText(node, "operator");
    if (left === null || right === null || compact(unwrapped(left)) !== name) return [];
    const value = view.scope.value(right);
    if (value === undefined || !/^[/%&]$|^>>$/.test(operator)) return [];
    const base = { "/": value, "%": value, "&": value + 1, ">>": 2 ** value }[operator] ?? 0;
    const isDigit = operator === "%" || operator === "&";
    return operator === "&" && !Number.isInteger(Math.log2(base)) ? [] : [{ node, base, isDigit }];
  });
  const [base, ...others] = new Set(found.map((each) => each.base));
  if (base === undefined || others.length > 0 || base < 2 || base > MOST)
    return not("no-pattern", `${name} is not taken apart by one small constant`, declaration);
  return {
    base,
    quotients: found.flatMap(({ node, isDigit }) => (isDigit ? [] : [node])),
    digits: found.flatMap(({ node, isDigit }) => (isDigit ? [node] : [])),
  };
}

/** A `switch` over the digit, or the first `if` on it, also behind a local. */
function branchOn(view: KernelView, digits: readonly SyntaxNode[]): SyntaxNode | undefined {
  const names = localValues(view.body).filter(({ value }) =>
    digits.some(({ id }) => unwrapped(value).id === id),
  );
  return view.body.descendantsOfType(["switch_statement", "if_statement"]).find((node) => {
    const condition = node.childForFieldName("condition");
    if (condition === null) return false;
    const named = names.some(({ name }) => usesOf(condition, name).length > 0);
    return named || digits.some((digit) => isInside(digit, condition));
  });
}

/** `if (number >= end) return;` among the statements of the kernel, and nothing else that leaves it. */
function guardOf(
  view: KernelView,
  { name, declaration }: LocalValue,
  base: number,
): Pick<DigitWork, "guard" | "end" | "isWhole"> | RuleHold {
  const guard = partsOf(view.body).find((node) => {
    const condition = node.type === "if_statement" ? node.childForFieldName("condition") : null;
    const compared = condition && comparisonOf(condition.childForFieldName("value") ?? condition, name);
    return (
      compared?.comparison === ">=" && /^\{?return;\}?$/.test(compact(node.childForFieldName("consequence")))
    );
  });
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  const end = condition ? comparisonOf(condition, name)?.bound : undefined;
  if (guard === undefined || end === undefined)
    return not("no-pattern", `no condition ends the threads with ${name} beyond a size`, declaration);
  const leaves = view.body.descendantsOfType("return_statement").find((node) => !isInside(node, guard));
  if (leaves !== undefined) return not("no-pattern", "the kernel ends in the middle", leaves);
  const isWhole = [...formIn(view, end).values()].every((factor) => factor % base === 0);
  return { guard, end, isWhole };
}

/** All statements behind the first one for which the digit matters, and what they change. */
function digitStatements(
  view: KernelView,
  { number, guard, quotients }: Parts & Pick<DigitWork, "number" | "guard">,
): readonly SyntaxNode[] | RuleHold {
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex >= guard.endIndex);
  const isDigit = (node: SyntaxNode): boolean =>
    usesOf(node, number.name).some((use) => !quotients.some((each) => isInside(use, each)));
  const before = partsOf(view.body).find(
    (node) =>
      node.startIndex < guard.startIndex &&
      !isInside(number.declaration, node) &&
      usesOf(node, number.name).length > 0,
  );
  if (before !== undefined) return not("dependence", `${number.name} is used in front of its end`, before);
  let first = behind.findIndex(isDigit);
  if (first < 0) return not("no-pattern", `nothing depends on the digit of ${number.name}`, guard);
  // What the turns change has to begin anew in each of them.
  for (let moved = true; moved;) {
    const changed = new Set(
      behind
        .slice(first)
        .flatMap(changes)
        .flatMap(({ target }) => (target.type === "identifier" ? [target.text] : [])),
    );
    const earlier = behind.slice(0, first).findIndex((node) => declares(node, changed));
    moved = earlier >= 0;
    if (moved) first = earlier;
    const outside = [...changed].find(
      (name) => !behind.slice(first).some((node) => declares(node, new Set([name]))),
    );
    if (!moved && outside !== undefined)
      return not("dependence", `${outside} is changed in the work on a digit`, behind[first] ?? guard);
  }
  return behind.slice(first);
}

/** True for a statement in which one of the names is declared. */
function declares(node: SyntaxNode, names: ReadonlySet<string>): boolean {
  return node
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .some((each) =>
      names.has(
        each.type === "identifier" ? each.text : (each.descendantsOfType("identifier")[0]?.text ?? ""),
      ),
    );
}
