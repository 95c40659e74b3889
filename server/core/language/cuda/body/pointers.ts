import { at } from "../../../base/known";
import { collapse } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { CudaKernel } from "../kernels";

/** A name that points into the memory of a kernel's parameter. */
export interface PointerAlias {
  readonly parameter: string;
  /** Offset in elements, as text; empty for none. */
  readonly offset: string;
}

interface BodyNames {
  /** Parameters that are pointers, and local pointers made from them. */
  readonly aliases: ReadonlyMap<string, PointerAlias>;
  /** Other locals with the expression that they begin with. */
  readonly definitions: ReadonlyMap<string, string>;
}

/** `pointer`, `pointer + offset` and `&pointer[offset]`, with or without a reinterpret_cast around it. */
const pointerText =
  /^(?:reinterpret_cast\s*<[^>]*>\s*\()?&?([A-Za-z_]\w*(?:\.\w+)?)(?:\s*\+\s*(.*)|\s*\[(.*)\])?\)?$/;

/** Pointers and definitions of a body, followed in source order. */
export function bodyNames({ body, facts }: CudaKernel): BodyNames {
  const pointers = facts.parameters.filter((parameter) => parameter.pointer);
  const aliases = new Map<string, PointerAlias>(
    pointers.map(({ name }) => [name, { parameter: name, offset: "" }]),
  );
  const definitions = new Map<string, string>();
  for (const node of body.descendantsOfType(["init_declarator", "assignment_expression"])) {
    const set = setBy(node);
    if (set === undefined) continue;
    const alias = set.pointer ? aliasOf(set.text, aliases) : undefined;
    if (alias !== undefined) aliases.set(set.name, alias);
    else if (set.first && !definitions.has(set.name)) definitions.set(set.name, set.text);
  }
  return { aliases, definitions };
}

interface SetName {
  readonly name: string;
  readonly text: string;
  readonly pointer: boolean;
  /** True for a declaration of a plain variable. */
  readonly first: boolean;
}

function setBy(node: SyntaxNode): SetName | undefined {
  const target = node.childForFieldName("declarator") ?? node.childForFieldName("left");
  const value = node.childForFieldName("value") ?? node.childForFieldName("right");
  const name = target?.descendantsOfType("identifier")[0]?.text;
  if (value === null || name === undefined) return undefined;
  const declares = node.type === "init_declarator";
  if (!declares && target?.type !== "identifier") return undefined;
  const first = declares && target?.type === "identifier";
  const pointer = target?.type === "pointer_declarator" || (first && isPlaceholder(node));
  return { name, text: collapse(value.text), pointer, first };
}

/** `auto row = x + n;` may declare a pointer. */
function isPlaceholder(declarator: SyntaxNode): boolean {
  return declarator.parent?.childForFieldName("type")?.type === "placeholder_type_specifier";
}

function aliasOf(text: string, aliases: ReadonlyMap<string, PointerAlias>): PointerAlias | undefined {
  const source = pointerText.exec(text);
  if (source === null) return undefined;
  const base = aliases.get(at(source, 1));
  if (base === undefined) return undefined;
  const offset = source[2] ?? source[3] ?? "";
  return {
    parameter: base.parameter,
    offset: [base.offset, offset].filter((part) => part !== "").join(" + "),
  };
}
