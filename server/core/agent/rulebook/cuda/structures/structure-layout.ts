import { at, entry } from "../../../../base/known";
import { compact, fieldText, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type KernelView, scalarBytes } from "../kernel";

/** Size of a type and what its addresses are a multiple of, in bytes. */
export interface Layout {
  readonly bytes: number;
  readonly alignment: number;
  /** True where it has functions or initial values: such a type may not stand in shared memory by itself. */
  readonly isMade?: boolean;
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
 * How a structure lies in memory: one of the file with members of plain types, whatever functions it has, or
 * a vector type of CUDA. Undefined for anything else.
 */
export function structureLayout(view: KernelView, type: string): Layout | undefined {
  const plain = view.model.types.get(type) ?? type.replace(/^(?:struct|class)\s+/, "");
  const vector = vectorName.exec(plain);
  if (vector !== null) {
    const count = at(vector, 2);
    const bytes = entry(vectorScalars, at(vector, 1).replace(/^u/, ""));
    const together = count === "3" ? bytes : Math.min(16, bytes * Number(count));
    return { bytes: bytes * Number(count), alignment: together };
  }
  const structure = structureNamed(view.model.root, plain);
  return structure === undefined ? undefined : membersLayout(view, structure);
}

/** Names of the plain members of a structure; none where it has others. */
export function structureMembers(view: KernelView, type: string): readonly string[] {
  const plain = view.model.types.get(type) ?? type.replace(/^(?:struct|class)\s+/, "");
  const count = vectorName.exec(plain)?.[2];
  if (count !== undefined) return ["x", "y", "z", "w"].slice(0, Number(count));
  const members = structureNamed(view.model.root, plain)?.body.namedChildren ?? [];
  const held = members.filter((member) => !isBeside(member));
  const names = held.flatMap((member) => member.childrenForFieldName("declarator"));
  return names.every(({ type: kind }) => kind === "field_identifier") ? names.map(({ text }) => text) : [];
}

const vectorScalarNames: Readonly<Record<string, string>> = {
  ...{ char: "signed char", uchar: "unsigned char", ushort: "unsigned short", uint: "unsigned int" },
  ...{ ulong: "unsigned long", longlong: "long long", ulonglong: "unsigned long long" },
};

/** Type of a plain member of a vector type or of a structure of the file; undefined for anything else. */
export function memberType(view: KernelView, type: string, member: string): string | undefined {
  const plain = view.model.types.get(type) ?? type.replace(/^(?:struct|class)\s+/, "");
  const scalar = vectorName.exec(plain)?.[1];
  if (scalar !== undefined)
    return structureMembers(view, type).includes(member) ? (vectorScalarNames[scalar] ?? scalar) : undefined;
  const structure = structureNamed(view.model.root, plain);
  const declaration = structure?.body.namedChildren.find(
    (each) =>
      each.type === "field_declaration" &&
      !isBeside(each) &&
      each.childrenForFieldName("declarator").some(({ text }) => text === member),
  );
  const written = fieldText(declaration, "type").replace(
    /[A-Za-z_]\w*/g,
    (word) => structure?.types.get(word) ?? word,
  );
  return scalarBytes(view, written) === undefined ? undefined : written;
}

/** A structure of the file with what its template is given. */
export interface Structure {
  readonly body: SyntaxNode;
  readonly types: ReadonlyMap<string, string>;
}

/** The structure that a type names: of a template the one that it is given types for. */
export function structureNamed(root: SyntaxNode, written: string): Structure | undefined {
  const name =
    written
      .replace(/\s*<[^]*$/, "")
      .split("::")
      .at(-1) ?? written;
  const given =
    /<([^<>]*)>$/
      .exec(written)?.[1]
      ?.split(",")
      .map((each) => each.trim()) ?? [];
  const found = root.descendantsOfType(["struct_specifier", "class_specifier"]).find((node) => {
    const outer = node.parent?.type === "type_definition" ? fieldText(node.parent, "declarator") : undefined;
    return (fieldText(node, "name") === name || outer === name) && node.childForFieldName("body") !== null;
  });
  const body = found?.childForFieldName("body") ?? undefined;
  const derived = found?.namedChildren.some(({ type }) => type === "base_class_clause") === true;
  const list = found?.parent?.type === "template_declaration" ? found.parent : undefined;
  const names = partsOf(list?.childForFieldName("parameters")).map(templateName);
  if (body === undefined || derived || names.length !== given.length) return undefined;
  return { body, types: new Map(names.map((each, place) => [each, at(given, place)])) };
}

/** The name of a template's parameter, be it a type or a number. */
function templateName(node: SyntaxNode): string {
  const isType = node.type.endsWith("type_parameter_declaration");
  const names = node.descendantsOfType(isType ? "type_identifier" : "identifier");
  return names[0]?.text ?? "";
}

const besides: readonly string[] = [
  ...["comment", "access_specifier", "alias_declaration", "type_definition", "using_declaration"],
  ...["static_assert_declaration", "friend_declaration"],
];

/** What stands in a structure and takes no room in it. */
function isBeside(member: SyntaxNode): boolean {
  return besides.includes(member.type) || isFunction(member) || hasWord(member, "static");
}

/** A function of a structure, or its declaration. */
function isFunction(member: SyntaxNode): boolean {
  if (["function_definition", "template_declaration", "declaration"].includes(member.type)) return true;
  return (
    member.type === "field_declaration" &&
    member
      .childrenForFieldName("declarator")
      .some((node) => node.descendantsOfType("function_declarator").length > 0)
  );
}

function hasWord(member: SyntaxNode, word: string): boolean {
  return member.children.some(({ text }) => text === word);
}

function membersLayout(view: KernelView, { body, types }: Structure): Layout | undefined {
  let [bytes, alignment, isMade] = [0, 1, false];
  for (const member of body.namedChildren) {
    // A structure with virtual functions begins with a pointer that only its own side knows.
    if (hasWord(member, "virtual") || member.type === "ERROR") return undefined;
    isMade ||= isFunction(member) || member.childForFieldName("default_value") !== null;
    if (isBeside(member)) continue;
    const layout = memberLayout(view, member, types);
    if (layout === undefined) return undefined;
    isMade ||= layout.isMade === true;
    for (const declarator of member.childrenForFieldName("declarator")) {
      const count = elementsOf(view, declarator);
      if (count === undefined) return undefined;
      bytes = Math.ceil(bytes / layout.alignment) * layout.alignment + layout.bytes * count;
    }
    alignment = Math.max(alignment, layout.alignment);
  }
  return bytes === 0 ? undefined : { bytes: Math.ceil(bytes / alignment) * alignment, alignment, isMade };
}

function memberLayout(view: KernelView, member: SyntaxNode, types: Structure["types"]): Layout | undefined {
  if (member.type !== "field_declaration") return undefined;
  const type = fieldText(member, "type").replace(/[A-Za-z_]\w*/g, (word) => types.get(word) ?? word);
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
