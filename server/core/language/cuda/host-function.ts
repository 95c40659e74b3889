import { collapse, partsOf } from "../query";
import type { ParameterFacts } from "../facts";
import type { SyntaxNode } from "../tree";
import { outerNodes } from "./definitions";
import { lastName, parametersOf } from "./kernels";

/** A function of host code that launches kernels. */
export interface HostFunction {
  readonly node: SyntaxNode;
  /** With its namespaces: `nn::run`. */
  readonly name: string;
  readonly parameters: readonly ParameterFacts[];
  /** Its type as written. */
  readonly returns: string;
  /** False for a template whose arguments its parameters do not tell. */
  readonly isCallable: boolean;
  /** The pointer or vector parameter whose contents an argument of a launch is, be it by a copy. */
  bufferOf(argument: string): string | undefined;
}

const copies = /^cudaMemcpy(Async)?$/;
/** A name behind casts, `&name[0]` and `name.data()`. */
const named = /^(?:\([^()]*\)\s*)*&?([A-Za-z_]\w*)(?:\.data\(\)|\[0\])?$/;

/** The function that a definition is; undefined for methods and what else cannot be called by its name. */
export function hostFunctionOf(root: SyntaxNode, node: SyntaxNode): HostFunction | undefined {
  const placed = outerNodes(root).find((each) => each.node.id === node.id);
  const declarator = node.descendantsOfType("function_declarator")[0];
  const name = declarator?.childForFieldName("declarator");
  if (placed === undefined || declarator === undefined || name === null || name === undefined)
    return undefined;
  const parameters = parametersOf(declarator);
  const buffers = new Set(
    parameters.filter(({ pointer, type }) => pointer || /\bvector\s*</.test(type)).map((each) => each.name),
  );
  const copied = copiesOf(node, buffers);
  return {
    node,
    name: [...placed.scopes, lastName(name)].join("::"),
    parameters,
    returns: collapse(node.childForFieldName("type")?.text ?? ""),
    isCallable: placed.template === undefined || onlyTypes(placed.template, parameters),
    bufferOf: (argument) => {
      const base = named.exec(argument)?.[1] ?? "";
      return buffers.has(base) ? base : copied.get(base);
    },
  };
}

/** Every parameter of the template is a type that a parameter's type names. */
function onlyTypes(template: SyntaxNode, parameters: readonly ParameterFacts[]): boolean {
  const list = template.childForFieldName("parameters")?.namedChildren ?? [];
  return list.every(
    (each) =>
      each.type === "type_parameter_declaration" &&
      parameters.some(({ type }) => new RegExp(`\\b${each.namedChildren[0]?.text ?? ""}\\b`).test(type)),
  );
}

/** Memory of the device that is copied from a parameter, or to one. */
function copiesOf(node: SyntaxNode, buffers: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const call of node.descendantsOfType("call_expression")) {
    if (!copies.test(call.childForFieldName("function")?.text ?? "")) continue;
    const [target = "", source = ""] = partsOf(call.childForFieldName("arguments")).map(
      (each) => named.exec(collapse(each.text))?.[1] ?? "",
    );
    if (buffers.has(source) && !buffers.has(target)) found.set(target, source);
    else if (buffers.has(target) && !buffers.has(source) && !found.has(source)) found.set(source, target);
  }
  return found;
}
