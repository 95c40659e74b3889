import { at } from "../../../../../base/known";
import { collapse, fieldText, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode, type TextEdit } from "../../../edits";
import type { Spelling } from "../spelling";

interface Macro {
  readonly parameters: readonly string[];
  readonly text: string;
}

/**
 * Macros written out: a call that is one expression, such as `IDX(row, column)`, the head of a loop such as
 * `CUDA_KERNEL_LOOP(i, n)`, and names such as `TX` of what a thread knows of itself or waits for.
 */
export const macrosExpanded: Spelling = ({ body, model }) => {
  const macros = macrosOf(model.root);
  for (const call of body.descendantsOfType(["call_expression", "function_declarator"])) {
    const head = call.type === "function_declarator";
    const name = fieldText(call, head ? "declarator" : "function");
    const given = partsOf(call.childForFieldName(head ? "parameters" : "arguments"));
    const macro = macros.get(name);
    if (macro?.parameters.length !== given.length || head !== isLoopHead(macro.text)) continue;
    // The innermost first: a call in parentheses may read like a cast.
    const inner = given.some((part) =>
      part.descendantsOfType("call_expression").some((each) => macros.has(fieldText(each, "function"))),
    );
    if (inner) continue;
    return [written(call, filledIn(macro, given))];
  }
  return namedPart(body, model.root);
};

/** The macro's text over the line breaks of what it replaces. */
function written(node: SyntaxNode, text: string): TextEdit {
  return replaceNode(node, `${text}${node.text.replace(/[^\n]/g, "")}`);
}

function filledIn({ parameters, text }: Macro, given: readonly SyntaxNode[]): string {
  const byName = new Map(parameters.map((name, place) => [name, collapse(at(given, place).text)] as const));
  // Parentheses around a name alone are of no use, and may read like a cast.
  const bare = text.replace(/(?<![\w)\]]\s*)\(\s*([A-Za-z_]\w*)\s*\)/g, (whole, word: string) => {
    const argument = byName.get(word) ?? "";
    return /^[\w.]+$/.test(argument) || isWrapped(argument) ? word : whole;
  });
  return bare.replace(/[A-Za-z_]\w*/g, (word) => byName.get(word) ?? word);
}

/** Macros with parameters that can be written out wherever they stand; those defined once. */
function macrosOf(root: SyntaxNode): ReadonlyMap<string, Macro> {
  const all = root.descendantsOfType("preproc_function_def").map((node) => ({
    name: fieldText(node, "name"),
    parameters: partsOf(node.childForFieldName("parameters")).map(({ text }) => text),
    text: macroText(node),
  }));
  const once = all.filter(({ name }) => all.filter((other) => other.name === name).length === 1);
  const usable = once.filter(
    ({ name, text }) =>
      (isLoopHead(text) || (isExpression(text) && !text.includes(";"))) &&
      !new RegExp(`[#{}]|\\b${name}\\b`).test(text),
  );
  return new Map(usable.map(({ name, ...macro }) => [name, macro]));
}

function macroText(definition: SyntaxNode): string {
  return collapse(fieldText(definition, "value").replaceAll("\\\n", " "));
}

/** Names without parameters whose text speaks of the thread, the block, the grid or a barrier. */
const ofThread = /\b(?:threadIdx|blockIdx|blockDim|gridDim|__syncthreads)\b/;

function namedPart(body: SyntaxNode, root: SyntaxNode): readonly TextEdit[] | undefined {
  const all = root.descendantsOfType("preproc_def");
  for (const definition of all) {
    const [name, text] = [fieldText(definition, "name"), macroText(definition)];
    const once = all.filter((other) => fieldText(other, "name") === name).length === 1;
    if (!once || !ofThread.test(text) || !isExpression(text)) continue;
    const [use] = usesOf(body, name);
    if (use !== undefined) return [replaceNode(use, text)];
  }
  return undefined;
}

/** True for `for (…)` without a body. */
function isLoopHead(text: string): boolean {
  const [, head = ""] = /^for\s*(\(.*\))$/.exec(text) ?? [];
  return head !== "" && isWrapped(head);
}

/** True for text that stays one expression wherever it stands: `(…)`, `name[…]`, `name(…)`, `name.member`. */
function isExpression(text: string): boolean {
  if (isWrapped(text) || /^[A-Za-z_]\w*\.\w+$/.test(text)) return true;
  const [, opening = ""] = /^(?:[A-Za-z_]\w*|\([A-Za-z_]\w*\))([[(].*[\])])$/.exec(text) ?? [];
  return opening !== "" && isWrapped(opening.replaceAll("[", "(").replaceAll("]", ")"));
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
