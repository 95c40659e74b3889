import { collapse, isInside, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { dataTypeOf } from "../../../../../language/spec-draft";
import { editedText, replaceNode } from "../../../edits";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";
import { unknownAt } from "./known-names";

/** Declares a host's value under another name, as a parameter of a kernel. */
export type Declare = (name: string) => string;

/**
 * How a parameter is declared that takes a variable of the host function; a guard's answer where a kernel
 * cannot take it, or its type is not written out or not known in front of `place`, where the kernel stands.
 */
export function hostValue(
  view: KernelView,
  { host, place }: { readonly host: SyntaxNode; readonly place: SyntaxNode },
  use: SyntaxNode,
): Declare | RuleHold {
  const name = use.text;
  const found = host.descendantsOfType(["parameter_declaration", "declaration"]).flatMap((declaration) =>
    declaration
      .childrenForFieldName("declarator")
      .filter((declarator) => nameIn(declarator)?.text === name)
      .map((declarator) => ({ declaration, declarator })),
  );
  const [only, ...others] = found;
  if (only === undefined || others.length > 0)
    return not("no-rewrite", `where ${name} comes from cannot be read`, use);
  const { declaration, declarator } = only;
  const type = collapse(declaration.childForFieldName("type")?.text ?? "");
  const bare =
    declarator.type === "init_declarator" ? declarator.childForFieldName("declarator") : declarator;
  const own = bare === null ? undefined : nameIn(bare);
  if (bare === null || own === undefined || !isTaken(view, type, bare))
    return not("type", `a kernel cannot take ${name} as the host declares it`, use);
  const typeNode = declaration.childForFieldName("type");
  const unknown = typeNode === null ? undefined : unknownAt(place, view, [typeNode]);
  if (unknown !== undefined)
    return not("type", `${unknown.text} is not known where the kernel may stand`, unknown);
  const isConstant = /\bconst\b/.test(
    view.source.slice(declaration.startIndex, declaration.childrenForFieldName("declarator")[0]?.startIndex),
  );
  const pointer = bare.type === "pointer_declarator";
  return (fresh) => {
    const range = { start: bare.startIndex, end: bare.endIndex };
    const text = collapse(editedText(view.source, range, [replaceNode(own, fresh)]));
    return `${pointer && isConstant ? "const " : ""}${type} ${text.replace(/^&\s*/, "")}`;
  };
}

function nameIn(declarator: SyntaxNode): SyntaxNode | undefined {
  if (declarator.type === "identifier") return declarator;
  const inner = declarator.childForFieldName("declarator") ?? declarator.namedChildren.at(-1);
  return inner ? nameIn(inner) : undefined;
}

/** A number, a pointer, or a reference to a number. */
function isTaken({ model }: KernelView, type: string, declarator: SyntaxNode): boolean {
  if (/\bauto\b|</.test(type)) return false;
  if (declarator.type === "pointer_declarator") return true;
  const isPlain = ["identifier", "reference_declarator"].includes(declarator.type);
  const bare = type.replace(/^(?:std|::std)?::/, "");
  const isNumber =
    dataTypeOf(model.types.get(type) ?? bare) !== undefined || /^(?:size_t|ptrdiff_t|bool)$/.test(bare);
  return isPlain && isNumber;
}

/** Names in parts of host code that stand for its own variables, each once, where it is first used. */
export function hostNames(
  host: SyntaxNode,
  parts: readonly SyntaxNode[],
  known: ReadonlySet<string>,
): readonly SyntaxNode[] {
  const found = new Map<string, SyntaxNode>();
  for (const node of parts.flatMap((part) => [...part.descendantsOfType("identifier")])) {
    const isDeclared = usesOf(host, node.text).some((use) => isDeclaration(use));
    if (!known.has(node.text) && isDeclared && !found.has(node.text)) found.set(node.text, node);
  }
  return [...found.values()];
}

/** True where an identifier is the name that a declaration gives. */
function isDeclaration(use: SyntaxNode): boolean {
  for (let node = use.parent; node !== null; node = node.parent) {
    if (node.type === "parameter_declaration" || node.type === "declaration")
      return node.childrenForFieldName("declarator").some((declarator) => nameIn(declarator)?.id === use.id);
    const value = node.childForFieldName("value");
    if (value !== null && isInside(use, value)) return false;
  }
  return false;
}
