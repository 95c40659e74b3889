import { collapse, fieldText, partsOf } from "../../query";
import type { ParameterFacts } from "../../facts";
import type { SyntaxNode } from "../../tree";
import { structureBody } from "../launch/element-types";

/** A structure that a host function is passed, by its members. */
interface StructureMembers {
  /** As the parameter names it, without qualifiers. */
  readonly type: string;
  readonly members: readonly ParameterFacts[];
}

/** An array of more elements is not passed as a member for each of them. */
const mostItems = 8;

/**
 * The members of a structure as if each was a parameter, an array's elements one by one. Undefined for what
 * is no plain structure of numbers and pointers: with bases, members of other structures' kinds or anything
 * not public.
 */
export function structureMembers(type: string, root: SyntaxNode): StructureMembers | undefined {
  const name = type
    .replace(/\b(?:const|volatile|struct|__grid_constant__)\b|__restrict__|[*&]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const body = /^[A-Za-z_]\w*$/.test(name) ? structureBody(name, root) : null;
  if (body === null || isClosed(body)) return undefined;
  const fields = body.namedChildren.filter((child) => child.type === "field_declaration");
  const members = fields.flatMap((field) => membersOf(field));
  const isPlain = members.length > 0 && members.every((each) => each !== undefined);
  return isPlain ? { type: name, members: members.filter((each) => each !== undefined) } : undefined;
}

/**
 * The pointers among the members of a structure or class, whatever else it has; the parameters of a
 * template as the type names them.
 */
export function memberPointers(type: string, root: SyntaxNode): readonly ParameterFacts[] {
  const plain = collapse(type.replace(/\b(?:const|volatile|struct|class)\b|&/g, " "));
  const [, name = "", given] = /^([A-Za-z_]\w*)\s*(?:<(.*)>)?$/.exec(plain) ?? [];
  const body = name === "" ? null : structureBody(name, root);
  const template = body?.parent?.parent;
  const parameters =
    template?.type === "template_declaration" ? template.childForFieldName("parameters") : null;
  const names = partsOf(parameters).map((node) => node.descendantsOfType("type_identifier")[0]?.text ?? "");
  const types = new Map(names.map((each, place) => [each, given?.split(",")[place]?.trim() ?? each]));
  const fields = body?.namedChildren.filter((child) => child.type === "field_declaration") ?? [];
  const members = fields.flatMap((field) => membersOf(field)).flatMap((member) => member ?? []);
  return members
    .filter(({ pointer, type: own }) => pointer && /^[^*]*\*$/.test(own))
    .map((member) => ({
      ...member,
      type: member.type.replace(/[A-Za-z_]\w*/g, (word) => types.get(word) ?? word),
    }));
}

/** A structure with bases or sections of its own. */
function isClosed(body: SyntaxNode): boolean {
  return (
    body.parent?.type === "class_specifier" ||
    body.parent?.namedChildren.some(({ type }) => type === "base_class_clause") === true ||
    body.namedChildren.some(({ type }) => type === "access_specifier")
  );
}

/** A name with its stars, and the elements of an array. */
const declared = /^([*\s]*)([A-Za-z_]\w*)\s*(?:\[\s*(\d+)\s*\])?$/;

/** One for each name; none for a method; undefined for what cannot be passed. */
function membersOf(field: SyntaxNode): readonly (ParameterFacts | undefined)[] {
  const declarators = field.childrenForFieldName("declarator");
  if (/\bstatic\b/.test(field.text)) return [];
  const type = collapse(fieldText(field, "type"));
  const isConst = /\bconst\b/.test(field.text.slice(0, field.text.search(/[*;]/)));
  return declarators.flatMap((declarator): readonly (ParameterFacts | undefined)[] => {
    const text = declarator.text.replace(/\b__restrict__\b|\b__restrict\b|\bconst\b/g, " ");
    if (declarator.type === "function_declarator") return [];
    const [, stars = "", name, items] = declared.exec(text) ?? [];
    if (name === undefined || Number(items ?? 1) > mostItems) return [undefined];
    const pointer = stars.includes("*");
    const whole = `${isConst ? "const " : ""}${type}${stars.replace(/\s/g, "")}`;
    const names =
      items === undefined ? [name] : Array.from({ length: Number(items) }, (_, at) => `${name}_${at}`);
    return names.map((each) => ({
      ...{ name: each, type: whole, pointer, readOnly: pointer && isConst, constexpr: false },
    }));
  });
}
