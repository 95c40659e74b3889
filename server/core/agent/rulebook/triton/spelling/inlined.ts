import { enclosing, partsOf, usesOf } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isMemberName } from "../fusing/renaming";

/** A function that prepares launches: statements in a row, and what it returns at their end. */
export interface Wrapper {
  readonly definition: SyntaxNode;
  readonly name: string;
  readonly statements: readonly SyntaxNode[];
  /** Undefined where it returns nothing. */
  readonly result: SyntaxNode | undefined;
  /** Parameters that only the compiler knows: what is passed is written in their place. */
  readonly constants: ReadonlySet<string>;
}

/** Reads a function of the host that can be written where it is called; undefined where it cannot. */
export function wrapperOf(definition: SyntaxNode): Wrapper | undefined {
  const plain = enclosing(definition, "decorated_definition") === undefined;
  const wrapper = plain ? straightFunction(definition) : undefined;
  return wrapper?.result === undefined ? undefined : wrapper;
}

/** The same of a function that kernels call, which may return nothing. */
export function straightFunction(definition: SyntaxNode): Wrapper | undefined {
  const body = definition.childForFieldName("body");
  const name = definition.childForFieldName("name")?.text;
  const parts = partsOf(body).filter((part) => !isDocumentation(part));
  const last = parts.at(-1);
  const [result] = last?.type === "return_statement" ? partsOf(last) : [];
  const returns = definition.descendantsOfType("return_statement").length;
  const nested = definition.descendantsOfType(["function_definition", "yield", "await"]).length > 1;
  const inside = enclosing(definition, "class_definition", "function_definition");
  const odd = parametersOf(definition).some(({ type }) => /splat/.test(type));
  if (name === undefined || returns > 1 || nested || inside || odd) return undefined;
  if (returns === 1 && result === undefined) return undefined;
  const statements = result === undefined ? parts : parts.slice(0, -1);
  return { definition, name, statements, result, constants: constantsOf(definition) };
}

function constantsOf(definition: SyntaxNode): ReadonlySet<string> {
  const constants = parametersOf(definition).filter(({ text }) => /:\s*(?:\w+\.)*constexpr\b/.test(text));
  return new Set(constants.map(parameterName));
}

/** Without the mark behind which arguments are named. */
function parametersOf(definition: SyntaxNode): readonly SyntaxNode[] {
  return partsOf(definition.childForFieldName("parameters")).filter(({ type }) => !/separator/.test(type));
}

function isDocumentation(statement: SyntaxNode): boolean {
  return statement.type === "expression_statement" && partsOf(statement)[0]?.type === "string";
}

/** A function written where it is called. */
interface Inlined {
  readonly edits: readonly TextEdit[];
  /** The rows of the file that the inserted lines come from, in order; undefined for new ones. */
  readonly rows: readonly (number | undefined)[];
}

/** The function's statements in front of the call's, and its result in the place of the call. */
export function inlinedEdits(source: string, wrapper: Wrapper, call: SyntaxNode): Inlined | undefined {
  const statement = enclosing(call, "expression_statement", "return_statement");
  const host = enclosing(call, "function_definition");
  const given = argumentsOf(wrapper, call);
  if (statement === undefined || host === undefined || given === undefined) return undefined;
  if (wrapper.result === undefined && call.parent?.id !== statement.id) return undefined;
  const target = targetOf(wrapper, { call, statement, host });
  const { names, opening } = namesFor(source, { wrapper, host, given, target });
  const indent = indentOf(source, statement);
  const own = wrapper.statements[0];
  const inner = own === undefined ? indent : indentOf(source, own);
  const lines = wrapper.statements.map((part) =>
    renamedText(source, part, names).replaceAll(`\n${inner}`, `\n${indent}`),
  );
  const all = [...opening, ...lines];
  const rows = [...opening.map(() => undefined), ...wrapper.statements.flatMap(rowsOf)];
  if (target !== undefined || wrapper.result === undefined) {
    const text = all.join(`\n${indent}`);
    return { edits: [{ start: statement.startIndex, end: statement.endIndex, text }], rows };
  }
  const result = renamedText(source, wrapper.result, names);
  const atom =
    /^[\w.]+$/.test(result) || call.parent?.id === statement.id || call.parent?.type === "assignment";
  const text = all.map((line) => `${line}\n${indent}`).join("");
  const edits = [
    { start: statement.startIndex, end: statement.startIndex, text },
    replaceNode(call, atom ? result : `(${result})`),
  ];
  return { edits, rows: [...rows, wrapper.result.startPosition.row] };
}

function rowsOf({ startPosition, endPosition }: SyntaxNode): readonly number[] {
  return Array.from({ length: endPosition.row - startPosition.row + 1 }, (_, at) => startPosition.row + at);
}

interface Called {
  readonly call: SyntaxNode;
  readonly statement: SyntaxNode;
  readonly host: SyntaxNode;
}

/** The name that a call's result is given to, where the function has a name of its own for it. */
function targetOf(wrapper: Wrapper, { call, statement, host }: Called): string | undefined {
  const [assignment] = partsOf(statement);
  const left = assignment?.type === "assignment" ? assignment.childForFieldName("left") : undefined;
  const whole = assignment?.childForFieldName("right")?.id === call.id;
  const { result } = wrapper;
  if (left?.type !== "identifier" || !whole || result?.type !== "identifier") return undefined;
  const known = usesOf(host, left.text).some((use) => use.startIndex < statement.startIndex);
  const passed = usesOf(call, left.text).length > 0;
  const own = boundIn(wrapper).includes(result.text);
  return own && !known && !passed ? left.text : undefined;
}

/** What a call gives each parameter; undefined where it unpacks arguments. */
function argumentsOf({ definition }: Wrapper, call: SyntaxNode): ReadonlyMap<string, string> | undefined {
  const parameters = parametersOf(definition);
  const given = partsOf(call.childForFieldName("arguments"));
  if (given.some((node) => /splat/.test(node.type))) return undefined;
  const keywords = new Map(
    given
      .filter((node) => node.type === "keyword_argument")
      .map((node) => [
        node.childForFieldName("name")?.text ?? "",
        node.childForFieldName("value")?.text ?? "",
      ]),
  );
  const positional = given.filter((node) => node.type !== "keyword_argument");
  const found = new Map<string, string>();
  for (const [place, parameter] of parameters.entries()) {
    const name = parameterName(parameter);
    const text = keywords.get(name) ?? positional[place]?.text ?? parameter.childForFieldName("value")?.text;
    if (text === undefined) return undefined;
    found.set(name, text);
  }
  return found;
}

interface Naming {
  readonly wrapper: Wrapper;
  readonly host: SyntaxNode;
  readonly given: ReadonlyMap<string, string>;
  /** What the result is called. */
  readonly target: string | undefined;
}

/**
 * What the function's names are called where it is called, and the statements that give parameters values.
 */
function namesFor(source: string, { wrapper, host, given, target }: Naming) {
  const names = new Map<string, string>();
  if (target !== undefined && wrapper.result !== undefined) names.set(wrapper.result.text, target);
  const opening: string[] = [];
  const bound = boundIn(wrapper);
  for (const [name, text] of given) {
    const kept = !bound.includes(name) && /^[\w.]+$/.test(text);
    if (kept) names.set(name, text);
    else if (wrapper.constants.has(name)) names.set(name, `(${text})`);
    else {
      const fresh = nameIn(source, host, names, name);
      names.set(name, fresh);
      opening.push(`${fresh} = ${text}`);
    }
  }
  for (const name of bound) if (!names.has(name)) names.set(name, nameIn(source, host, names, name));
  return { names, opening };
}

function nameIn(source: string, host: SyntaxNode, names: ReadonlyMap<string, string>, name: string): string {
  const taken = [...names.values()].includes(name) || usesOf(host, name).length > 0;
  return taken ? freshName(`${source} ${[...names.values()].join(" ")}`, name) : name;
}

function boundIn({ statements }: Wrapper): readonly string[] {
  const names = statements.flatMap((statement) =>
    statement
      .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
      .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
      .filter((node) => !isMemberName(node))
      .map(({ text }) => text),
  );
  return [...new Set(names)];
}

function renamedText(source: string, node: SyntaxNode, names: ReadonlyMap<string, string>): string {
  const edits = node.descendantsOfType("identifier").flatMap((use) => {
    const name = names.get(use.text);
    return name === undefined || name === use.text || isMemberName(use) ? [] : [replaceNode(use, name)];
  });
  return editedText(source, { start: node.startIndex, end: node.endIndex }, edits);
}
