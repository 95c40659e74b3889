import { changes, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { collapse, compact, enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import { type Spelling, taken } from "./spelling";

export { commaApart, countedBeside, headApart } from "./counters";
export { loadedAgain } from "./loaded-again";

/** `sum += x[i++];` as `sum += x[i]; i++;`. */
export const stepsApart: Spelling = ({ body }) => {
  for (const step of body.descendantsOfType("update_expression")) {
    const name = step.childForFieldName("argument");
    const statement = enclosing(step, "expression_statement", "declaration");
    if (name?.type !== "identifier" || !step.text.endsWith("++") || statement === undefined) continue;
    if (step.parent?.id === statement.id || usesOf(statement, name.text).length !== 1) continue;
    if (!isInSubscript(step, statement) || isConditional(step, statement)) continue;
    const braces = bracesAround(statement);
    if (braces === undefined) continue;
    const { startIndex: start, endIndex: end } = statement;
    const [open, close] = braces;
    return [
      ...(open === "" ? [] : [{ start, end: start, text: open }]),
      replaceNode(step, name.text),
      { start: end, end, text: ` ${name.text}++;${close}` },
    ];
  }
  return undefined;
};

/** What has to stand around two statements in place of one; undefined where there is no room. */
function bracesAround(statement: SyntaxNode): readonly [string, string] | undefined {
  const { parent } = statement;
  if (parent?.type === "compound_statement") return ["", ""];
  const inHead = parent?.type === "for_statement" && parent.childForFieldName("body")?.id !== statement.id;
  return /^(for|while|if)_statement$/.test(parent?.type ?? "") && !inHead ? ["{ ", " }"] : undefined;
}

function isInSubscript(step: SyntaxNode, statement: SyntaxNode): boolean {
  const index = enclosing(step, "subscript_expression");
  return index !== undefined && isInside(index, statement);
}

/** True where the step may be left out: behind `?`, `&&` or `||`. */
function isConditional(step: SyntaxNode, statement: SyntaxNode): boolean {
  for (let node = step.parent; node !== null && node.id !== statement.id; node = node.parent) {
    if (
      node.type === "conditional_expression" ||
      /&&|\|\|/.test(node.childForFieldName("operator")?.text ?? "")
    )
      return true;
  }
  return false;
}

/** `int i = 0; x = a[i]; i++; …` as `x = a[0]; int i = 1; …`. */
export const steppedFromStart: Spelling = ({ body }) => {
  for (const local of localValues(body)) {
    const { name, value, declaration } = local;
    const block = declaration.parent;
    if (block?.type !== "compound_statement" || !/^\d+$/.test(compact(value))) continue;
    if (declaration.childrenForFieldName("declarator").length !== 1) continue;
    if (usesOf(block, name).length !== usesOf(body, name).length) continue;
    const before = beforeFirstStep(block, local);
    if (before === undefined) continue;
    return [
      taken(declaration),
      ...before.between.flatMap((node) => usesOf(node, name)).map((use) => replaceNode(use, value.text)),
      replaceNode(before.step, nextStart(declaration, value)),
    ];
  }
  return undefined;
};

/** The first change of a variable, if it is a step by one in the same block, and what stands before it. */
function beforeFirstStep(block: SyntaxNode, { name, declaration }: LocalValue) {
  const all = partsOf(block);
  const place = all.findIndex(({ id }) => id === declaration.id);
  const act = changes(block).find(({ target }) => target.text === name)?.act;
  const own = all.findIndex(
    (node) => node.type === "expression_statement" && node.namedChildren[0]?.id === act?.id,
  );
  const step = all[own];
  if (act?.type !== "update_expression" || !act.text.includes("++") || own < place) return undefined;
  return step === undefined ? undefined : { step, between: all.slice(place + 1, own) };
}

/** The declaration with a start that is greater by one. */
function nextStart(declaration: SyntaxNode, value: SyntaxNode): string {
  const text = collapse(declaration.text);
  const end = text.lastIndexOf(value.text);
  return `${text.slice(0, end)}${Number(value.text) + 1}${text.slice(end + value.text.length)}`;
}
