import { changes, localValues } from "../../../../../language/cuda/body/scope";
import { declaredName } from "../../../../../language/cuda/body/threads";
import { collapse, fieldText, lineOf, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import type { Moved } from "../spelling";

/** A function of the file that is one expression of its parameters. */
interface Helper {
  readonly definition: SyntaxNode;
  readonly parameters: readonly HelperParameter[];
  /** Parameters of its template, in their order. */
  readonly types: readonly string[];
  readonly result: string;
  /** Locals that the expression is made of, each with its type and value. */
  readonly locals: readonly HelperParameter[];
  readonly value: SyntaxNode;
}

interface HelperParameter {
  readonly name: string;
  /** Without `const`; empty where the argument stands for itself: a reference, `auto`. */
  readonly type: string;
  readonly value?: SyntaxNode;
}

/** A call with what it becomes, and the lines whose counters belong to the call from then on. */
export interface Inlined {
  readonly edits: readonly TextEdit[];
  readonly moved: Moved;
}

/** `reach(spheres[i])` as the expression that the function returns. */
export function helperInlined(view: KernelView): Inlined | undefined {
  const calls = view.body.descendantsOfType("call_expression");
  for (const call of calls) {
    const callee = call.childForFieldName("function");
    const helper = callee === null ? undefined : helperNamed(view, callee);
    const text = helper && callee ? expressionOf(view, helper, { call, callee }) : undefined;
    if (helper === undefined || text === undefined) continue;
    const name = declaredName(helper.definition);
    const once = calls.filter((each) => calledName(each) === name).length === 1;
    const { definition } = helper;
    return {
      edits: [replaceNode(call, `${text}${call.text.replace(/[^\n]/g, "")}`)],
      moved: once
        ? [{ first: lineOf(definition), last: definition.endPosition.row + 1, to: lineOf(call) }]
        : [],
    };
  }
  return undefined;
}

function calledName(call: SyntaxNode): string {
  return fieldText(call, "function").replace(/<[\s\S]*$/, "");
}

/** The one function of the file that a callee names, if it is the device's, no method, and parses. */
export function deviceFunctionNamed(view: KernelView, callee: SyntaxNode): SyntaxNode | undefined {
  if (!["identifier", "template_function", "qualified_identifier"].includes(callee.type)) return undefined;
  const name = callee.text
    .replace(/<[\s\S]*$/, "")
    .split("::")
    .at(-1)
    ?.trim();
  const [definition, ...others] = view.model.root
    .descendantsOfType("function_definition")
    .filter((node) => declaredName(node) === name);
  if (definition === undefined || others.length > 0 || definition.hasError) return undefined;
  if (definition.parent?.type === "field_declaration_list") return undefined;
  return isOfDevice(definition) ? definition : undefined;
}

/** True for a function that the device may call. */
function isOfDevice(definition: SyntaxNode): boolean {
  const head = definition.text.slice(0, definition.text.indexOf("("));
  return /__device__/.test(head) && !/__global__/.test(head);
}

function helperNamed(view: KernelView, callee: SyntaxNode): Helper | undefined {
  const definition = deviceFunctionNamed(view, callee);
  if (definition === undefined) return undefined;
  const helper = helperOf(definition);
  return helper !== undefined && isSelfContained(helper, view) ? helper : undefined;
}

function helperOf(definition: SyntaxNode): Helper | undefined {
  const body = definition.childForFieldName("body");
  const statements = partsOf(body);
  const end = statements.at(-1);
  const value = end?.type === "return_statement" ? partsOf(end)[0] : undefined;
  const list = definition.descendantsOfType("parameter_list")[0];
  const parameters = partsOf(list).map(parameterOf);
  const locals = statements.slice(0, -1).map(localOf);
  const template = definition.parent?.type === "template_declaration" ? definition.parent : undefined;
  const types = partsOf(template?.childForFieldName("parameters")).flatMap(
    (node) => node.descendantsOfType("type_identifier")[0]?.text ?? [],
  );
  const pointer = returnsPointer(definition);
  if (body === null || value === undefined || pointer === undefined || changes(body).length > 0)
    return undefined;
  const known = [...parameters, ...locals].flatMap((each) => each ?? []);
  if (known.length < parameters.length + locals.length || isUnsteady(body)) return undefined;
  return {
    ...{ definition, types, value },
    parameters: parameters.flatMap((each) => each ?? []),
    locals: locals.flatMap((each) => each ?? []),
    result: pointer ? "" : plainType(fieldText(definition, "type")),
  };
}

/** True for `T* f(…)`, false for `T f(…)`; undefined for anything else. */
function returnsPointer(definition: SyntaxNode): boolean | undefined {
  const declarator = definition.childForFieldName("declarator");
  if (declarator?.type === "function_declarator") return false;
  const inner = declarator?.type === "pointer_declarator" ? declarator.childForFieldName("declarator") : null;
  return inner?.type === "function_declarator" ? true : undefined;
}

/** Functions with memory, or with parts that are no expressions. */
function isUnsteady(body: SyntaxNode): boolean {
  return body.descendantsOfType(["lambda_expression", "storage_class_specifier"]).length > 0;
}

function parameterOf(node: SyntaxNode): HelperParameter | undefined {
  const declarator = node.childForFieldName("declarator");
  const type = plainType(fieldText(node, "type"));
  if (declarator?.type === "identifier") return { name: declarator.text, type };
  const name = declarator?.descendantsOfType("identifier")[0]?.text;
  if (name === undefined || partsOf(declarator).length !== 1) return undefined;
  if (declarator?.type === "reference_declarator") return { name, type };
  return declarator?.type === "pointer_declarator" ? { name, type: "" } : undefined;
}

/** `const float a = …;` of a helper. */
function localOf(statement: SyntaxNode): HelperParameter | undefined {
  const [local, ...others] = statement.type === "declaration" ? localValues(statement) : [];
  if (local === undefined || others.length > 0) return undefined;
  const type = plainType(fieldText(statement, "type"));
  return { name: local.name, type: type === "auto" ? "" : type, value: local.value };
}

function plainType(type: string): string {
  return collapse(type.replace(/\b(?:const|volatile)\b/g, " "));
}

/** True where no name of the helper means something else in the kernel. */
function isSelfContained({ definition, parameters, locals }: Helper, { body, kernel }: KernelView): boolean {
  const own = new Set([...parameters, ...locals].map(({ name }) => name));
  const { facts } = kernel;
  const inside = new Set([
    ...body.descendantsOfType(["declaration", "parameter_declaration"]).flatMap(namesOf),
    ...[...facts.parameters, ...facts.templateParameters].map(({ name }) => name),
  ]);
  const named =
    definition.childForFieldName("body")?.descendantsOfType(["identifier", "type_identifier"]) ?? [];
  const free = named.filter(({ text }) => !own.has(text));
  return free.every(({ text }) => !inside.has(text) && text !== declaredName(definition));
}

function namesOf(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

interface Call {
  readonly call: SyntaxNode;
  readonly callee: SyntaxNode;
}

/** The helper's value with the arguments for its parameters; undefined where that may mean something else. */
function expressionOf(view: KernelView, helper: Helper, { call, callee }: Call): string | undefined {
  const given = partsOf(call.childForFieldName("arguments"));
  if (given.length !== helper.parameters.length) return undefined;
  const types = typesOf(helper, callee);
  const result = types(helper.result);
  if (result === undefined) return undefined;
  const texts = new Map<string, string>();
  for (const [place, { name, type }] of helper.parameters.entries()) {
    const argument = given[place];
    if (argument === undefined || !isHarmless(view, argument)) return undefined;
    const cast = helper.types.includes(type) ? "" : type;
    texts.set(name, castTo(cast === typeOfArgument(view, argument) ? "" : cast, collapse(argument.text)));
  }
  for (const { name, type, value } of helper.locals) {
    const cast = types(type);
    const uses = usesOf(helper.definition, name).length - 1;
    if (cast === undefined || value === undefined || uses > 1 || !isHarmless(view, value)) return undefined;
    texts.set(name, castTo(cast, substituted(view, value, texts)));
  }
  return castTo(result, substituted(view, helper.value, texts));
}

/** A type of the helper as the call means it; undefined where that is not written out. */
function typesOf({ types }: Helper, callee: SyntaxNode): (type: string) => string | undefined {
  const given = partsOf(callee.childForFieldName("arguments")).map(({ text }) => text);
  return (type) => (types.includes(type) ? given[types.indexOf(type)] : type);
}

/** The declared type of a parameter or local that is passed on, or of a parameter's element. */
export function typeOfArgument({ kernel, body }: KernelView, argument: SyntaxNode): string | undefined {
  const element = argument.type === "subscript_expression";
  const name = element ? fieldText(argument, "argument") : argument.text;
  const parameter = kernel.facts.parameters.find((each) => each.name === name && each.pointer === element);
  const local = localValues(body).filter((each) => each.name === name);
  const type =
    parameter?.type ??
    (local.length === 1 && !element ? fieldText(local[0]?.declaration, "type") : undefined);
  return type && plainType(type.replace(/\b__restrict(?:__)?\b|\*/g, " "));
}

/** An expression made one of a type, also a list in braces that a function returns as a structure. */
export function madeOf(type: string, text: string): string {
  return text.startsWith("{") ? `(${type}${text})` : `((${type})(${text}))`;
}

function castTo(type: string, text: string): string {
  if (type !== "" && type !== "bool") return madeOf(type, text);
  return /^[\w.]+(\[[^[\]]*\])?$/.test(text) ? text : `(${text})`;
}

function substituted(view: KernelView, value: SyntaxNode, texts: ReadonlyMap<string, string>): string {
  const edits = value.descendantsOfType("identifier").flatMap((node) => {
    const text = texts.get(node.text);
    return text === undefined ? [] : [replaceNode(node, text)];
  });
  return collapse(editedText(view.source, { start: value.startIndex, end: value.endIndex }, edits));
}

const acting =
  /^(?:atomic|__shfl|__sync|__ballot|__any|__all|__activemask|__match|__reduce|printf|assert|clock|curand)/;

/** True where evaluating it never, or twice, is the same as once: arithmetic of the compiler's own. */
export function isHarmless({ model }: KernelView, node: SyntaxNode): boolean {
  const own = model.root.descendantsOfType("function_definition").map(declaredName);
  const calls = node.descendantsOfType("call_expression").map(calledName);
  return changes(node).length === 0 && calls.every((name) => !acting.test(name) && !own.includes(name));
}
