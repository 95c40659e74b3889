import { collapse, fieldText, partsOf } from "../../query";
import type { ParameterFacts } from "../../facts";
import type { SyntaxNode } from "../../tree";
import { constantValue, fileConstants } from "../constants";
import { namedElementType, structureBody } from "../launch/element-types";

/** A structure that a host function is passed, by its members. */
interface StructureMembers {
  /** As code outside of all namespaces names it, without qualifiers. */
  readonly type: string;
  readonly members: readonly ParameterFacts[];
}

/** An array of more elements is not passed as a member for each of them. */
const mostItems = 8;
/** Numbers of a floating type are no sizes that would have to be varied: a matrix, a table of weights. */
const mostFloats = 64;
/** Elements of an array that is passed as a part of a structure's bytes. */
const mostInBytes = 512;

/**
 * How the members are handed over: in braces, where structures within it are members of their own, or as the
 * bytes of the whole, where nothing has to be public.
 */
type Handing = "by-name" | "as-bytes";

/**
 * The members of a structure as if each was a parameter, an array's elements one by one. Undefined for what
 * is no plain structure of numbers and pointers: with bases or, handed over by name, with anything that is
 * not public.
 */
export function structureMembers(
  type: string,
  root: SyntaxNode,
  handing: Handing = "by-name",
): StructureMembers | undefined {
  const name = collapse(
    type.replace(/\b(?:const|volatile|struct|class|__grid_constant__)\b|__restrict__|[*&]/g, " "),
  );
  const body = bodyOf(name, root);
  if (body === null || hasBase(body) || (handing === "by-name" && isClosed(body))) return undefined;
  const fields = body.namedChildren.filter((child) => child.type === "field_declaration");
  const meaning = templateMeaning(body, name);
  const plainItems = itemsOfRoot(root, handing);
  const items: Items = (of, lengths) => plainItems(of, lengths.map(meaning));
  const plain = fields.flatMap((field) => membersOf(field, items));
  const members =
    handing === "by-name" ? plain.flatMap((each) => each && withinMember(each, root, meaning)) : plain;
  const isPlain = members.length > 0 && members.every((each) => each !== undefined);
  if (!isPlain) return undefined;
  const scopes = name.includes("::") ? [] : scopesAround(body);
  return {
    type: [...scopes, name].join("::"),
    members: members.flatMap((each) => withMeaning(each, meaning)),
  };
}

/** What a member is made of, where it is a vector or a structure of its own: it stands in braces as well. */
function withinMember(
  member: ParameterFacts,
  root: SyntaxNode,
  meaning: (text: string) => string,
): readonly (ParameterFacts | undefined)[] {
  if (member.pointer) return [member];
  const type = meaning(member.type);
  const parts = (vectorMembers(type) ?? structureMembers(type, root))?.members;
  return parts?.map((part) => ({ ...part, name: `${member.name}_${part.name}` })) ?? [member];
}

const axes = ["x", "y", "z", "w"];

/** The numbers of a vector; undefined for other types, and for `dim3`, which no braces of its own begin. */
export function vectorMembers(type: string): StructureMembers | undefined {
  const plain = collapse(type.replace(/\bconst\b|&/g, " "));
  const element = plain === "dim3" ? undefined : namedElementType(plain);
  if (element === undefined || element.width < 2) return undefined;
  if (!/^(?:u?int|float|double)\d$/.test(plain)) return undefined;
  const scalar = plain.replace(/\d$/, "").replace("uint", "unsigned");
  const members = axes.slice(0, element.width).map((name) => ({
    ...{ name, type: scalar, pointer: false, readOnly: false, constexpr: false },
  }));
  return { type: plain, members };
}

/** Names of the namespaces and structures that a structure stands in, the outermost first. */
function scopesAround(body: SyntaxNode): readonly string[] {
  const scopes: string[] = [];
  for (let node = body.parent?.parent ?? null; node !== null; node = node.parent) {
    if (!/^(?:namespace_definition|struct_specifier|class_specifier)$/.test(node.type)) continue;
    const name = fieldText(node, "name");
    if (name !== "") scopes.unshift(name);
  }
  return scopes;
}

/** A name of a type: with its namespaces, and of a template with its arguments. */
const typeName = /^((?:[A-Za-z_]\w*::)*)([A-Za-z_]\w*)\s*(?:<(.*)>)?$/;

function bodyOf(type: string, root: SyntaxNode): SyntaxNode | null {
  const [, , name] = typeName.exec(type) ?? [];
  return name === undefined ? null : structureBody(name, root);
}

/** What the parameters of a structure's template mean in a text, as its type names them: `View<float, 2>`. */
function templateMeaning(body: SyntaxNode, type: string): (text: string) => string {
  const [, , , given] = typeName.exec(type) ?? [];
  const template = body.parent?.parent;
  const list = template?.type === "template_declaration" ? template.childForFieldName("parameters") : null;
  const names = partsOf(list).map((node) => {
    const named = node.childForFieldName("declarator") ?? node.childForFieldName("name");
    return (named ?? node).descendantsOfType(["identifier", "type_identifier"]).at(-1)?.text ?? "";
  });
  const values = new Map(names.map((each, place) => [each, given?.split(",")[place]?.trim() ?? each]));
  return (text) => text.replace(/[A-Za-z_]\w*/g, (word) => values.get(word) ?? word);
}

function withMeaning(
  member: ParameterFacts | undefined,
  meaning: (text: string) => string,
): readonly ParameterFacts[] {
  if (member === undefined) return [];
  const type = meaning(member.type);
  // `const T` of a pointer's type may stand in the template's argument.
  const readOnly = member.readOnly || (member.pointer && /^const\b/.test(type));
  return [{ ...member, type, readOnly }];
}

/**
 * The pointers among the members of a structure or class, whatever else it has; the parameters of a
 * template as the type names them.
 */
export function memberPointers(type: string, root: SyntaxNode): readonly ParameterFacts[] {
  const plain = collapse(type.replace(/\b(?:const|volatile|struct|class)\b|&/g, " "));
  const body = bodyOf(plain, root);
  if (body === null) return [];
  const meaning = templateMeaning(body, plain);
  const fields = body.namedChildren.filter((child) => child.type === "field_declaration");
  return fields
    .flatMap((field) => membersOf(field, fewItems))
    .flatMap((member) => member ?? [])
    .filter(({ pointer, type: own }) => pointer && /^[^*]*\*$/.test(own))
    .map((member) => ({ ...member, type: meaning(member.type) }));
}

function hasBase(body: SyntaxNode): boolean {
  return body.parent?.namedChildren.some(({ type }) => type === "base_class_clause") === true;
}

/** A structure with sections of its own. */
function isClosed(body: SyntaxNode): boolean {
  return (
    body.parent?.type === "class_specifier" ||
    body.namedChildren.some(({ type }) => type === "access_specifier")
  );
}

/** A name with its stars, and the lengths of an array. */
const declared = /^([*\s]*)([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$/;

/** How many elements an array of a type has; undefined where it cannot be passed one by one. */
type Items = (type: string, lengths: readonly string[]) => number | undefined;

const fewItems: Items = (_type, [length = "", ...others]) => {
  const count = /^\s*\d+\s*$/.test(length) && others.length === 0 ? Number(length) : Number.NaN;
  return count <= mostItems ? count : undefined;
};

function itemsOfRoot(root: SyntaxNode, handing: Handing): Items {
  const constants = fileConstants(root);
  return (type, lengths) => {
    const counts = lengths.map((length) => constantValue(length, constants) ?? Number.NaN);
    const count = counts.reduce((product, each) => product * each, 1);
    const most = /\b(?:float|double|half)/.test(type) ? mostFloats : mostItems;
    return count <= (handing === "as-bytes" ? mostInBytes : most) ? count : undefined;
  };
}

/** One for each name; none for a method; undefined for what cannot be passed. */
function membersOf(field: SyntaxNode, itemsOf: Items): readonly (ParameterFacts | undefined)[] {
  const declarators = field.childrenForFieldName("declarator");
  if (/\bstatic\b/.test(field.text)) return [];
  const type = collapse(fieldText(field, "type"));
  const isConst = /\bconst\b/.test(field.text.slice(0, field.text.search(/[*;]/)));
  return declarators.flatMap((declarator): readonly (ParameterFacts | undefined)[] => {
    const text = declarator.text.replace(/\b__restrict__\b|\b__restrict\b|\bconst\b/g, " ");
    if (declarator.type === "function_declarator") return [];
    const [, stars = "", name, brackets = ""] = declared.exec(text) ?? [];
    const lengths = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, length = ""]) => length);
    const items = lengths.length === 0 ? 0 : itemsOf(type, lengths);
    if (name === undefined || items === undefined) return [undefined];
    const pointer = stars.includes("*");
    const whole = `${isConst ? "const " : ""}${type}${stars.replace(/\s/g, "")}`;
    const names = lengths.length === 0 ? [name] : Array.from({ length: items }, (_, at) => `${name}_${at}`);
    const isTable = !pointer && names.length > mostItems;
    return names.map((each, place) => ({
      ...{ name: each, type: whole, pointer, readOnly: pointer && isConst, constexpr: false },
      // The places of a table: as many sizes would be none.
      ...(isTable && { defaultValue: String(place) }),
    }));
  });
}
