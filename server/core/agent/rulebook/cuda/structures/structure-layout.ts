import { at, entry } from "../../../../base/known";
import { compact, fieldText } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type KernelView, scalarBytes } from "../kernel";

/** Size of a type and what its addresses are a multiple of, in bytes. */
export interface Layout {
  readonly bytes: number;
  readonly alignment: number;
}

/** `float3`, `uchar4`: elements of one scalar type; those of three are no more aligned than one of them. */
const vectorName = /^(u?char|u?short|u?int|u?long|u?longlong|float|double)([1-4])$/;
const vectorScalars: Readonly<Record<string, number>> = {
  char: 1,
  short: 2,
  int: 4,
  float: 4,
  long: 8,
  longlong: 8,
  double: 8,
};

/**
 * How a structure lies in memory: one of the file that has nothing but members of plain types, or a vector
 * type of CUDA. Undefined for anything else.
 */
export function structureLayout(view: KernelView, type: string): Layout | undefined {
  const plain = view.model.types.get(type) ?? type.replace(/^struct\s+/, "");
  const vector = vectorName.exec(plain);
  if (vector !== null) {
    const count = at(vector, 2);
    const bytes = entry(vectorScalars, at(vector, 1).replace(/^u/, ""));
    const together = count === "3" ? bytes : Math.min(16, bytes * Number(count));
    return { bytes: bytes * Number(count), alignment: together };
  }
  const body = structureBody(view.model.root, plain);
  return body === undefined ? undefined : membersLayout(view, body);
}

/** Names of the plain members of a structure; none where it has others. */
export function structureMembers(view: KernelView, type: string): readonly string[] {
  const plain = view.model.types.get(type) ?? type.replace(/^struct\s+/, "");
  const count = vectorName.exec(plain)?.[2];
  if (count !== undefined) return ["x", "y", "z", "w"].slice(0, Number(count));
  const members = structureBody(view.model.root, plain)?.namedChildren ?? [];
  const names = members.flatMap((member) => member.childrenForFieldName("declarator"));
  return names.every(({ type: kind }) => kind === "field_identifier") ? names.map(({ text }) => text) : [];
}

function structureBody(root: SyntaxNode, name: string): SyntaxNode | undefined {
  const found = root.descendantsOfType("struct_specifier").find((node) => {
    const outer = node.parent?.type === "type_definition" ? fieldText(node.parent, "declarator") : undefined;
    return fieldText(node, "name") === name || outer === name;
  });
  const derived = found?.namedChildren.some(({ type }) => type === "base_class_clause") === true;
  const body = derived ? undefined : found?.childForFieldName("body");
  return body ?? undefined;
}

function membersLayout(view: KernelView, body: SyntaxNode): Layout | undefined {
  let [bytes, alignment] = [0, 1];
  for (const member of body.namedChildren) {
    if (member.type === "comment") continue;
    const layout = memberLayout(view, member);
    if (layout === undefined) return undefined;
    for (const declarator of member.childrenForFieldName("declarator")) {
      const count = elementsOf(view, declarator);
      if (count === undefined) return undefined;
      bytes = Math.ceil(bytes / layout.alignment) * layout.alignment + layout.bytes * count;
    }
    alignment = Math.max(alignment, layout.alignment);
  }
  return bytes === 0 ? undefined : { bytes: Math.ceil(bytes / alignment) * alignment, alignment };
}

function memberLayout(view: KernelView, member: SyntaxNode): Layout | undefined {
  if (member.type !== "field_declaration" || member.childForFieldName("default_value") !== null)
    return undefined;
  const type = fieldText(member, "type");
  const bytes = scalarBytes(view, type);
  return bytes === undefined ? structureLayout(view, type) : { bytes, alignment: bytes };
}

/** Elements of a member: one, or those of an array of constant length. */
function elementsOf(view: KernelView, declarator: SyntaxNode): number | undefined {
  if (declarator.type === "field_identifier") return 1;
  const size = declarator.childForFieldName("size");
  const plain = declarator.type === "array_declarator" && size !== null;
  if (!plain || !/^\w+\[/.test(compact(declarator))) return undefined;
  const inner = declarator.childForFieldName("declarator");
  return inner?.type === "field_identifier" ? view.scope.value(size) : undefined;
}
