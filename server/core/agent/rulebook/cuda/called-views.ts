import { calledFunctions } from "../../../language/cuda/body/threads";
import { kernelScope } from "../../../language/cuda/body/scope";
import { memberPointers } from "../../../language/cuda/entry/structure-members";
import { parametersOf } from "../../../language/cuda/kernels";
import { compact, enclosing, fieldText, partsOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { RuleAnswer } from "../rule";
import type { KernelView } from "./kernel";

/**
 * What a rule that changes a loop in its place says of the kernel; where it has nothing to propose there, of
 * the functions and methods that the kernel calls, each read as a body of its own: their pointers and those
 * of their structure's members are its parameters.
 */
export function alsoInFunctions(view: KernelView, answerOf: (view: KernelView) => RuleAnswer): RuleAnswer {
  const own = answerOf(view);
  if (own.kind === "proposal") return own;
  const others = calledViews(view).map(answerOf);
  const seen = own.gain === undefined ? others.find(({ gain }) => gain !== undefined) : undefined;
  return others.find(({ kind }) => kind === "proposal") ?? seen ?? own;
}

function calledViews(view: KernelView): readonly KernelView[] {
  return calledFunctions(view.model, view.kernel).flatMap((definition) => {
    const body = definition.childForFieldName("body");
    const declarator = definition.descendantsOfType("function_declarator")[0];
    if (body?.type !== "compound_statement" || declarator === undefined) return [];
    if (mayBeGivenTwice(view, declarator)) return [];
    const parameters = [...parametersOf(declarator), ...memberPointers(ownerOf(definition), view.model.root)];
    const facts = { ...view.kernel.facts, parameters };
    const kernel = { ...view.kernel, definition, body, facts };
    return [{ ...view, kernel, body, scope: kernelScope(kernel, view.model.constants) }];
  });
}

/** The structure or class that a method stands in; empty for other functions. */
function ownerOf(definition: SyntaxNode): string {
  const owner = enclosing(definition, "class_specifier", "struct_specifier");
  const template = owner?.parent?.type === "template_declaration" ? owner.parent : undefined;
  const names = partsOf(template?.childForFieldName("parameters")).map(
    (node) => node.descendantsOfType("type_identifier")[0]?.text ?? "",
  );
  const name = fieldText(owner, "name");
  return names.length === 0 ? name : `${name}<${names.join(", ")}>`;
}

/** True where a call hands the same pointer on twice: loads and stores of the function may meet. */
function mayBeGivenTwice({ model }: KernelView, declarator: SyntaxNode): boolean {
  const name = compact(declarator.childForFieldName("declarator")).split("::").at(-1);
  return model.root.descendantsOfType("call_expression").some((call) => {
    const callee = compact(call.childForFieldName("function"));
    if (
      callee
        .replace(/<.*$/, "")
        .split(/::|\.|->/)
        .at(-1) !== name
    )
      return false;
    const bases = partsOf(call.childForFieldName("arguments")).flatMap(
      (node) => /^&?([A-Za-z_][\w.]*)/.exec(node.text)?.[1] ?? [],
    );
    return new Set(bases).size < bases.length;
  });
}
