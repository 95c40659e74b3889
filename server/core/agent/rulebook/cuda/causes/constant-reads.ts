import { calledFunctions, declaredName, variesWithThread } from "../../../../language/cuda/body/threads";
import { enclosing, fieldText, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** Elements of constant arrays at places that differ from lane to lane. */
export function readsApart(view: KernelView): readonly SyntaxNode[] {
  const arrays = constantArrays(view);
  if (arrays.size === 0) return [];
  const own = variesWithThread(view.model, view.body, "x");
  const places: readonly (readonly [SyntaxNode, (node: SyntaxNode) => boolean])[] = [
    [view.body, own],
    ...calledFunctions(view.model, view.kernel).map((node) => [node, variesInside(view, node)] as const),
  ];
  return places.flatMap(([place, varies]) =>
    place
      .descendantsOfType("subscript_expression")
      .filter((node) => node.parent?.type !== "subscript_expression" && arrays.has(arrayOf(node)))
      .filter((node) => indicesOf(node).some(varies)),
  );
}

/** Names of the file's `__constant__` arrays. */
function constantArrays({ model }: KernelView): ReadonlySet<string> {
  const declarations = model.root
    .descendantsOfType("declaration")
    .filter((node) => /^[^=;[]*\b__constant__\b/.test(node.text));
  return new Set(
    declarations
      .flatMap((node) => node.descendantsOfType("array_declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
}

/** Name of the array that an element is one of. */
export function arrayOf(node: SyntaxNode): string {
  const argument = node.childForFieldName("argument");
  return argument?.type === "subscript_expression" ? arrayOf(argument) : (argument?.text ?? "");
}

function indicesOf(node: SyntaxNode): readonly SyntaxNode[] {
  const argument = node.childForFieldName("argument");
  const own = node.childForFieldName("indices")?.namedChildren.flatMap((each) => each ?? []) ?? [];
  return argument?.type === "subscript_expression" ? [...indicesOf(argument), ...own] : own;
}

/** Tells of an expression in a function whether it is made of what a call hands over lane by lane. */
function variesInside(view: KernelView, definition: SyntaxNode): (node: SyntaxNode) => boolean {
  const own = variesWithThread(view.model, view.body, "x");
  const name = declaredName(definition);
  const calls = view.model.root
    .descendantsOfType("call_expression")
    .filter((call) => fieldText(call, "function").replace(/<.*/s, "") === name);
  const parameters = partsOf(definition.descendantsOfType("parameter_list")[0]).map(
    (each) => each.descendantsOfType("identifier").at(-1)?.text ?? "",
  );
  const inKernel = calls.filter(
    (call) => enclosing(call, "function_definition")?.id === view.kernel.definition.id,
  );
  const varying = new Set(
    parameters.filter((_, place) =>
      inKernel.some((call) => {
        const given = partsOf(call.childForFieldName("arguments"))[place];
        return given !== undefined && own(given);
      }),
    ),
  );
  const reads = (node: SyntaxNode): boolean =>
    [node, ...node.descendantsOfType("identifier")].some(({ text }) => varying.has(text));
  for (const node of definition.descendantsOfType("init_declarator")) {
    const local = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
    const value = node.childForFieldName("value");
    const declared = local ?? node.childForFieldName("declarator")?.text;
    if (declared !== undefined && value !== null && reads(value)) varying.add(declared);
  }
  return reads;
}
