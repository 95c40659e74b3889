import { guardsAfterExit, guardsOf, type Access, type Guard } from "../../index-shapes";
import { collapse, fieldText } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { CudaKernel } from "../kernels";
import { subscriptIndex } from "./arrays";
import { bodyNames, type PointerAlias } from "./pointers";

/** One access to global memory, with its nodes. */
export interface CudaAccess extends Access {
  /** The subscript, dereference or atomic call. */
  readonly node: SyntaxNode;
  /** Name of the pointer as written: the parameter, or a local pointer into its memory. */
  readonly base: string;
  /** The index expression; undefined for `*pointer` and for atomics. */
  readonly indexNode: SyntaxNode | undefined;
  readonly loads: boolean;
  readonly stores: boolean;
}

export interface CudaAccesses {
  /** Elements that are read or written, in source order. */
  readonly accesses: readonly CudaAccess[];
  readonly atomics: readonly CudaAccess[];
  readonly loaded: ReadonlySet<string>;
  readonly stored: ReadonlySet<string>;
  readonly definitions: ReadonlyMap<string, string>;
}

/**
 * Every `pointer[index]`, `*pointer` and atomic of a kernel's body, through local pointers as well (`float*
 * row = x + blockIdx.x * n`).
 */
export function cudaAccesses(kernel: CudaKernel): CudaAccesses {
  const { body } = kernel;
  const { aliases, definitions } = bodyNames(kernel);
  const exits = exitGuards(body);
  const elements = body
    .descendantsOfType(["subscript_expression", "pointer_expression"])
    .flatMap((node) => elementAccess(node, aliases, [...guardsAround(node, body), ...exits]) ?? []);
  const atomics = body
    .descendantsOfType("call_expression")
    .flatMap((call) => atomicAccess(call, aliases) ?? []);
  const all = [...elements, ...atomics];
  return {
    accesses: elements,
    atomics,
    loaded: new Set(all.filter(({ loads }) => loads).map(({ parameter }) => parameter)),
    stored: new Set(all.filter(({ stores }) => stores).map(({ parameter }) => parameter)),
    definitions,
  };
}

type Aliases = ReadonlyMap<string, PointerAlias>;

function elementAccess(node: SyntaxNode, aliases: Aliases, guards: readonly Guard[]): CudaAccess | undefined {
  const base = collapse(fieldText(node, "argument"));
  const alias = aliases.get(base);
  if (alias === undefined || node.text.startsWith("&")) return undefined;
  const indexNode = subscriptIndex(node);
  const index = collapse(node.childForFieldName("indices")?.text ?? "[0]").replace(/^\[|\]$/g, "");
  return {
    parameter: alias.parameter,
    index: alias.offset === "" ? index : `${alias.offset} + ${index}`,
    guards,
    node,
    base,
    indexNode,
    ...directionsOf(node),
  };
}

/** `atomicAdd(&pointer[index], value)`. */
function atomicAccess(call: SyntaxNode, aliases: Aliases): CudaAccess | undefined {
  if (!/^atomic/.test(fieldText(call, "function"))) return undefined;
  const target = call.childForFieldName("arguments")?.namedChildren[0];
  const [base] = (target?.descendantsOfType(["field_expression", "identifier"]) ?? [])
    .map(({ text }) => collapse(text))
    .filter((text) => aliases.has(text));
  const alias = base === undefined ? undefined : aliases.get(base);
  if (base === undefined || alias === undefined) return undefined;
  const { parameter } = alias;
  return {
    parameter,
    index: "",
    guards: [],
    node: call,
    base,
    indexNode: undefined,
    loads: false,
    stores: true,
  };
}

/**
 * Conditions under which a node is reached: of `if`, `for`, `while` and `a ? b : c` around it, within the
 * body.
 */
function guardsAround(node: SyntaxNode, body: SyntaxNode): readonly Guard[] {
  const guards: Guard[] = [];
  for (let current = node.parent; current !== null && current.id !== body.id; current = current.parent) {
    if (
      !["if_statement", "for_statement", "while_statement", "conditional_expression"].includes(current.type)
    )
      continue;
    guards.push(...guardsOf(collapse(fieldText(current, "condition")).replace(/^\((.*)\)$/, "$1")));
  }
  return guards;
}

/** Conditions that hold for all that follows a guarded return: `if (row >= rows) return;`. */
function exitGuards(body: SyntaxNode): readonly Guard[] {
  return body.namedChildren
    .filter((statement) => statement.type === "if_statement")
    .flatMap((statement) => {
      const exit = collapse(fieldText(statement, "consequence"));
      const condition = collapse(fieldText(statement, "condition")).replace(/^\((.*)\)$/, "$1");
      return /^(\{ ?)?return ?;( ?\})?$/.test(exit) ? guardsAfterExit(condition) : [];
    });
}

function directionsOf(node: SyntaxNode): { readonly loads: boolean; readonly stores: boolean } {
  let outer = node;
  while (outer.parent?.type === "field_expression" || outer.parent?.type === "parenthesized_expression")
    outer = outer.parent;
  const { parent } = outer;
  if (parent?.type === "update_expression") return { loads: true, stores: true };
  if (parent?.type !== "assignment_expression" || parent.childForFieldName("left")?.id !== outer.id)
    return { loads: true, stores: false };
  return { loads: parent.childForFieldName("operator")?.text !== "=", stores: true };
}
