import { changes, isPure } from "../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  enclosing,
  fieldText,
  isInside,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, replaceNode, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import { elementAt, overlapping, type PointerSum, pointerSum, sumText } from "./pointers";
import { type Spelling, staysSame, taken } from "./spelling";

/** `const float *p = a, *q = b;` and `int counts[13], sums[4];` as a declaration for each. */
export const pointersApart: Spelling = ({ body, source }) => {
  for (const declaration of body.descendantsOfType("declaration")) {
    const all = declaration.childrenForFieldName("declarator");
    const [first] = all;
    const apart = all.some(
      (node) =>
        node.type === "array_declarator" ||
        /^(?:pointer|array)_declarator$/.test(node.childForFieldName("declarator")?.type ?? ""),
    );
    const plain = all.every(({ type }) =>
      /^(init_declarator|pointer_declarator|array_declarator|identifier)$/.test(type),
    );
    if (first === undefined || all.length < 2 || !apart || !plain) continue;
    if (declaration.parent?.type !== "compound_statement") continue;
    const head = source.slice(declaration.startIndex, first.startIndex);
    const breaks = declaration.text.split("\n").length - 1;
    const each = all.map((node) => `${collapse(head)} ${collapse(node.text)};`).join(" ");
    return [replaceNode(declaration, `${each}${"\n".repeat(breaks)}`)];
  }
  return undefined;
};

/** A pointer that moves through memory. */
interface Walker {
  readonly name: string;
  readonly declaration: SyntaxNode;
  readonly sum: PointerSum;
  /** Where it is known. */
  readonly scope: SyntaxNode;
}

/** `const float* p = row; while (p < end) sum += *p++;` with a number of steps: `row[pAt++]`. */
export const walksCounted: Spelling = (view) => {
  for (const declaration of view.body.descendantsOfType("declaration")) {
    const walker = walkerOf(view, declaration);
    const edits = walker && countedWalk(view, walker);
    if (edits !== undefined) return edits;
  }
  return undefined;
};

function walkerOf(view: KernelView, declaration: SyntaxNode): Walker | undefined {
  const { body } = view;
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  const target = declarator?.childForFieldName("declarator");
  const value = declarator?.childForFieldName("value");
  const scope = declaration.parent;
  if (others.length > 0 || target?.type !== "pointer_declarator" || !value || scope === null)
    return undefined;
  const name = partsOf(target).length > 2 ? undefined : pointerName(target);
  const sum = pointerSum(unwrapped(value));
  if (name === undefined || sum === undefined || !isPure(value)) return undefined;
  const steady = staysSame(value, body, (act) => {
    const loop = enclosing(act, "for_statement");
    return loop?.childForFieldName("update")?.id === act.id && isInside(declaration, loop);
  });
  const once = pointersNamed(body, name).length === 1;
  return once && steady && isPointer(view, sum.base.text) ? { name, declaration, sum, scope } : undefined;
}

/** True for a parameter, or a local that is declared once. */
function isPointer({ body, kernel }: KernelView, name: string): boolean {
  const parameter = kernel.facts.parameters.some((each) => each.pointer && each.name === name);
  return parameter || pointersNamed(body, name).length === 1;
}

/** Declarations of local pointers of a name. */
function pointersNamed(body: SyntaxNode, name: string): readonly SyntaxNode[] {
  return body.descendantsOfType("declaration").filter((declaration) =>
    declaration
      .childrenForFieldName("declarator")
      .map((node) => node.childForFieldName("declarator"))
      .some((node) => node?.type === "pointer_declarator" && pointerName(node) === name),
  );
}

/** `p` of `*p` and of `* const p`. */
function pointerName(declarator: SyntaxNode): string | undefined {
  return declarator.descendantsOfType("identifier")[0]?.text;
}

function countedWalk(view: KernelView, walker: Walker): readonly TextEdit[] | undefined {
  const { body, source } = view;
  const { name, declaration, scope } = walker;
  const uses = usesOf(body, name).filter((use) => !isInside(use, declaration));
  const moves = changes(body).filter(({ target }) => compact(target) === name);
  if (moves.length === 0 || uses.some((use) => !isInside(use, scope))) return undefined;
  const count = freshName(source, `${name}At`);
  const elements: SyntaxNode[] = [];
  const ends = new Map<number, SyntaxNode>();
  const edits: TextEdit[] = [];
  for (const use of uses) {
    const replaced =
      movedAt(use, walker, count) ?? elementEdit(use, walker, count) ?? comparedAt(view, use, walker, count);
    if (replaced === undefined) {
      if (isEndOf(view, use, walker)) continue;
      return undefined;
    }
    if (replaced.element !== undefined) elements.push(replaced.element);
    if (replaced.end !== undefined) ends.set(replaced.end.id, replaced.end);
    edits.push(replaced.edit);
  }
  if (overlapping(elements.map((node) => ({ node })))) return undefined;
  const gone = [...ends.values()].map(taken);
  const start = `${typeOfCount(view, edits)} ${count} = 0`;
  const own =
    scope.type === "for_statement" ? `${start};` : `${start};${declaration.text.replace(/[^\n]/g, "")}`;
  return [replaceNode(declaration, own), ...gone, ...edits];
}

interface Replaced {
  readonly edit: TextEdit;
  readonly element?: SyntaxNode;
  /** The declaration of an end that is not needed any more. */
  readonly end?: SyntaxNode;
}

/** `p++`, `++p` and `p += n` by themselves; also a new start where it began. */
function movedAt(use: SyntaxNode, walker: Walker, count: string): Replaced | undefined {
  const act = use.parent;
  const alone = /^(?:expression|for)_statement$/.test(act?.parent?.type ?? "");
  if (act === null || !alone) return undefined;
  if (act.type === "update_expression" && act.text.includes("++")) return { edit: replaceNode(use, count) };
  const assigns = act.type === "assignment_expression" && act.childForFieldName("left")?.id === use.id;
  return assigns ? assignedAt(act, walker, count) : undefined;
}

function assignedAt(act: SyntaxNode, { name, sum }: Walker, count: string): Replaced | undefined {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (left === null || right === null) return undefined;
  const operator = fieldText(act, "operator");
  if (operator === "+=" && usesOf(right, name).length === 0) return { edit: replaceNode(left, count) };
  const again = operator === "=" ? pointerSum(unwrapped(right)) : undefined;
  const same = again?.base.text === sum.base.text && sumText(again.offsets) === sumText(sum.offsets);
  return same ? { edit: replaceNode(act, `${count} = 0`) } : undefined;
}

/** `*p`, `p[i]`, `p->member`, `*p++` and `*(p + i)`. */
function elementEdit(use: SyntaxNode, walker: Walker, count: string): Replaced | undefined {
  const { sum } = walker;
  if (use.parent?.type === "update_expression") return steppedElement(use.parent, walker, count);
  const element = elementAt(use);
  if (element === undefined) return addedElement(use, walker, count);
  const index = element.index.length === 0 ? [] : [sumText(element.index)];
  const text = elementText(sum, [count, ...index]);
  return { edit: replaceNode(element.node, `${text}${element.member}`), element: element.node };
}

/** `*p++`. */
function steppedElement(step: SyntaxNode, { sum }: Walker, count: string): Replaced | undefined {
  const outer = step.parent;
  const loads = outer?.type === "pointer_expression" && outer.text.startsWith("*");
  if (!loads || !step.text.endsWith("++")) return undefined;
  return { edit: replaceNode(outer, elementText(sum, [`${count}++`])), element: outer };
}

/** `*(p + i)`. */
function addedElement(use: SyntaxNode, { sum }: Walker, count: string): Replaced | undefined {
  const added = use.parent;
  const pointer = added?.type === "binary_expression" ? added.parent?.parent : undefined;
  if (!added || pointer?.type !== "pointer_expression" || !pointer.text.startsWith("*")) return undefined;
  const offset = pointerSum(added);
  if (offset?.base.id !== use.id) return undefined;
  return { edit: replaceNode(pointer, elementText(sum, [count, sumText(offset.offsets)])), element: pointer };
}

function elementText({ base, offsets }: PointerSum, terms: readonly string[]): string {
  const before = offsets.length === 0 ? [] : [sumText(offsets)];
  return `${base.text}[${[...before, ...terms].join(" + ")}]`;
}

/** `++p` around a use, else the use. */
function comparedSide(use: SyntaxNode): SyntaxNode {
  const act = use.parent;
  return act?.type === "update_expression" && act.text.startsWith("++") ? act : use;
}

/** `p < end`, `p != end` and `++p < end`, with how many steps it is to the end. */
function comparedAt(view: KernelView, use: SyntaxNode, walker: Walker, count: string): Replaced | undefined {
  const side = comparedSide(use);
  const compared = side.parent;
  if (compared?.type !== "binary_expression" || !/^([<>]=?|!=)$/.test(fieldText(compared, "operator")))
    return undefined;
  const isLeft = compared.childForFieldName("left")?.id === side.id;
  const other = compared.childForFieldName(isLeft ? "right" : "left");
  if (!other) return undefined;
  const [declared] = pointersNamed(view.body, other.text);
  const end = declared === undefined ? other : endValue(declared);
  const most = end && stepsTo(view, walker, { end, declared });
  if (most === undefined) return undefined;
  const operator = fieldText(compared, "operator");
  const counted = side.id === use.id ? count : `++${count}`;
  const text = isLeft ? `${counted} ${operator} ${most}` : `${most} ${operator} ${counted}`;
  const free = declared !== undefined && servesComparisons(view.body, declared, other.text, walker.name);
  return { edit: replaceNode(compared, text), ...(free ? { end: declared } : {}) };
}

function endValue(declaration: SyntaxNode): SyntaxNode | undefined {
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  return others.length > 0 ? undefined : (declarator?.childForFieldName("value") ?? undefined);
}

/** How many elements lie between the walker's start and its end. */
function stepsTo(
  { body }: KernelView,
  { name, sum, declaration }: Walker,
  { end, declared }: { readonly end: SyntaxNode; readonly declared: SyntaxNode | undefined },
): string | undefined {
  const last = pointerSum(unwrapped(end));
  if (last === undefined || !isPure(end)) return undefined;
  const counted = /^(?:update|assignment)_expression$/;
  const moved = changes(body).find(({ act, target }) => counted.test(act.type) && compact(target) === name);
  const early = declared !== undefined && moved !== undefined && declared.endIndex < moved.act.startIndex;
  if (last.base.text === name)
    return early && declared.parent?.id === declaration.parent?.id ? bounded(last.offsets) : undefined;
  if (last.base.text !== sum.base.text) return undefined;
  const rest = [...last.offsets];
  for (const offset of sum.offsets) {
    const place = rest.findIndex((term) => compact(term) === compact(offset));
    if (place < 0) return undefined;
    rest.splice(place, 1);
  }
  return bounded(rest);
}

function bounded(terms: readonly SyntaxNode[]): string {
  const text = sumText(terms);
  return /^[\w.]+$/.test(text) ? text : `(${text})`;
}

/** True where an end is only compared with the walker. */
function servesComparisons(body: SyntaxNode, declared: SyntaxNode, end: string, walker: string): boolean {
  return usesOf(body, end)
    .filter((use) => !isInside(use, declared))
    .every((use) => {
      const sides = [use.parent?.childForFieldName("left"), use.parent?.childForFieldName("right")];
      const isWalker = sides.some((side) => side?.text === walker || side?.text === `++${walker}`);
      return use.parent?.type === "binary_expression" && isWalker;
    });
}

/** True for the use of the walker in the declaration of its own end, which goes with it. */
function isEndOf({ body }: KernelView, use: SyntaxNode, { name }: Walker): boolean {
  const declared = enclosing(use, "declaration");
  const [declarator] = declared?.childrenForFieldName("declarator") ?? [];
  const target = declarator?.childForFieldName("declarator");
  const end = target?.type === "pointer_declarator" ? pointerName(target) : undefined;
  return declared !== undefined && end !== undefined && servesComparisons(body, declared, end, name);
}

/** A number of 64 bits where one is compared or added. */
function typeOfCount({ kernel }: KernelView, edits: readonly TextEdit[]): string {
  const names = new Set(edits.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []));
  const wide = kernel.facts.parameters.some(
    ({ name, type, pointer }) => !pointer && names.has(name) && /size_t|64|long/.test(type),
  );
  return wide ? "long long" : "int";
}
