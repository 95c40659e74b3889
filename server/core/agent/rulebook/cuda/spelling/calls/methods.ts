import { changes, localValues } from "../../../../../language/cuda/body/scope";
import { collapse, compact, fieldText, lineOf, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import { type Structure, structureNamed } from "../../structures/structure-layout";
import { type Inlined, isHarmless, madeOf } from "./helpers";

/** A function of a structure that is one expression of its parameters and of the structure's members. */
interface Method {
  readonly definition: SyntaxNode;
  readonly structure: Structure;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly value: SyntaxNode;
  /** What the result has to be cast to; empty for references and pointers. */
  readonly result: string;
}

/** A call of a function of an object: which object, which function, and what it is given. */
interface MethodCall {
  readonly node: SyntaxNode;
  readonly object: string;
  readonly name: string;
  readonly given: readonly SyntaxNode[];
}

/** `grid.at(x, y)`, `grid(x, y)` and `grid[i]` of a structure of the file as what they return. */
export function methodInlined(view: KernelView): Inlined | undefined {
  const types = objectsOf(view);
  for (const node of view.body.descendantsOfType(["call_expression", "subscript_expression"])) {
    const call = methodCall(node);
    const type = call && types.get(call.object);
    const structure = type === undefined ? undefined : structureNamed(view.model.root, type);
    const method = call && structure && methodNamed(structure, call);
    const text = call && method ? expressionOf(view, call, method) : undefined;
    if (method === undefined || text === undefined) continue;
    const { definition } = method;
    return {
      edits: [replaceNode(node, `${text}${node.text.replace(/[^\n]/g, "")}`)],
      moved: isOnlyCall(view, call) ? [movedLines(definition, node)] : [],
    };
  }
  return undefined;
}

function movedLines(definition: SyntaxNode, node: SyntaxNode): Inlined["moved"][number] {
  return { first: lineOf(definition), last: definition.endPosition.row + 1, to: lineOf(node) };
}

/** Structures that the kernel is handed by value, and its locals of a type that is written out. */
function objectsOf({ kernel, body }: KernelView): ReadonlyMap<string, string> {
  const parameters = kernel.facts.parameters.flatMap(({ name, type, pointer }) =>
    pointer || name.includes(".") ? [] : [[name, plainType(type)] as const],
  );
  const locals = localValues(body).map(
    ({ name, declaration }) => [name, plainType(fieldText(declaration, "type"))] as const,
  );
  return new Map([...locals, ...parameters].filter(([, type]) => /^[A-Za-z_]/.test(type)));
}

function plainType(type: string): string {
  return collapse(type.replace(/\b(?:const|volatile|struct|class)\b(?![^<]*>)|&/g, " "));
}

function methodCall(node: SyntaxNode): MethodCall | undefined {
  if (node.type === "subscript_expression") {
    const given = partsOf(node.childForFieldName("indices"));
    return { node, object: fieldText(node, "argument"), name: "operator[]", given };
  }
  const callee = node.childForFieldName("function");
  const given = partsOf(node.childForFieldName("arguments"));
  if (callee?.type === "identifier") return { node, object: callee.text, name: "operator()", given };
  if (callee?.type !== "field_expression" || fieldText(callee, "operator") !== ".") return undefined;
  return { node, object: fieldText(callee, "argument"), name: fieldText(callee, "field"), given };
}

function isOnlyCall({ body }: KernelView, call: MethodCall | undefined): boolean {
  const all = body.descendantsOfType(["call_expression", "subscript_expression"]).flatMap((node) => {
    const other = methodCall(node);
    return other !== undefined && other.name === call?.name ? [other] : [];
  });
  return (
    all.length === 1 || (call?.name === "operator[]" && all.every(({ object }) => object === call.object))
  );
}

function methodNamed(structure: Structure, { name, given }: MethodCall): Method | undefined {
  const found = structure.body
    .descendantsOfType("function_definition")
    .filter((node) => methodName(node) === name && parametersOf(node).length === given.length);
  const [definition] = distinct(found);
  return definition === undefined || definition.hasError ? undefined : methodOf(structure, definition);
}

/** One for each body: what is `const` and what is not often says the same. */
function distinct(definitions: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const bodies = new Set(definitions.map((node) => compact(node.childForFieldName("body"))));
  return bodies.size === 1 ? definitions : [];
}

function declaratorOf(definition: SyntaxNode): SyntaxNode | undefined {
  return definition.descendantsOfType("function_declarator")[0];
}

function methodName(definition: SyntaxNode): string {
  return compact(declaratorOf(definition)?.childForFieldName("declarator"));
}

function parametersOf(definition: SyntaxNode): readonly SyntaxNode[] {
  return partsOf(declaratorOf(definition)?.childForFieldName("parameters"));
}

function methodOf(structure: Structure, definition: SyntaxNode): Method | undefined {
  const body = definition.childForFieldName("body");
  const [statement, ...more] = partsOf(body);
  const value = statement?.type === "return_statement" ? partsOf(statement)[0] : undefined;
  if (body === null || value === undefined || more.length > 0 || changes(body).length > 0) return undefined;
  const parameters = parametersOf(definition).flatMap((node) => {
    const declarator = node.childForFieldName("declarator");
    const name = declarator?.descendantsOfType("identifier")[0]?.text ?? declarator?.text;
    const byValue = declarator?.type === "identifier";
    return name === undefined ? [] : [{ name, type: byValue ? plainType(fieldText(node, "type")) : "" }];
  });
  if (parameters.length < parametersOf(definition).length) return undefined;
  const byValue = definition.childForFieldName("declarator")?.type === "function_declarator";
  return { definition, structure, parameters, value, result: byValue ? fieldText(definition, "type") : "" };
}

/** The method's value over the object's members and the arguments; undefined where that may mean another. */
function expressionOf(view: KernelView, { object, given }: MethodCall, method: Method): string | undefined {
  const { parameters, structure, value } = method;
  if (!/^\w+$/.test(object) || given.some((argument) => !isHarmless(view, argument))) return undefined;
  if (!isSelfContained(view, method)) return undefined;
  const texts = new Map<string, string>();
  for (const [place, { name, type }] of parameters.entries()) {
    const argument = given[place];
    if (argument === undefined) return undefined;
    texts.set(name, passedAs(view, argument, structure.types.get(type) ?? type));
  }
  const members = membersOf(structure);
  const edits: TextEdit[] = [];
  for (const node of value.descendantsOfType(["identifier", "this"])) {
    const text = textOf(node, { object, texts, members });
    if (text !== undefined) edits.push(replaceNode(node, text));
  }
  for (const node of value.descendantsOfType("field_expression"))
    if (node.text.startsWith("this->")) edits.push({ ...arrowOf(node), text: "." });
  const written = collapse(editedText(view.source, { start: value.startIndex, end: value.endIndex }, edits));
  return castTo(method, written);
}

/** True where no other name of the method means something else in the kernel. */
function isSelfContained({ body, kernel }: KernelView, { parameters, structure, value }: Method): boolean {
  const own = new Set([...parameters.map(({ name }) => name), ...membersOf(structure)]);
  const inside = new Set([
    ...kernel.facts.parameters.map(({ name }) => name),
    ...body
      .descendantsOfType("declaration")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  ]);
  return value.descendantsOfType("identifier").every(({ text }) => own.has(text) || !inside.has(text));
}

interface Names {
  readonly object: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly members: ReadonlySet<string>;
}

/** What a name of the method stands for in the kernel; undefined where it stays. */
function textOf(node: SyntaxNode, { object, texts, members }: Names): string | undefined {
  if (node.type === "this") return object;
  const argument = texts.get(node.text);
  if (argument !== undefined) return argument;
  return members.has(node.text) ? `${object}.${node.text}` : undefined;
}

/** Where the `->` of `this->member` stands. */
function arrowOf(node: SyntaxNode): { readonly start: number; readonly end: number } {
  const start = node.startIndex + node.text.indexOf("->");
  return { start, end: start + 2 };
}

/** Names of the structure's variables and functions. */
function membersOf({ body }: Structure): ReadonlySet<string> {
  const fields = body.namedChildren.flatMap((child) =>
    child.type === "field_declaration" ? child.descendantsOfType("field_identifier") : [],
  );
  const functions = body.descendantsOfType("function_definition").map(methodName);
  return new Set([...fields.map(({ text }) => text), ...functions]);
}

/** An argument as a parameter takes it: of whole numbers as it is, else cast. */
function passedAs({ body, kernel }: KernelView, argument: SyntaxNode, type: string): string {
  const text = collapse(argument.text);
  const simple = /^[\w.]+$/.test(text) || /^\w+(?:\[[^[\]]*\])+$/.test(text);
  const bare = simple ? text : `(${text})`;
  if (type === "" || type === "auto") return bare;
  const local = localValues(body).filter(({ name }) => name === text);
  const own =
    kernel.facts.parameters.find(({ name }) => name === text)?.type ??
    (local.length === 1 ? fieldText(local[0]?.declaration, "type") : undefined);
  const same = own !== undefined && plainType(own) === type;
  // A whole number made of others only is one already, in whatever length the source chose.
  const whole =
    /^(?:int|int32_t)$/.test(type) && !/[.\d]f\b|\b(?:float|double)\b/.test(text) && !/[[(]/.test(text);
  return same || whole ? bare : `((${type})${bare})`;
}

function castTo({ result, structure, value }: Method, text: string): string {
  const type = plainType(structure.types.get(plainType(result)) ?? result);
  const element = value.type === "subscript_expression";
  if (type === "" || type === "auto" || type === "bool" || element) return element ? text : `(${text})`;
  return madeOf(type, text);
}
