import { localValues } from "../../../../language/cuda/body/scope";
import { enclosing } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel, type KernelView } from "../kernel";
import { macrosExpanded } from "../spelling/calls/macros";

/** More places than a kernel has that anyone reads. */
const MOST = 200;

/** The kernel with its macros, and the constants of the file that match, written out in its body. */
export function writtenOut(input: RuleInput, constant: RegExp): RuleInput {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const view = cudaKernel(plain);
    const edits = isNot(view) ? undefined : (macrosExpanded(view) ?? constantsNamed(view, constant));
    if (edits === undefined) break;
    plain = { ...plain, tree: editedTree(plain, edits) };
  }
  return plain;
}

function constantsNamed(
  { body, model, kernel }: KernelView,
  constant: RegExp,
): readonly TextEdit[] | undefined {
  const own = new Set([
    ...localValues(body).map(({ name }) => name),
    ...[...kernel.facts.parameters, ...kernel.facts.templateParameters].map(({ name }) => name),
  ]);
  const edits = body.descendantsOfType("identifier").flatMap((use: SyntaxNode) => {
    const text = own.has(use.text) ? undefined : model.constants.get(use.text)?.text;
    const isCallee = enclosing(use, "call_expression")?.childForFieldName("function")?.id === use.id;
    return text !== undefined && constant.test(text) && !isCallee ? [replaceNode(use, text)] : [];
  });
  return edits.length === 0 ? undefined : edits;
}
