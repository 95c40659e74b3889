import { changes } from "../../../../../language/cuda/body/scope";
import { declaredName } from "../../../../../language/cuda/body/threads";
import { collapse, compact, fieldText, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";
import { type Structure, structureNamed } from "../../structures/structure-layout";
import { deviceFunctionNamed } from "./helpers";
import { localTypes, plainType } from "./objects";
import { templateGiven } from "./template-given";

/** How a parameter of a function is handed over. */
export interface ProcedureParameter {
  readonly name: string;
  /** Without `const`, `&` and `*`. */
  readonly type: string;
  readonly kind: "value" | "reference" | "pointer" | "array";
}

/** A function of the file, or of a structure's object, whose statements can stand where it is called. */
export interface Procedure {
  readonly definition: SyntaxNode;
  readonly parameters: readonly ProcedureParameter[];
  /** What it does before it returns. */
  readonly statements: readonly SyntaxNode[];
  /** What it returns, as the statements that say so; empty where it returns nothing. */
  readonly ending: readonly SyntaxNode[];
  /** Type of the result; empty for `void`. */
  readonly result: string;
  /** What stands for the parameters of its template, by their names. */
  readonly given: ReadonlyMap<string, string>;
  /** The object whose function it is, with its structure. */
  readonly object: { readonly name: string; readonly structure: Structure } | undefined;
}

/** Statements that a function may have at most: a longer one is no helper. */
const STATEMENTS_MOST = 40;

/** What does not keep its meaning in another function. */
const unmovable = [
  ...["goto_statement", "labeled_statement", "lambda_expression", "asm_statement", "gnu_asm_expression"],
  ...["switch_statement", "try_statement", "string_literal", "type_definition", "alias_declaration"],
];

/** The function that a call names, if its statements may stand in the kernel. */
export function procedureOf(view: KernelView, call: SyntaxNode): Procedure | undefined {
  const callee = call.childForFieldName("function");
  if (callee === null) return undefined;
  const own = ownFunction(view, callee, partsOf(call.childForFieldName("arguments")));
  const procedure = own && procedureFrom(own.definition, own, isLastDone(view, call));
  return procedure !== undefined && isSelfContained(view, procedure) ? procedure : undefined;
}

interface Callee {
  readonly definition: SyntaxNode;
  readonly given: ReadonlyMap<string, string>;
  readonly object: Procedure["object"];
}

/** True for a call behind which the kernel does nothing more. */
function isLastDone({ body }: KernelView, call: SyntaxNode): boolean {
  let node: SyntaxNode = call;
  for (let { parent } = call; parent !== null && node.id !== body.id; { parent } = node) {
    const isLast =
      /^(?:expression_statement|if_statement|else_clause)$/.test(parent.type) ||
      (parent.type === "compound_statement" && partsOf(parent).at(-1)?.id === node.id);
    if (!isLast) return false;
    node = parent;
  }
  return true;
}

function ownFunction(view: KernelView, callee: SyntaxNode, given: readonly SyntaxNode[]): Callee | undefined {
  if (callee.type === "field_expression") {
    const [object, name] = [fieldText(callee, "argument"), fieldText(callee, "field")];
    return fieldText(callee, "operator") === "."
      ? methodOf(view, { object, name, given: given.length })
      : undefined;
  }
  if (localTypes(view).has(callee.text))
    return methodOf(view, { object: callee.text, name: "operator()", given: given.length });
  return freeFunction(view, callee, given) ?? staticFunction(view, callee, given.length);
}

/** `Sums<N>::of(…)`: a function of a structure that needs no object, and no other member. */
function staticFunction(view: KernelView, callee: SyntaxNode, given: number): Callee | undefined {
  const [, scope = "", name] = /^([\s\S]*)::(\w+)$/.exec(callee.text) ?? [];
  const type = collapse(view.model.types.get(scope.trim()) ?? scope);
  const structure = name === undefined ? undefined : structureNamed(view.model.root, type);
  const found = structure?.body.namedChildren.filter(
    (node) =>
      node.type === "function_definition" &&
      methodName(node) === name &&
      parametersIn(node).length === given &&
      node.children.some(({ text }) => text === "static"),
  );
  const [definition, ...others] = found ?? [];
  const body = definition?.childForFieldName("body");
  if (structure === undefined || definition === undefined || !body || others.length > 0) return undefined;
  const own = new Set([
    ...parametersIn(definition).map((node) => parameterOf(node)?.name),
    ...declaredIn({ statements: [body] }),
  ]);
  const members = membersOf(structure);
  const named = body.descendantsOfType("identifier").some(({ text }) => members.has(text) && !own.has(text));
  return named || definition.hasError ? undefined : { definition, given: structure.types, object: undefined };
}

function freeFunction(
  view: KernelView,
  callee: SyntaxNode,
  passed: readonly SyntaxNode[],
): Callee | undefined {
  const definition = deviceFunctionNamed(view, callee);
  const parameters = definition === undefined ? [] : parametersIn(definition);
  if (definition === undefined || parameters.length !== passed.length) return undefined;
  const given = templateGiven(view, { definition, callee, parameters, given: passed });
  return given && { definition, given, object: undefined };
}

interface MethodCall {
  readonly object: string;
  readonly name: string;
  readonly given: number;
}

function methodOf(view: KernelView, { object, name, given }: MethodCall): Callee | undefined {
  const type = localTypes(view).get(object);
  const structure = type === undefined ? undefined : structureNamed(view.model.root, type);
  const found = structure?.body
    .descendantsOfType("function_definition")
    .filter((node) => methodName(node) === name && parametersIn(node).length === given);
  const [definition, ...others] = found ?? [];
  if (structure === undefined || definition === undefined || others.length > 0) return undefined;
  if (definition.hasError || definition.parent?.type === "template_declaration") return undefined;
  return { definition, given: structure.types, object: { name: object, structure } };
}

function declaratorOf(definition: SyntaxNode): SyntaxNode | undefined {
  return definition.descendantsOfType("function_declarator")[0];
}

function methodName(definition: SyntaxNode): string {
  return compact(declaratorOf(definition)?.childForFieldName("declarator"));
}

function parametersIn(definition: SyntaxNode): readonly SyntaxNode[] {
  return partsOf(declaratorOf(definition)?.childForFieldName("parameters"));
}

function procedureFrom(definition: SyntaxNode, callee: Callee, isLast: boolean): Procedure | undefined {
  const body = definition.childForFieldName("body");
  const statements = partsOf(body);
  const parameters = parametersIn(definition).map(parameterOf);
  const known = parameters.flatMap((each) => each ?? []);
  if (body === null || body.type !== "compound_statement" || known.length < parameters.length)
    return undefined;
  if (body.descendantsOfType(unmovable).length > 0 || !isShort(body)) return undefined;
  const directives = statementsWithDirectives(body);
  const parts = returningParts(definition, statements, isLast);
  const plain = definition.childForFieldName("declarator")?.type === "function_declarator";
  if (!directives || parts === undefined || !plain || callsItself(definition, body)) return undefined;
  return { definition, parameters: known, given: callee.given, object: callee.object, ...parts };
}

type Parts = Pick<Procedure, "statements" | "ending" | "result">;

/** What a function does and what it returns; undefined where it returns in its middle. */
function returningParts(
  definition: SyntaxNode,
  statements: readonly SyntaxNode[],
  isLast: boolean,
): Parts | undefined {
  const result = plainType(fieldText(definition, "type"));
  // What ends the function ends the kernel, too, where that does nothing behind it.
  if (result === "void" && isLast) return { statements, ending: [], result: "" };
  const place = statements.findIndex((node) => node.descendantsOfType("return_statement").length > 0);
  const ending = place < 0 ? [] : statements.slice(place);
  const before = place < 0 ? statements : statements.slice(0, place);
  if (result === "void") return place < 0 ? { statements: before, ending, result: "" } : undefined;
  return isChain(ending) ? { statements: before, ending, result } : undefined;
}

function isShort(body: SyntaxNode): boolean {
  return (
    body.descendantsOfType(["expression_statement", "declaration", "if_statement", "for_statement"]).length <=
    STATEMENTS_MOST
  );
}

/** True where no directive stands in a body but those that ask for unrolling. */
function statementsWithDirectives(body: SyntaxNode): boolean {
  return (body.text.match(/^\s*#.*$/gm) ?? []).every((line) => /^\s*#\s*pragma\s+unroll\b/.test(line));
}

function callsItself(definition: SyntaxNode, body: SyntaxNode): boolean {
  const name = declaredName(definition);
  return name !== undefined && usesOf(body, name).length > 0;
}

/** `if (c) return a; … return b;`: a chain that ends in a value whichever way it goes. */
function isChain(ending: readonly SyntaxNode[]): boolean {
  const [first, ...rest] = ending;
  if (first?.type === "return_statement") return partsOf(first).length === 1 && rest.length === 0;
  if (first?.type !== "if_statement") return false;
  const taken = partsOfBranch(first.childForFieldName("consequence"));
  const other = first.childForFieldName("alternative");
  const otherwise = other === null ? rest : partsOfBranch(partsOf(other)[0] ?? null);
  return isChain(taken) && isChain(otherwise) && (other === null || rest.length === 0);
}

function partsOfBranch(node: SyntaxNode | null): readonly SyntaxNode[] {
  if (node === null) return [];
  return node.type === "compound_statement" ? partsOf(node) : [node];
}

/** The value of a chain as an expression, each part as `text` writes it. */
export function chainValue(
  ending: readonly SyntaxNode[],
  text: (node: SyntaxNode) => string,
): string | undefined {
  const [first, ...rest] = ending;
  if (first?.type === "return_statement") {
    const [value] = partsOf(first);
    return value && text(value);
  }
  const condition = first?.childForFieldName("condition")?.childForFieldName("value");
  if (first === undefined || !condition) return undefined;
  const other = first.childForFieldName("alternative");
  const taken = chainValue(partsOfBranch(first.childForFieldName("consequence")), text);
  const left = chainValue(other === null ? rest : partsOfBranch(partsOf(other)[0] ?? null), text);
  return taken === undefined || left === undefined
    ? undefined
    : `(${text(condition)}) ? (${taken}) : (${left})`;
}

function parameterOf(node: SyntaxNode): ProcedureParameter | undefined {
  const declarator = node.childForFieldName("declarator");
  const type = plainType(fieldText(node, "type"));
  if (node.type !== "parameter_declaration" || declarator === null || type === "auto") return undefined;
  if (declarator.type === "identifier") return { name: declarator.text, type, kind: "value" };
  if (declarator.type === "array_declarator") return arrayParameter(declarator, type);
  const [inner, ...more] = declarator.descendantsOfType("identifier");
  if (inner === undefined || more.length > 0 || inner.parent?.id !== declarator.id) return undefined;
  if (declarator.type === "reference_declarator") return { name: inner.text, type, kind: "reference" };
  return declarator.type === "pointer_declarator" ? { name: inner.text, type, kind: "pointer" } : undefined;
}

/** `float (*tile)[N]`, `float tile[][N]` and `float (&tile)[N][M]`. */
function arrayParameter(declarator: SyntaxNode, type: string): ProcedureParameter | undefined {
  let inner: SyntaxNode | null = declarator;
  while (inner !== null && inner.type !== "identifier") {
    const within: SyntaxNode | null = inner.childForFieldName("declarator");
    inner =
      within ??
      (/^(?:parenthesized|reference)_declarator$/.test(inner.type) ? (partsOf(inner)[0] ?? null) : null);
  }
  return inner === null ? undefined : { name: inner.text, type, kind: "array" };
}

/** Names that a function declares for itself. */
export function declaredIn(procedure: Pick<Procedure, "statements">): readonly string[] {
  return procedure.statements
    .flatMap((node) => node.descendantsOfType("declaration"))
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

/** Names of a structure's variables and functions. */
export function membersOf({ body }: Structure): ReadonlySet<string> {
  const fields = body.namedChildren.flatMap((child) =>
    child.type === "field_declaration" ? child.descendantsOfType("field_identifier") : [],
  );
  const functions = body.descendantsOfType("function_definition").map(methodName);
  return new Set([...fields.map(({ text }) => text), ...functions]);
}

/** True where no name of the function means something else in the kernel. */
function isSelfContained({ body, kernel }: KernelView, procedure: Procedure): boolean {
  const { parameters, object, given, definition } = procedure;
  const members = object === undefined ? [] : membersOf(object.structure);
  const own = new Set([
    ...parameters.map(({ name }) => name),
    ...declaredIn(procedure),
    ...members,
    ...given.keys(),
  ]);
  const { facts } = kernel;
  const inside = new Set([
    ...body
      .descendantsOfType("declaration")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
    ...[...facts.parameters, ...facts.templateParameters].map(({ name }) => name),
  ]);
  const inner = definition.childForFieldName("body") ?? definition;
  // A parameter that is itself changed is told apart from the argument by whoever writes it.
  const named = inner.descendantsOfType(["identifier", "type_identifier"]);
  return named.every(({ text }) => own.has(text) || !inside.has(text)) && !takesAddress(procedure);
}

/** True where the address of a parameter or of a member is taken: it could outlive the call. */
function takesAddress({ definition, parameters, object }: Procedure): boolean {
  const members = object === undefined ? new Set<string>() : membersOf(object.structure);
  const names = new Set([...parameters.map(({ name }) => name), ...members]);
  return changes(definition).some(
    ({ act, target }) =>
      act.type === "pointer_expression" && target.type === "identifier" && names.has(target.text),
  );
}
