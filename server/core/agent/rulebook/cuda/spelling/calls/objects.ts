import { collapse, compact, fieldText, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import { type Structure, structureNamed } from "../../structures/structure-layout";
import type { Spelling } from "../spelling";

/** A type without what says how it may be used. */
export function plainType(type: string): string {
  return collapse(type.replace(/\b(?:const|volatile|struct|class)\b(?![^<]*>)|&/g, " "));
}

/** Structures that the kernel is handed by value, and its locals of a type that is written out. */
export function localTypes({ kernel, body }: KernelView): ReadonlyMap<string, string> {
  const parameters = kernel.facts.parameters.flatMap(({ name, type, pointer }) =>
    pointer || name.includes(".") ? [] : [[name, plainType(type)] as const],
  );
  const locals = body.descendantsOfType("declaration").flatMap((declaration) => {
    const type = plainType(fieldText(declaration, "type"));
    return declaration.childrenForFieldName("declarator").flatMap((node) => {
      const inner = node.type === "init_declarator" ? node.childForFieldName("declarator") : node;
      return inner?.type === "identifier" ? [[inner.text, type] as const] : [];
    });
  });
  return new Map([...locals, ...parameters].filter(([, type]) => /^[A-Za-z_]/.test(type)));
}

/** A variable of a structure. */
interface Member {
  readonly name: string;
  readonly type: string;
  /** `[4]` of an array; empty for a plain variable. */
  readonly size: string;
  /** What it begins with where nothing else is said. */
  readonly start: string | undefined;
}

/** `Sums s; … s.total` of a structure of the file as `float sTotal; … sTotal`, if only members are used. */
export const objectsApart: Spelling = (view) => {
  const { body, model } = view;
  for (const declaration of body.descendantsOfType("declaration")) {
    const [declarator, ...others] = declaration.childrenForFieldName("declarator");
    const words = declaration.children.map(({ text }) => text);
    if (declarator === undefined || others.length > 0 || words.includes("__shared__")) continue;
    if (declaration.parent?.type !== "compound_statement") continue;
    const type = plainType(fieldText(declaration, "type"));
    const structure = structureNamed(model.root, type);
    const name = nameOf(declarator);
    if (structure === undefined || name === undefined) continue;
    const members = membersIn(structure);
    const starts = members && startsOf(view, { declarator, structure, members, type });
    const uses = usesOf(body, name).filter((use) => !isInside(use, declaration));
    const fields = uses.map((use) => memberUsed(use, members ?? []));
    if (members === undefined || starts === undefined || fields.includes(undefined)) continue;
    return apart(view, { declaration, name, members, starts, uses });
  }
  return undefined;
};

/** `Stock stock(x[i]);` of a structure of the file, which reads like a function, as `Stock stock{x[i]};`. */
export const objectsBraced: Spelling = ({ body, model }) => {
  for (const declaration of body.descendantsOfType("declaration")) {
    const [declarator, ...others] = declaration.childrenForFieldName("declarator");
    const list = declarator?.childForFieldName("parameters");
    if (declarator?.type !== "function_declarator" || others.length > 0 || !list) continue;
    const named = declarator.childForFieldName("declarator")?.type === "identifier";
    const types = partsOf(list).every(
      (node) =>
        (node.childForFieldName("declarator")?.type ?? "abstract_array_declarator") ===
        "abstract_array_declarator",
    );
    const type = plainType(fieldText(declaration, "type"));
    if (!named || !types || partsOf(list).length === 0 || structureNamed(model.root, type) === undefined)
      continue;
    return [
      { start: list.startIndex, end: list.startIndex + 1, text: "{" },
      { start: list.endIndex - 1, end: list.endIndex, text: "}" },
    ];
  }
  return undefined;
};

function nameOf(declarator: SyntaxNode): string | undefined {
  const inner =
    declarator.type === "init_declarator" ? declarator.childForFieldName("declarator") : declarator;
  return inner?.type === "identifier" ? inner.text : undefined;
}

/** The variables of a structure, in their order; undefined where one is no plain variable or array. */
function membersIn({ body, types }: Structure): readonly Member[] | undefined {
  const fields = body.namedChildren.filter(
    ({ type, children }) =>
      type === "field_declaration" && !children.some(({ text }) => text === "static" || text === "constexpr"),
  );
  const members = fields.flatMap((field): readonly (Member | undefined)[] => {
    const written = plainType(fieldText(field, "type"));
    const type = types.get(written) ?? written;
    const value = field.childForFieldName("default_value");
    return field.childrenForFieldName("declarator").flatMap((declarator) => {
      if (declarator.descendantsOfType("function_declarator").length > 0) return [];
      const array = declarator.type === "array_declarator";
      const inner = array ? declarator.childForFieldName("declarator") : declarator;
      if (inner?.type !== "field_identifier") return [undefined];
      const size = array ? `[${fieldText(declarator, "size")}]` : "";
      return [{ name: inner.text, type, size, start: value === null ? undefined : collapse(value.text) }];
    });
  });
  const known = members.flatMap((member) => member ?? []);
  return known.length > 0 && known.length === members.length ? known : undefined;
}

interface Declared {
  readonly declarator: SyntaxNode;
  readonly structure: Structure;
  readonly members: readonly Member[];
  readonly type: string;
}

type Starts = ReadonlyMap<string, string>;

/** What each member begins with, those left out that begin with nothing; undefined where that is not said. */
function startsOf(view: KernelView, declared: Declared): Starts | undefined {
  const { declarator, members, structure } = declared;
  const defaults = new Map(
    members.flatMap(({ name, start }) => (start === undefined ? [] : [[name, start]])),
  );
  const value = declarator.childForFieldName("value");
  const made = constructorsOf(declared).length > 0;
  if (declarator.type === "identifier") return made ? constructed(view, declared, []) : defaults;
  if (value === null) return undefined;
  const list = value.type === "initializer_list" ? value : listOf(value, declared.type);
  if (value.type === "argument_list" || (made && list !== undefined))
    return constructed(view, declared, partsOf(list ?? value));
  if (list === undefined || structure.body.parent === null) return undefined;
  const given = partsOf(list);
  if (given.length > members.length || given.some(({ type }) => /initializer/.test(type))) return undefined;
  const zero = members.map(
    ({ name, size }) => [name, defaults.get(name) ?? (size === "" ? "0" : "{}")] as const,
  );
  return new Map(
    zero.map(([name, none], place) => [name, given[place] ? collapse(given[place].text) : none]),
  );
}

/** The braces of `T{a, b}`. */
function listOf(value: SyntaxNode, type: string): SyntaxNode | undefined {
  if (value.type !== "compound_literal_expression") return undefined;
  const named = plainType(fieldText(value, "type")) === type;
  return named ? (value.childForFieldName("value") ?? undefined) : undefined;
}

function constructorsOf({ structure }: Declared): readonly SyntaxNode[] {
  const own = fieldText(structure.body.parent, "name");
  return structure.body
    .descendantsOfType("function_definition")
    .filter((node) => fieldText(node.descendantsOfType("function_declarator")[0], "declarator") === own);
}

/** What a constructor that only sets members gives them. */
function constructed(view: KernelView, declared: Declared, given: readonly SyntaxNode[]): Starts | undefined {
  const { members } = declared;
  const starts = new Map(members.flatMap(({ name, start }) => (start === undefined ? [] : [[name, start]])));
  const [definition, ...others] = constructorsOf(declared).filter(
    (node) => parameterNames(node)?.length === given.length,
  );
  const names = definition && parameterNames(definition);
  if (definition === undefined || names === undefined || others.length > 0) return undefined;
  const body = definition.childForFieldName("body");
  if (body !== null && partsOf(body).length > 0) return undefined;
  const texts = new Map(
    names.map((name, place) => {
      const text = collapse(given[place]?.text ?? "");
      return [name, /^[\w.]+$/.test(text) ? text : `(${text})`];
    }),
  );
  for (const entry of definition.descendantsOfType("field_initializer")) {
    const [field, list] = partsOf(entry);
    const [value, ...more] = partsOf(list);
    if (field === undefined || more.length > 0 || !members.some(({ name }) => name === field.text))
      return undefined;
    if (value === undefined) starts.set(field.text, "{}");
    else starts.set(field.text, substituted(view, value, texts));
  }
  return starts;
}

function parameterNames(definition: SyntaxNode): readonly string[] | undefined {
  const list = definition.descendantsOfType("function_declarator")[0]?.childForFieldName("parameters");
  const names = partsOf(list).map((node) =>
    node.childForFieldName("declarator")?.descendantsOfType("identifier"),
  );
  return names.every((each) => each?.length === 1)
    ? names.flatMap((each) => each?.[0]?.text ?? [])
    : undefined;
}

function substituted(view: KernelView, value: SyntaxNode, texts: ReadonlyMap<string, string>): string {
  const edits = value.descendantsOfType("identifier").flatMap((node) => {
    const text = texts.get(node.text);
    return text === undefined ? [] : [replaceNode(node, text)];
  });
  return collapse(editedText(view.source, { start: value.startIndex, end: value.endIndex }, edits));
}

/** The member in `object.member`; undefined for any other use. */
function memberUsed(use: SyntaxNode, members: readonly Member[]): string | undefined {
  const field = use.parent;
  if (field?.type !== "field_expression" || fieldText(field, "operator") !== ".") return undefined;
  if (field.childForFieldName("argument")?.id !== use.id || field.parent?.type === "call_expression")
    return undefined;
  const name = fieldText(field, "field");
  return members.some((member) => member.name === name) ? name : undefined;
}

interface LocalObject {
  readonly declaration: SyntaxNode;
  readonly name: string;
  readonly members: readonly Member[];
  readonly starts: Starts;
  readonly uses: readonly SyntaxNode[];
}

function apart({ source }: KernelView, { declaration, name, members, starts, uses }: LocalObject) {
  const used = new Set(uses.map((use) => memberUsed(use, members)));
  let taken = source;
  const names = new Map(
    members.map((member) => {
      const fresh = freshName(taken, `${name}.${member.name.replace(/^m?_|_$/g, "")}`);
      taken += ` ${fresh}`;
      return [member.name, fresh] as const;
    }),
  );
  const constant = declaration.children.some(({ text }) => text === "const") ? "const " : "";
  const lines = members
    .filter((member) => used.has(member.name) || /[(]/.test(starts.get(member.name) ?? ""))
    .map(({ name: member, type, size }) => {
      const start = starts.get(member);
      const begun = start === undefined ? "" : ` = ${start}`;
      return `${start === undefined ? "" : constant}${type} ${names.get(member) ?? member}${size}${begun};`;
    });
  const breaks = declaration.text.replace(/[^\n]/g, "");
  return [
    replaceNode(declaration, `${lines.join(" ")}${breaks}`),
    ...uses.flatMap((use): readonly TextEdit[] => {
      const member = memberUsed(use, members);
      const fresh = member === undefined ? undefined : names.get(member);
      return use.parent && fresh !== undefined ? [replaceNode(use.parent, fresh)] : [];
    }),
  ];
}

/** True for a local of which only members and functions are named: it may be taken apart. */
export function isMadeOfMembers({ body }: KernelView, name: string): boolean {
  const uses = usesOf(body, name);
  const declared = uses.some(
    ({ parent }) => parent?.type === "init_declarator" || parent?.type === "declaration",
  );
  return (
    declared &&
    uses.every((use) => {
      const { parent } = use;
      if (parent?.type === "field_expression") return compact(parent).startsWith(`${name}.`);
      if (parent?.type === "call_expression") return parent.childForFieldName("function")?.id === use.id;
      return parent?.type === "init_declarator" || parent?.type === "declaration";
    })
  );
}
