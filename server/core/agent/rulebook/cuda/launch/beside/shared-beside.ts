import { arraysOf, type KernelArray } from "../../../../../language/cuda/body/arrays";
import { compact, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { insertBefore, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import type { Beside } from "./beside";
import { sharedDeclarations } from "./together";

/** Shared memory once for each column; variables of the thread where it has the column for itself. */
export function sharedBeside(view: KernelView, beside: Beside): readonly TextEdit[] | RuleHold {
  const parts = sharedDeclarations(view.body).map((declaration) => declared(view, declaration, beside));
  const held = parts.find(isNot);
  if (held !== undefined) return held;
  const edits = parts.flatMap((part) => (isNot(part) ? [] : part));
  return beside.rows === 1 ? [...edits, ...plainAtomics(view)] : edits;
}

function declared(
  view: KernelView,
  declaration: SyntaxNode,
  { rows, wide }: Beside,
): readonly TextEdit[] | RuleHold {
  const arrays = arraysOf(view.body).filter((each) => each.declaration.id === declaration.id);
  const dynamic = arrays.find(({ storage }) => storage === "dynamic");
  const escape = arrays.find(({ escape: use }) => use !== undefined);
  if (escape?.escape !== undefined)
    return not("aliasing", `the address of ${escape.name} is taken`, escape.escape);
  if (rows > 1) return dynamic === undefined ? columnsOf(view, declaration, wide) : dealt(dynamic, wide);
  return dynamic === undefined
    ? ownWords(declaration)
    : not("cooperation", `how large ${dynamic.name} is, the launch says`, declaration);
}

/** Each element of dynamic shared memory as the one of a column. */
function dealt({ accesses }: KernelArray, wide: number): readonly TextEdit[] {
  return accesses.flatMap(({ indices: [index] }) =>
    index === undefined ? [] : [insertBefore(index, "("), insertBehind(index, `) * ${wide} + threadIdx.x`)],
  );
}

/** Arrays and variables with one more dimension, the column. */
function columnsOf(
  { body }: KernelView,
  declaration: SyntaxNode,
  wide: number,
): readonly TextEdit[] | RuleHold {
  const declarators = declaration.childrenForFieldName("declarator");
  const other = declarators.find(({ type }) => type !== "array_declarator" && type !== "identifier");
  if (other !== undefined) return not("unreadable", "a shared variable cannot be read", other);
  const arrays = arraysOf(body).filter((each) => each.declaration.id === declaration.id);
  const elements = arrays.flatMap(({ accesses }) => accesses.map(({ node }) => node));
  const plain = declarators
    .filter(({ type }) => type === "identifier")
    .flatMap(({ text }) => usesOf(body, text))
    .filter((use) => !isInside(use, declaration));
  return [
    ...declarators.map((node) => insertBehind(node, `[${wide}]`)),
    ...[...elements, ...plain].map((node) => insertBehind(node, "[threadIdx.x]")),
  ];
}

function insertBehind({ endIndex }: SyntaxNode, text: string): TextEdit {
  return { start: endIndex, end: endIndex, text };
}

/** The declaration without the words that make it shared. */
function ownWords(declaration: SyntaxNode): readonly TextEdit[] {
  return declaration.children
    .filter(({ text }) => text === "__shared__" || text === "volatile")
    .map((node) => ({ start: node.startIndex, end: node.endIndex, text: "" }));
}

/** `atomicAdd(&sum, x)` on what is no longer shared as `sum += (x)`. */
function plainAtomics({ body }: KernelView): readonly TextEdit[] {
  const names = new Set(
    sharedDeclarations(body)
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? node.text),
  );
  return body.descendantsOfType("call_expression").flatMap((call) => {
    const name = compact(call.childForFieldName("function"));
    const [place, value] = partsOf(call.childForFieldName("arguments"));
    const target = place?.type === "pointer_expression" ? place.childForFieldName("argument") : null;
    const root = target?.descendantsOfType("identifier")[0]?.text ?? target?.text;
    if (!target || value === undefined || root === undefined || !names.has(root)) return [];
    const kind = /^atomic(Add|Max|Min)$/.exec(name)?.[1];
    if (kind === undefined) return [];
    const [open, close] =
      kind === "Add" ? [" += (", ")"] : [` = ${kind.toLowerCase()}(${target.text}, `, ")"];
    return [
      { start: call.startIndex, end: target.startIndex, text: "" },
      { start: target.endIndex, end: value.startIndex, text: open },
      { start: value.endIndex, end: call.endIndex, text: close },
    ];
  });
}
