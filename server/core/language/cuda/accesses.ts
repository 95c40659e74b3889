import type { KernelFacts } from "../facts";
import { guardsAfterExit, guardsOf, type Access, type Guard } from "../index-shapes";
import { collapse } from "../query";
import type { SyntaxNode } from "../tree";

export interface CudaAccesses {
  readonly accesses: readonly Access[];
  readonly loaded: ReadonlySet<string>;
  readonly stored: ReadonlySet<string>;
  readonly definitions: ReadonlyMap<string, string>;
}

/**
 * Every `pointer[index]`, `*pointer` and atomic of a kernel's body, through local pointers as well (`float*
 * row = x + blockIdx.x * n`).
 */
export function cudaAccesses(root: SyntaxNode, kernel: KernelFacts): CudaAccesses {
  const body = root
    .descendantsOfType("compound_statement", point(kernel.bodyRange.start), point(kernel.bodyRange.end))
    .find(
      (node) =>
        node.startPosition.row === kernel.bodyRange.start.line &&
        node.startPosition.column === kernel.bodyRange.start.character,
    );
  const pointers = kernel.parameters
    .filter((parameter) => parameter.pointer)
    .map((parameter) => parameter.name);
  if (body === undefined)
    return { accesses: [], loaded: new Set(), stored: new Set(), definitions: new Map() };
  const locals = readLocals(body, pointers);
  const exits = exitGuards(body);
  const accesses: Access[] = [];
  const loaded = new Set<string>();
  const stored = new Set<string>();
  for (const node of body.descendantsOfType(["subscript_expression", "pointer_expression"])) {
    const base = node.childForFieldName("argument");
    const alias = base === null ? undefined : locals.aliases.get(collapse(base.text));
    if (alias === undefined || node.text.startsWith("&")) continue;
    const index = collapse(
      node.childForFieldName("indices")?.text ?? node.childForFieldName("index")?.text ?? "[0]",
    ).replace(/^\[|\]$/g, "");
    accesses.push({
      parameter: alias.parameter,
      index: alias.offset === "" ? index : `${alias.offset} + ${index}`,
      guards: [...guardsAround(node, body), ...exits],
    });
    for (const direction of directionsOf(node)) (direction === "load" ? loaded : stored).add(alias.parameter);
  }
  for (const call of body.descendantsOfType("call_expression")) {
    if (!/^atomic/.test(call.childForFieldName("function")?.text ?? "")) continue;
    const target =
      call.childForFieldName("arguments")?.namedChildren[0]?.descendantsOfType("identifier")[0]?.text ?? "";
    const alias = locals.aliases.get(target);
    if (alias !== undefined) stored.add(alias.parameter);
  }
  return { accesses, loaded, stored, definitions: locals.definitions };
}

function point(position: { readonly line: number; readonly character: number }): {
  row: number;
  column: number;
} {
  return { row: position.line, column: position.character };
}

interface Locals {
  /** Names that point into a parameter's memory, with the offset in elements. */
  readonly aliases: ReadonlyMap<string, { readonly parameter: string; readonly offset: string }>;
  readonly definitions: ReadonlyMap<string, string>;
}

function readLocals(body: SyntaxNode, pointers: readonly string[]): Locals {
  const aliases = new Map(pointers.map((name) => [name, { parameter: name, offset: "" }]));
  const definitions = new Map<string, string>();
  for (const node of body.descendantsOfType(["init_declarator", "assignment_expression"])) {
    const declarator = node.childForFieldName("declarator") ?? node.childForFieldName("left");
    const value = node.childForFieldName("value") ?? node.childForFieldName("right");
    const name = declarator?.descendantsOfType("identifier")[0]?.text ?? "";
    if (
      value === null ||
      name === "" ||
      (node.type === "assignment_expression" && declarator?.type !== "identifier")
    )
      continue;
    const text = collapse(value.text);
    const source =
      /^(?:reinterpret_cast\s*<[^>]*>\s*\()?&?([A-Za-z_]\w*)(?:\s*\+\s*(.*)|\s*\[(.*)\])?\)?$/.exec(text);
    const alias = aliases.get(source?.[1] ?? "");
    if (declarator?.type === "pointer_declarator" && alias !== undefined) {
      const offset = source?.[2] ?? source?.[3] ?? "";
      aliases.set(name, {
        parameter: alias.parameter,
        offset: [alias.offset, offset].filter((part) => part !== "").join(" + "),
      });
    } else if (node.type === "init_declarator" && declarator?.type === "identifier" && !definitions.has(name))
      definitions.set(name, text);
  }
  return { aliases, definitions };
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
    guards.push(
      ...guardsOf(collapse(current.childForFieldName("condition")?.text ?? "").replace(/^\((.*)\)$/, "$1")),
    );
  }
  return guards;
}

/** Conditions that hold for all that follows a guarded return: `if (row >= rows) return;`. */
function exitGuards(body: SyntaxNode): readonly Guard[] {
  return body.namedChildren
    .filter((statement) => statement.type === "if_statement")
    .flatMap((statement) => {
      const exit = collapse(statement.childForFieldName("consequence")?.text ?? "");
      const condition = collapse(statement.childForFieldName("condition")?.text ?? "").replace(
        /^\((.*)\)$/,
        "$1",
      );
      return /^(\{ ?)?return ?;( ?\})?$/.test(exit) ? guardsAfterExit(condition) : [];
    });
}

function directionsOf(node: SyntaxNode): readonly ("load" | "store")[] {
  let outer = node;
  while (outer.parent?.type === "field_expression" || outer.parent?.type === "parenthesized_expression")
    outer = outer.parent;
  const parent = outer.parent;
  if (parent?.type === "update_expression") return ["load", "store"];
  if (parent?.type !== "assignment_expression" || parent.childForFieldName("left")?.id !== outer.id)
    return ["load"];
  return parent.childForFieldName("operator")?.text === "=" ? ["store"] : ["load", "store"];
}
