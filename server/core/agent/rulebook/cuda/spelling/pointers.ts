import { changes, isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { arraysOf, subscriptIndex } from "../../../../language/cuda/body/arrays";
import { declaredName } from "../../../../language/cuda/body/threads";
import {
  collapse,
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
import { freshName, replaceNode } from "../../edits";
import { type Spelling, staysSame, taken } from "./spelling";

/** `__ldg(pointer + index)` and `__ldg(&pointer[index])` as elements of the pointer. */
export const loadedPlainly: Spelling = ({ body, kernel }) => {
  for (const call of body.descendantsOfType("call_expression")) {
    const [address, ...more] = partsOf(call.childForFieldName("arguments"));
    if (fieldText(call, "function") !== "__ldg" || address === undefined || more.length > 0) continue;
    const { base, offsets = [] } = pointerSum(unwrapped(address)) ?? {};
    const known =
      kernel.facts.parameters.some(({ name, pointer }) => pointer && name === base?.text) ||
      isLocalPointer(body, base);
    if (base !== undefined && known) return [replaceNode(call, `${base.text}[${sumText(offsets)}]`)];
  }
  return undefined;
};

/** True for a name that every declaration in the body makes a pointer. */
function isLocalPointer(body: SyntaxNode, node: SyntaxNode | undefined): boolean {
  const declared = body
    .descendantsOfType("declaration")
    .flatMap((declaration) => declaration.childrenForFieldName("declarator"))
    .map((each) => (each.type === "init_declarator" ? each.childForFieldName("declarator") : each))
    .filter((each) => node !== undefined && each?.descendantsOfType("identifier")[0]?.text === node.text);
  return declared.length > 0 && declared.every((each) => each?.type === "pointer_declarator");
}

/** `*(pointer + index)`, `*pointer` and `(pointer + offset)[index]` as elements of the pointer. */
export const subscripted: Spelling = ({ body, kernel }) => {
  for (const node of body.descendantsOfType("subscript_expression")) {
    const [argument, index] = [node.childForFieldName("argument"), subscriptIndex(node)];
    if (argument?.type !== "parenthesized_expression" || index === undefined) continue;
    const { base, offsets = [] } = pointerSum(unwrapped(argument)) ?? {};
    const known = kernel.facts.parameters.some(({ name, pointer }) => pointer && name === base?.text);
    if (base !== undefined && known)
      return [replaceNode(node, `${base.text}[${sumText([...offsets, index])}]`)];
  }
  for (const node of body.descendantsOfType("pointer_expression")) {
    if (!node.text.startsWith("*")) continue;
    const argument = node.childForFieldName("argument");
    const sum = argument === null ? undefined : pointerSum(unwrapped(argument));
    const known = kernel.facts.parameters.some(({ name, pointer }) => pointer && name === sum?.base.text);
    if (sum !== undefined && known && !localValues(body).some(({ name }) => name === sum.base.text))
      return [replaceNode(node, `${sum.base.text}[${sumText(sum.offsets)}]`)];
  }
  return undefined;
};

/** `atomicAdd(counts + index, …)` on an array of the kernel as `atomicAdd(&counts[index], …)`. */
export const addressed: Spelling = ({ body }) => {
  const arrays = arraysOf(body).filter(({ storage, sizes }) => storage === "shared" && sizes.length === 1);
  for (const call of body.descendantsOfType("call_expression")) {
    const [address] = partsOf(call.childForFieldName("arguments"));
    if (!/^atomic/.test(fieldText(call, "function")) || address?.type !== "binary_expression") continue;
    const sum = pointerSum(address);
    if (sum !== undefined && arrays.some(({ name }) => name === sum.base.text))
      return [replaceNode(address, `&${sum.base.text}[${sumText(sum.offsets)}]`)];
  }
  return undefined;
};

/** `store(y + i, value);` of a function that sets what it is given alone, as `y[i] = …` by way of a local. */
export const storesWritten: Spelling = ({ body, kernel, model, source }) => {
  for (const call of body.descendantsOfType("call_expression")) {
    const [address, ...others] = partsOf(call.childForFieldName("arguments"));
    const sum = address === undefined ? undefined : pointerSum(unwrapped(address));
    const parameter = kernel.facts.parameters.find(({ name, pointer }) => pointer && name === sum?.base.text);
    const alone =
      call.parent?.type === "expression_statement" && call.parent.parent?.type === "compound_statement";
    if (sum === undefined || parameter === undefined || !alone) continue;
    const callee = fieldText(call, "function");
    const definitions = model.root
      .descendantsOfType("function_definition")
      .filter((node) => declaredName(node) === callee.replace(/<[\s\S]*$/, ""));
    if (definitions.length === 0 || !definitions.every(setsItsFirst)) continue;
    const name = freshName(source, "stored");
    const type = collapse(parameter.type.replace(/\b(?:const|__restrict__|__restrict|restrict)\b|\*/g, " "));
    const rest = others.map(({ text }) => `, ${text}`).join("");
    const element = `${sum.base.text}[${sumText(sum.offsets)}]`;
    return [
      replaceNode(
        call.parent ?? call,
        `${type} ${name} = {}; ${callee}(&${name}${rest}); ${element} = ${name};`,
      ),
    ];
  }
  return undefined;
};

/** `void store(T* p, …) { *p = …; }` */
function setsItsFirst(definition: SyntaxNode): boolean {
  const [statement, ...more] = partsOf(definition.childForFieldName("body"));
  const act = statement?.type === "expression_statement" ? statement.namedChildren[0] : undefined;
  const [first] = partsOf(definition.descendantsOfType("parameter_list")[0]);
  const name = first?.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
  const target = act?.type === "assignment_expression" ? compact(act.childForFieldName("left")) : "";
  return (
    more.length === 0 &&
    name !== undefined &&
    fieldText(act, "operator") === "=" &&
    [`*${name}`, `${name}[0]`].includes(target) &&
    usesOf(definition.childForFieldName("body") ?? definition, name).length === 1
  );
}

/** A pointer as a base and what is added to it. */
export interface PointerSum {
  readonly base: SyntaxNode;
  /** The terms that are added to the base. */
  readonly offsets: readonly SyntaxNode[];
}

/** `pointer`, `pointer + offset`, `&pointer[offset]`. */
export function pointerSum(value: SyntaxNode): PointerSum | undefined {
  const inner = value.type === "pointer_expression" ? value.childForFieldName("argument") : null;
  if (inner?.type === "subscript_expression" && value.text.startsWith("&")) {
    const [base, offset] = [inner.childForFieldName("argument"), subscriptIndex(inner)];
    return base && isNamed(base) && offset !== undefined ? { base, offsets: [offset] } : undefined;
  }
  const [base, ...offsets] = operands(value, "+");
  return base && isNamed(base) ? { base, offsets } : undefined;
}

/** `pointer`, or `structure.pointer`. */
function isNamed(node: SyntaxNode): boolean {
  return node.type === "identifier" || (node.type === "field_expression" && /^\w+\.\w+$/.test(node.text));
}

/** The terms as one sum. */
export function sumText(terms: readonly SyntaxNode[]): string {
  return terms.length === 0 ? "0" : terms.map(plainTerm).join(" + ");
}

/** `const float* row = x + i * n; … row[j]` as `x[i * n + j]`. */
export const pointersFollowed: Spelling = ({ body, kernel }) => {
  const parameters = [
    ...kernel.facts.parameters.filter(({ pointer }) => pointer).map(({ name }) => name),
    ...arraysOf(body).flatMap(({ name, storage }) => (storage === "shared" ? [name] : [])),
  ];
  for (const declaration of body.descendantsOfType("declaration")) {
    const local = localPointer(declaration);
    if (local === undefined || !parameters.includes(local.sum.base.text)) continue;
    if (isAssigned(body, local.name) || !isFixed(body, declaration, local)) continue;
    const uses = usesOf(body, local.name).filter((use) => !isInside(use, declaration));
    const elements = uses.flatMap((use) => elementAt(use) ?? handedToAtomic(use) ?? []);
    const hidden = uses.some((use) => !isInside(use, local.block)) || overlapping(elements);
    if (hidden || elements.length === 0 || elements.length < uses.length) continue;
    const { base, offsets } = local.sum;
    return [
      taken(declaration),
      ...elements.map(({ node, index, member, isAddress = false }) =>
        replaceNode(node, `${isAddress ? "&" : ""}${base.text}[${sumText([...offsets, ...index])}]${member}`),
      ),
    ];
  }
  return undefined;
};

/** `x += row * n; … x[j]` of a parameter that moves once, as `x[row * n + j]`. */
export const parameterMoved: Spelling = ({ body, kernel }) => {
  for (const statement of body.descendantsOfType("expression_statement")) {
    const act = statement.namedChildren[0];
    const moved = act && movedBy(act);
    if (act === undefined || moved === undefined || !runsOnce(statement)) continue;
    const known = kernel.facts.parameters.some(({ name, pointer }) => pointer && name === moved.name);
    const once = changes(body).filter(({ target }) => target.text === moved.name).length === 1;
    const uses = usesOf(body, moved.name).filter((use) => !isInside(use, act));
    const elements = uses.flatMap((use) => elementAt(use) ?? []);
    const block = statement.parent ?? body;
    const later = uses.every((use) => use.startIndex > act.endIndex && isInside(use, block));
    if (!known || !once || !later || elements.length < uses.length || overlapping(elements)) continue;
    const loads = moved.by.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
    if (loads || !isPure(moved.by) || !staysSame(moved.by, body, () => false)) continue;
    return [
      taken(statement),
      ...elements.map(({ node, index, member }) =>
        replaceNode(node, `${moved.name}[${sumText([...operands(moved.by, "+"), ...index])}]${member}`),
      ),
    ];
  }
  return undefined;
};

/** True for a statement of a block that no loop repeats. */
function runsOnce(statement: SyntaxNode): boolean {
  const loop = enclosing(statement, "for_statement", "while_statement", "do_statement");
  return loop === undefined && statement.parent?.type === "compound_statement";
}

/** `x += n` and `x = x + n`. */
function movedBy(act: SyntaxNode): { readonly name: string; readonly by: SyntaxNode } | undefined {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (act.type !== "assignment_expression" || left?.type !== "identifier" || right === null) return undefined;
  const operator = fieldText(act, "operator");
  if (operator === "+=") return { name: left.text, by: right };
  const [first, second] = [right.childForFieldName("left"), right.childForFieldName("right")];
  const adds = operator === "=" && fieldText(right, "operator") === "+";
  return adds && first?.text === left.text && second !== null ? { name: left.text, by: second } : undefined;
}

interface LocalPointer {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly sum: PointerSum;
  readonly block: SyntaxNode;
}

/** The one pointer of a declaration that is made of another pointer. */
function localPointer(declaration: SyntaxNode): LocalPointer | undefined {
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  const value = declarator?.childForFieldName("value");
  const target = declarator?.childForFieldName("declarator");
  const automatic = fieldText(declaration, "type") === "auto" && target?.type === "identifier";
  const [name] =
    target?.type === "pointer_declarator" || automatic ? target.descendantsOfType("identifier") : [];
  const block = declaration.parent;
  if (others.length > 0 || !value || name === undefined || block?.type !== "compound_statement")
    return undefined;
  const sum = pointerSum(unwrapped(value));
  return sum === undefined ? undefined : { name: name.text, value, sum, block };
}

/** True when the pointer means the same at every use: changed by no one but a loop around all of it. */
function isFixed(body: SyntaxNode, declaration: SyntaxNode, { value, sum }: LocalPointer): boolean {
  const loads = sum.offsets.some(
    (offset) => offset.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0,
  );
  if (loads || !isPure(value)) return false;
  return staysSame(value, body, (act) => {
    const loop = enclosing(act, "for_statement");
    return loop?.childForFieldName("update")?.id === act.id && isInside(declaration, loop);
  });
}

/** One element that a pointer is read or written at. */
interface Element {
  readonly node: SyntaxNode;
  readonly index: readonly SyntaxNode[];
  /** `.x` of `pointer->x`. */
  readonly member: string;
  /** True where the element's address stands. */
  readonly isAddress?: boolean;
}

/** The first of what an atomic function is given. */
function handedToAtomic(use: SyntaxNode): Element | undefined {
  const list = use.parent;
  const isFirst = list?.type === "argument_list" && partsOf(list)[0]?.id === use.id;
  return isFirst && /^atomic[A-Z]/.test(fieldText(list.parent, "function"))
    ? { node: use, index: [], member: "", isAddress: true }
    : undefined;
}

/** `pointer[index]`, `*pointer` or `pointer->member`. */
export function elementAt(use: SyntaxNode): Element | undefined {
  const node = use.parent;
  if (node?.type === "pointer_expression" && node.text.startsWith("*"))
    return { node, index: [], member: "" };
  if (node?.type === "field_expression" && fieldText(node, "operator") === "->")
    return { node, index: [], member: `.${fieldText(node, "field")}` };
  if (node?.type !== "subscript_expression" || node.childForFieldName("argument")?.id !== use.id)
    return undefined;
  const index = subscriptIndex(node);
  return index === undefined ? undefined : { node, index: [index], member: "" };
}

/** `a[a[i]]`: the inner one is replaced with the outer one. */
export function overlapping(elements: readonly Pick<Element, "node">[]): boolean {
  return elements.some((one) =>
    elements.some((other) => one.node.id !== other.node.id && isInside(one.node, other.node)),
  );
}

/** An expression as a term of a sum. */
function plainTerm(node: SyntaxNode): string {
  const operator = fieldText(node, "operator");
  const loose =
    node.type === "conditional_expression" ||
    (node.type === "binary_expression" && !/^[-+*/%]$/.test(operator));
  return loose ? `(${collapse(node.text)})` : collapse(node.text);
}
