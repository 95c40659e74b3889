import { collapse, fieldText, partsOf } from "../../query";
import type { SyntaxNode } from "../../tree";
import { type Constants, constantNamed, constantValue } from "../constants";
import type { CudaKernel } from "../kernels";

/** `type NAME = VALUE;` in a body, one entry for each declarator. */
export interface LocalValue {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly declaration: SyntaxNode;
}

/** Variables that are declared with a value, in source order; pointers and arrays left out. */
export function localValues(body: SyntaxNode): readonly LocalValue[] {
  return body.descendantsOfType("declaration").flatMap((declaration) =>
    declaration.childrenForFieldName("declarator").flatMap((declarator) => {
      const name = declarator.childForFieldName("declarator");
      const value = declarator.childForFieldName("value");
      if (name?.type !== "identifier" || value === null) return [];
      const list = value.type === "argument_list" || value.type === "initializer_list";
      const parts = list ? partsOf(value) : [value];
      // Empty braces are a value by themselves: zero.
      const inner = value.type === "initializer_list" && parts.length === 0 ? [value] : parts;
      return inner.length === 1 && inner[0] ? [{ name: name.text, value: inner[0], declaration }] : [];
    }),
  );
}

/** True when the variable is assigned, incremented or has its address taken inside the node. */
export function isAssigned(node: SyntaxNode, name: string): boolean {
  return changes(node).some(({ target }) => target.type === "identifier" && target.text === name);
}

/** Assignments, increments and addresses taken inside a node, with what they may change. */
export function changes(
  node: SyntaxNode,
): readonly { readonly act: SyntaxNode; readonly target: SyntaxNode }[] {
  return node
    .descendantsOfType(["assignment_expression", "update_expression", "pointer_expression"])
    .flatMap((act) => {
      if (act.type === "pointer_expression" && !act.text.startsWith("&")) return [];
      const target = act.childForFieldName("left") ?? act.childForFieldName("argument");
      return target === null ? [] : [{ act, target }];
    });
}

/** Calls that only make one number of another. */
const conversion =
  /^(?:static_cast<[\w\s:]+>|int|unsigned|long|short|char|bool|float|double|(?:std::)?(?:size_t|u?int(?:8|16|32|64)_t))$/;

/** True when evaluating the expression twice is the same as once. */
export function isPure(node: SyntaxNode): boolean {
  const calls = node
    .descendantsOfType("call_expression")
    .filter((call) => !conversion.test(collapse(fieldText(call, "function"))));
  const acts = node.descendantsOfType(["update_expression", "assignment_expression"]);
  return calls.length + acts.length === 0;
}

/** What names mean inside one kernel. */
export interface KernelScope {
  /**
   * The expression that a name always stands for, as a node or (from a macro or a constant) as text;
   * undefined when it has no one value.
   */
  meaning(name: string): SyntaxNode | string | undefined;
  /** Value of an expression over constants: the same in every instance and launch. */
  value(expression: SyntaxNode): number | undefined;
}

/**
 * Locals that are set once, constants and macros of the file. Parameters of the kernel hide names of the
 * file. A local made of something that changes later has no one value.
 */
export function kernelScope(kernel: CudaKernel, file: Constants): KernelScope {
  const { body, facts } = kernel;
  const all = localValues(body);
  const changing = changingNames(body);
  const own = new Map(
    all
      .filter(({ name }) => all.filter((other) => other.name === name).length === 1 && !changing.has(name))
      .filter(({ declaration }) => declaration.parent?.type !== "for_statement")
      .filter(({ value }) => {
        const used = value.descendantsOfType("identifier");
        return used.every((identifier) => !changing.has(identifier.text));
      })
      .map(({ name, value }) => [name, value] as const),
  );
  const hidden = new Set([
    ...facts.parameters.map(({ name }) => name),
    ...facts.templateParameters.map(({ name }) => name),
    ...all.map(({ name }) => name),
  ]);
  const visible = new Map([...file].filter(([name]) => !hidden.has(name)));
  const constants = new Map([
    ...visible,
    ...[...own].map(([name, value]) => [name, { name, text: value.text, node: value }] as const),
  ]);
  return {
    meaning: (name) => own.get(name) ?? constantNamed(visible, name)?.text,
    value: (expression) => constantValue(expression.text, constants),
  };
}

/** Names that are changed in a body other than by the head of a loop, or declared without a value. */
function changingNames(body: SyntaxNode): ReadonlySet<string> {
  const updates = new Set(
    body.descendantsOfType("for_statement").flatMap((loop) => loop.childForFieldName("update")?.id ?? []),
  );
  const changed = changes(body).filter(({ act }) => !updates.has(act.id));
  return new Set(changed.flatMap(({ target }) => (target.type === "identifier" ? [target.text] : [])));
}
