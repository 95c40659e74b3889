import { collapse, fieldText, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode } from "../../edits";
import type { Spelling } from "./spelling";

interface Macro {
  readonly parameters: readonly string[];
  readonly text: string;
}

/** A call of a macro that is one expression, such as `IDX(row, column)`, as that expression. */
export const macrosExpanded: Spelling = ({ body, model }) => {
  const macros = macrosOf(model.root);
  for (const call of body.descendantsOfType("call_expression")) {
    const macro = macros.get(fieldText(call, "function"));
    const given = partsOf(call.childForFieldName("arguments")).map(({ text }) => collapse(text));
    if (macro === undefined || macro.parameters.length !== given.length) continue;
    const byName = new Map(macro.parameters.map((name, place) => [name, given[place]] as const));
    const text = macro.text.replace(/[A-Za-z_]\w*/g, (word) => byName.get(word) ?? word);
    const breaks = call.text.replace(/[^\n]/g, "");
    return [replaceNode(call, `${text}${breaks}`)];
  }
  return undefined;
};

/** Macros with parameters that are an expression in parentheses, or an element; those defined once. */
function macrosOf(root: SyntaxNode): ReadonlyMap<string, Macro> {
  const all = root.descendantsOfType("preproc_function_def").map((node) => ({
    name: fieldText(node, "name"),
    parameters: partsOf(node.childForFieldName("parameters")).map(({ text }) => text),
    text: collapse(fieldText(node, "value").replaceAll("\\\n", " ")),
  }));
  const once = all.filter(({ name }) => all.filter((other) => other.name === name).length === 1);
  const expressions = once.filter(
    ({ name, text }) =>
      (isWrapped(text) || isElement(text)) && !new RegExp(`[#;{}]|\\b${name}\\b`).test(text),
  );
  return new Map(expressions.map(({ name, ...macro }) => [name, macro]));
}

/** True for `name[…]`, which stays one expression wherever it stands. */
function isElement(text: string): boolean {
  const [, index = ""] = /^\(?[A-Za-z_]\w*\)?(\[.*\])$/.exec(text) ?? [];
  return index !== "" && isWrapped(index.replaceAll("[", "(").replaceAll("]", ")"));
}

/** True for `(…)` whose first and last parenthesis belong together. */
function isWrapped(text: string): boolean {
  let depth = 0;
  for (const [place, sign] of [...text].entries()) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth === 0) return place === text.length - 1 && sign === ")";
  }
  return false;
}
