import { last } from "../../base/known";
import { numberOf } from "../evaluate";
import { PartMemory } from "../part-memory";
import { collapse, enclosing } from "../query";
import type { SyntaxNode } from "../tree";
import { fileParts, partKey } from "./definitions";

/** What a name of the source always stands for. */
export interface NamedConstant {
  readonly name: string;
  /** The expression, blanks collapsed. */
  readonly text: string;
  /** The node that holds the expression; undefined where it is implied, as with enumerators that count on. */
  readonly node: SyntaxNode | undefined;
}

export type Constants = ReadonlyMap<string, NamedConstant>;

const holders = ["preproc_def", "init_declarator", "enumerator_list", "field_declaration"];

/**
 * Constants of a whole file: object-like macros, variables outside of functions that nothing assigns,
 * enumerators with or without a value, constants of classes. A name with two different meanings (two branches
 * of an `#if`) has none.
 */
export function fileConstants(root: SyntaxNode): Constants {
  return joined([constantsIn(root)]);
}

/** Constants of a file from one version of it to the next. */
export class ConstantMemory {
  private readonly parts = new PartMemory<PartConstants>();
  private before: Constants | undefined;

  /**
   * The constants without nodes, and the names whose meaning is another one than in the last version: their
   * own text, or that of a constant in it.
   */
  read(root: SyntaxNode): { readonly constants: Constants; readonly changed: readonly string[] } {
    const find = (part: SyntaxNode): PartConstants => {
      const { constants, assigned } = constantsIn(part);
      return { constants: constants.map((constant) => ({ ...constant, node: undefined })), assigned };
    };
    const constants = joined(this.parts.of(fileParts(root), "", { keyOf: partKey, find }));
    const changed = this.before === undefined ? [] : changedNames(this.before, constants);
    this.before = constants;
    return { constants, changed };
  }
}

function changedNames(before: Constants, now: Constants): readonly string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const changed = names.filter((name) => before.get(name)?.text !== now.get(name)?.text);
  // What is found behind those that are looked at is looked at, too.
  for (const name of changed)
    for (const [user, { text }] of now)
      if (text.includes(name) && !changed.includes(user)) changed.push(user);
  return changed;
}

/** What a part of a file says about constants. */
interface PartConstants {
  readonly constants: readonly NamedConstant[];
  /** Names that it changes. */
  readonly assigned: ReadonlySet<string>;
}

function constantsIn(part: SyntaxNode): PartConstants {
  return {
    constants: part.descendantsOfType(holders).flatMap(constantsAt),
    assigned: assignedNames(part),
  };
}

function joined(parts: readonly PartConstants[]): Constants {
  const found = new Map<string, NamedConstant>();
  const twice = new Set<string>();
  const assigned = new Set(parts.flatMap((part) => [...part.assigned]));
  for (const constant of parts.flatMap(({ constants }) => constants)) {
    const known = found.get(constant.name);
    if (known !== undefined && known.text !== constant.text) twice.add(constant.name);
    if (!assigned.has(constant.name)) found.set(constant.name, constant);
  }
  for (const name of twice) found.delete(name);
  return found;
}

function constantsAt(node: SyntaxNode): readonly NamedConstant[] {
  switch (node.type) {
    case "enumerator_list":
      return enumeratorsOf(node);
    case "init_declarator":
      return enclosing(node, "function_definition", "lambda_expression") === undefined
        ? initialized(node, "value")
        : [];
    case "field_declaration":
      return initialized(node, "default_value");
    default:
      return named(node.childForFieldName("name"), node.childForFieldName("value"));
  }
}

/** `NAME = expression`, also with the expression in braces or parentheses. */
export function initialized(node: SyntaxNode, field: string): readonly NamedConstant[] {
  const value = node.childForFieldName(field);
  const lists = value?.type === "initializer_list" || value?.type === "argument_list";
  const inner = lists ? value.namedChildren.filter((child) => child.type !== "comment") : [value];
  return inner.length === 1 ? named(node.childForFieldName("declarator"), inner[0] ?? null) : [];
}

function named(name: SyntaxNode | null, value: SyntaxNode | null): readonly NamedConstant[] {
  if (name === null || value === null || !/^[A-Za-z_]\w*$/.test(name.text)) return [];
  const text = collapse(value.text);
  return text === "" ? [] : [{ name: name.text, text, node: value }];
}

/** Enumerators; one without a value is one more than the one before it. */
function enumeratorsOf(list: SyntaxNode): readonly NamedConstant[] {
  const found: NamedConstant[] = [];
  let before: string | undefined;
  for (const node of list.namedChildren.filter((child) => child.type === "enumerator")) {
    const name = node.childForFieldName("name");
    const value = node.childForFieldName("value");
    if (name === null) continue;
    const implied = before === undefined ? "0" : `${before} + 1`;
    const text = value === null ? implied : collapse(value.text);
    found.push({ name: name.text, text, node: value ?? undefined });
    before = name.text;
  }
  return found;
}

/** Plain names that are assigned or incremented anywhere below the node. */
function assignedNames(node: SyntaxNode): ReadonlySet<string> {
  const acts = node.descendantsOfType(["assignment_expression", "update_expression"]);
  const targets = acts.map((act) => act.childForFieldName("left") ?? act.childForFieldName("argument"));
  return new Set(targets.flatMap((target) => (target?.type === "identifier" ? [target.text] : [])));
}

/** The constant of a name, `config::kTile` by its last part where the whole is not known. */
export function constantNamed(constants: Constants, name: string): NamedConstant | undefined {
  return constants.get(name) ?? (name.includes("::") ? constants.get(last(name.split("::"))) : undefined);
}

/** Value of an integer expression over constants. */
export function constantValue(text: string, constants: Constants): number | undefined {
  return numberOf(collapse(text), (name) => constantNamed(constants, name)?.text);
}

/** A plain type, or a packed accessor of PyTorch. */
const typeText = /^(?:[\w\s:]+|[\w:]*TensorAccessor\w*\s*<[\w\s:,<>]+>)$/;

/**
 * Other names of types: `typedef float real;`, `using real = float;`, `#define real float`. Followed to their
 * ends; pointers and references stay as written.
 */
export function typeAliases(root: SyntaxNode): ReadonlyMap<string, string> {
  const direct = new Map<string, string>();
  for (const node of root.descendantsOfType(["type_definition", "alias_declaration", "preproc_def"])) {
    const name = node.childForFieldName("declarator") ?? node.childForFieldName("name");
    const type = node.childForFieldName("type") ?? node.childForFieldName("value");
    if (name !== null && type !== null && /^\w+$/.test(name.text) && typeText.test(collapse(type.text)))
      direct.set(name.text, collapse(type.text));
  }
  return new Map([...direct.keys()].map((name) => [name, followed(name, direct)]));
}

function followed(name: string, aliases: ReadonlyMap<string, string>): string {
  let type = name;
  for (let step = 0; step < 8; step += 1) {
    const next = aliases.get(type);
    if (next === undefined) break;
    type = next;
  }
  return type;
}
