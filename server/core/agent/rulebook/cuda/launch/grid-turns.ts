import { comparisonOf } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { isGlobalThreadIndex } from "../elements/item-loops";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "./block-shape";

/** Where an element's number is known to be too large, the other way round. */
const within: Readonly<Partial<Record<string, string>>> = { ">=": "<", ">": "<=" };

/**
 * A kernel of which each thread works on one element, with a loop over the grid around that work: any number
 * of blocks does all of it then. Lines stay where they are. Undefined for any other kernel.
 */
export function inGridTurns(input: RuleInput): RuleInput | undefined {
  const view = cudaKernel(input);
  if (isNot(view) || threadsCooperate(view, { sums: true }) !== undefined) return undefined;
  const index = elementOf(input, view);
  const end = index && endOf(view, index);
  if (index === undefined || end === undefined) return undefined;
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex > index.declaration.startIndex);
  const leaving = behind
    .flatMap((node) => node.descendantsOfType("return_statement"))
    .filter((node) => end.exit === undefined || !isInside(node, end.exit));
  if (leaving.some((node) => enclosing(node, "for_statement", "while_statement", "do_statement")))
    return undefined;
  const type = fieldText(index.declaration, "type");
  const { name, value } = index;
  const step = `${name} += blockDim.x * gridDim.x`;
  const head = `for (${type} ${name} = ${value.text}; ${end.condition}; ${step}) {`;
  const close = view.body.endIndex - 1;
  const edits: readonly TextEdit[] = [
    onItsLines(index.declaration, head),
    ...(end.exit === undefined ? [] : [emptied(view.source, end.exit)]),
    ...leaving.map((node) => replaceNode(node, "continue;")),
    { start: close, end: close, text: `${indentOf(view.source, index.declaration)}}\n` },
  ];
  return { ...input, tree: editedTree(input, edits) };
}

/** A text with as many line breaks as what it stands for. */
function onItsLines(node: SyntaxNode, text: string): TextEdit {
  return replaceNode(node, `${text}${node.text.replace(/[^\n]/g, "")}`);
}

/** Nothing but the line breaks of a statement, without what indents it. */
function emptied(source: string, node: SyntaxNode): TextEdit {
  const before = source.slice(0, node.startIndex);
  const indent = before.length - before.trimEnd().length;
  const line = before.lastIndexOf("\n") + 1;
  const start = Math.max(line, node.startIndex - indent);
  return { ...onItsLines(node, ""), start };
}

/** The number of the thread's element, where nothing else asks which thread or block it is. */
function elementOf(input: RuleInput, view: KernelView): LocalValue | undefined {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const { body } = view;
  const index = localValues(body).find(
    ({ name, value, declaration }) =>
      declaration.parent?.id === body.id &&
      declaration.childrenForFieldName("declarator").length === 1 &&
      isGlobalThreadIndex(formIn(view, value), threads) &&
      !isAssigned(body, name),
  );
  const asks = ["threadIdx", "blockIdx", "gridDim"].flatMap((name) => usesOf(body, name));
  return index && asks.every((use) => isInside(use, index.declaration)) ? index : undefined;
}

interface End {
  /** While it holds there are elements. */
  readonly condition: string;
  /** The statement by which a thread without an element leaves. */
  readonly exit: SyntaxNode | undefined;
}

/** `if (i >= n) return;` behind the number and its sizes, or `if (i < n) { … }` as the last statement. */
function endOf(view: KernelView, index: LocalValue): End | undefined {
  const behind = partsOf(view.body).filter(({ startIndex }) => startIndex > index.declaration.startIndex);
  const guard = behind.find(({ type }) => type === "if_statement");
  const condition = guard?.childForFieldName("condition")?.childForFieldName("value");
  const compared = condition ? comparisonWith(view, condition, index.name) : undefined;
  if (guard === undefined || compared === undefined || guard.childForFieldName("alternative") !== null)
    return undefined;
  if (!isKnownInFront(view, compared.bound, { index, between: behind.slice(0, behind.indexOf(guard)) }))
    return undefined;
  return endBy(guard, index.name, { ...compared, isLast: behind.at(-1)?.id === guard.id });
}

/** What a guard at the top, or around all that follows, says of the numbers that have an element. */
function endBy(
  guard: SyntaxNode,
  name: string,
  { comparison, bound, isSum, isLast }: Compared & { readonly isLast: boolean },
): End | undefined {
  const leaves = /^\{?return;\}?$/.test(compact(guard.childForFieldName("consequence")));
  const opposite = leaves ? within[comparison] : undefined;
  // Of numbers from the bound on none has an element; those before it are asked as they were.
  if (isSum && (opposite ?? comparison).startsWith("<"))
    return { condition: `${name} < ${bound.text}`, exit: undefined };
  if (opposite !== undefined) return { condition: `${name} ${opposite} ${bound.text}`, exit: guard };
  const encloses = !leaves && isLast && /^<=?$/.test(comparison);
  return encloses ? { condition: `${name} ${comparison} ${bound.text}`, exit: undefined } : undefined;
}

interface Compared {
  readonly comparison: string;
  readonly bound: SyntaxNode;
  /** More than the number is compared with the bound. */
  readonly isSum: boolean;
}

/** `i < n`, or `i + 4 <= n`: the number, or one that is greater by a constant. */
function comparisonWith(view: KernelView, condition: SyntaxNode, name: string): Compared | undefined {
  const compared = comparisonOf(condition, name);
  if (compared !== undefined) return { ...compared, isSum: false };
  const inner = unwrapped(condition);
  const [left, bound] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (inner.type !== "binary_expression" || left === null || bound === null) return undefined;
  const terms = operands(left, "+");
  const beside = terms.filter(({ text }) => text !== name);
  const positive = beside.every((term) => (view.scope.value(term) ?? 0) > 0);
  if (terms.length !== 2 || beside.length !== 1 || !positive) return undefined;
  return { comparison: fieldText(inner, "operator"), bound, isSum: true };
}

interface Between {
  readonly index: LocalValue;
  /** What stands between the number and the condition. */
  readonly between: readonly SyntaxNode[];
}

/** True where a loop may end by the bound: it is known in front of it, and nothing is read till there. */
function isKnownInFront({ body }: KernelView, bound: SyntaxNode, { index, between }: Between): boolean {
  const own = between.flatMap((node) => localValues(node).map(({ name }) => name));
  const plain = between.every(
    (node) => node.type === "declaration" && node.descendantsOfType("subscript_expression").length === 0,
  );
  const names = [index.name, ...own];
  return (
    plain &&
    isPure(bound) &&
    !names.some((name) => usesOf(bound, name).length > 0) &&
    !isAssignedIn(body, bound)
  );
}

/** True where a name of the bound gets another value in the body. */
function isAssignedIn(body: SyntaxNode, bound: SyntaxNode): boolean {
  const names = bound.type === "identifier" ? [bound] : bound.descendantsOfType("identifier");
  return names.some(({ text }) => isAssigned(body, text));
}
