import { enclosing, partsOf } from "../../../../language/query";
import type { TritonModel } from "../../../../language/triton/model";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";

/** Where a configuration is looked for: names that loops around it give, with their first values. */
interface Scope {
  readonly bound: ReadonlyMap<string, SyntaxNode>;
  /** Steps from list to list that are left. */
  readonly depth: number;
}

/** Values that stand for themselves. */
const literals = new Set(["integer", "float", "string", "true", "false", "none", "unary_operator"]);

/**
 * The configuration that an autotuner's list begins with, on one line and with its values written out, where
 * the list is made by a function of the file, by loops or by a name; undefined where a condition decides.
 */
export function firstWrittenOut(model: TritonModel, source: string, list: SyntaxNode): string | undefined {
  const found = firstIn(model, list, { bound: new Map(), depth: 8 });
  if (found === undefined) return undefined;
  const { call, bound } = found;
  const values = call
    .descendantsOfType(["pair", "keyword_argument"])
    .flatMap((entry) => entry.childForFieldName("value") ?? [])
    .filter(({ type }) => type !== "dictionary");
  const known = values.map((value) => ({ value, literal: literalOf(value, bound) }));
  const [first] = partsOf(call.childForFieldName("arguments"));
  const spelled = first?.type === "dictionary" || first?.type === "keyword_argument";
  if (!spelled || known.some(({ literal }) => literal === undefined)) return undefined;
  const said = call.descendantsOfType("comment").map((comment) => replaceNode(comment, ""));
  const edits = known.flatMap(({ value, literal }) =>
    literal === undefined ? [] : [replaceNode(value, literal.text)],
  );
  const text = editedText(source, { start: call.startIndex, end: call.endIndex }, [...edits, ...said]);
  return text
    .replace(/\s*\n\s*/g, " ")
    .replace(/([({[]) /g, "$1")
    .replace(/,? ([)}\]])/g, "$1");
}

interface Found {
  readonly call: SyntaxNode;
  readonly bound: Scope["bound"];
}

/** What holds configurations one after the other. */
const sequences = new Set(["list", "tuple", "list_splat", "parenthesized_expression"]);

function firstIn(model: TritonModel, node: SyntaxNode, scope: Scope): Found | undefined {
  if (scope.depth === 0) return undefined;
  const next = { ...scope, depth: scope.depth - 1 };
  const [first] = partsOf(node);
  const joins = node.type === "binary_operator" && node.childForFieldName("operator")?.text === "+";
  if (sequences.has(node.type) || joins) return first && firstIn(model, first, next);
  if (node.type === "list_comprehension" || node.type === "generator_expression")
    return firstOfComprehension(model, node, next);
  if (node.type === "call") return firstOfCall(model, node, next);
  return node.type === "identifier" ? firstOfName(model, node, next) : undefined;
}

function firstOfName(model: TritonModel, name: SyntaxNode, scope: Scope): Found | undefined {
  const assigned = assignedTo(name);
  const filledLater = assigned?.type === "list" && partsOf(assigned).length === 0;
  return filledLater ? firstAppended(model, name, scope) : assigned && firstIn(model, assigned, scope);
}

function firstOfCall(model: TritonModel, call: SyntaxNode, scope: Scope): Found | undefined {
  const callee = call.childForFieldName("function");
  if (model.names.is(callee, "Config")) return { call, bound: scope.bound };
  const given = partsOf(call.childForFieldName("arguments"));
  const [only] = given;
  if (/^(?:list|tuple)$/.test(callee?.text ?? "") && only !== undefined && given.length === 1)
    return firstIn(model, only, scope);
  const definition = model.root
    .descendantsOfType("function_definition")
    .find((node) => node.childForFieldName("name")?.text === callee?.text);
  const result = definition && given.length === 0 ? resultOf(definition) : undefined;
  return result && firstIn(model, result, scope);
}

/** What a function returns on a GPU of NVIDIA; undefined where other conditions decide. */
function resultOf(definition: SyntaxNode): SyntaxNode | undefined {
  const returns = definition.descendantsOfType("return_statement");
  const here = returns.find((node) => {
    const branch = enclosing(node, "if_statement", "elif_clause", "else_clause");
    return branch?.type === "if_statement" && isCuda(branch.childForFieldName("condition")?.text ?? "");
  });
  const [only, ...more] = returns;
  const plain = more.length === 0 && only && !isDecided(only, definition) ? only : undefined;
  const [value] = partsOf(here ?? plain);
  return value;
}

function isCuda(condition: string): boolean {
  return /^(?:\w+\.)*is_cuda\(\)$|^not (?:\w+\.)*is_hip\(\)$/.test(condition);
}

/** True where a condition between a node and what holds it decides whether the node counts. */
function isDecided(node: SyntaxNode, holder: SyntaxNode): boolean {
  const branch = enclosing(
    node,
    "if_statement",
    "while_statement",
    "try_statement",
    "with_statement",
    "conditional_expression",
  );
  return branch !== undefined && branch.startIndex > holder.startIndex;
}

function firstOfComprehension(model: TritonModel, node: SyntaxNode, scope: Scope): Found | undefined {
  const clauses = node.namedChildren.filter(({ type }) => /_clause$/.test(type));
  if (clauses.some(({ type }) => type !== "for_in_clause")) return undefined;
  const body = node.childForFieldName("body");
  const bound = boundBy(clauses, scope.bound);
  return body && bound ? firstIn(model, body, { ...scope, bound }) : undefined;
}

/** `configs.append(…)` for the first time, in loops alone. */
function firstAppended(model: TritonModel, name: SyntaxNode, scope: Scope): Found | undefined {
  const holder = enclosing(name, "function_definition") ?? model.root;
  const call = holder
    .descendantsOfType("call")
    .find((each) => each.childForFieldName("function")?.text === `${name.text}.append`);
  const [given] = partsOf(call?.childForFieldName("arguments"));
  if (call === undefined || given === undefined || isDecided(call, holder)) return undefined;
  const loops: SyntaxNode[] = [];
  for (let loop = enclosing(call, "for_statement"); loop; loop = enclosing(loop, "for_statement"))
    loops.unshift(loop);
  const bound = boundBy(loops, scope.bound);
  return bound && firstIn(model, given, { ...scope, bound });
}

/** The first values of the names that loops give, the outermost first. */
function boundBy(loops: readonly SyntaxNode[], before: Scope["bound"]): Scope["bound"] | undefined {
  const bound = new Map(before);
  for (const loop of loops) {
    const [left, right] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
    const names = left?.type === "identifier" ? [left] : partsOf(left);
    const values = right && firstValues(right, names.length);
    if (values?.length !== names.length) return undefined;
    for (const [place, name] of names.entries()) bound.set(name.text, values[place] ?? name);
  }
  return bound;
}

/** What `a, b` are in the first turn over `[(1, 2), …]`, `product((1, …), (2, …))` or a name of such. */
function firstValues(sequence: SyntaxNode, count: number): readonly SyntaxNode[] | undefined {
  const written = sequence.type === "identifier" ? (assignedTo(sequence) ?? sequence) : sequence;
  const isProduct = /^(?:itertools\.)?product$/.test(written.childForFieldName("function")?.text ?? "");
  if (written.type === "call" && isProduct) {
    const firsts = partsOf(written.childForFieldName("arguments")).map((each) => firstValues(each, 1)?.[0]);
    return firsts.every((first) => first !== undefined) ? firsts : undefined;
  }
  const [first] = /^(?:list|tuple|set)$/.test(written.type) ? partsOf(written) : [];
  if (first === undefined || written.type === "set") return undefined;
  return count === 1 && first.type !== "tuple" && first.type !== "list" ? [first] : partsOf(first);
}

/** What a name is given once, in its function or else in the file. */
function assignedTo(name: SyntaxNode): SyntaxNode | undefined {
  const own = enclosing(name, "function_definition");
  const within = own && givenIn(own, name.text);
  if (within?.length) return within.length === 1 ? (within[0] ?? undefined) : undefined;
  const root = enclosing(name, "module");
  const [value, ...more] = (root ? givenIn(root, name.text) : []).filter(
    (node) => enclosing(node, "function_definition") === undefined,
  );
  return more.length === 0 ? value : undefined;
}

function givenIn(scope: SyntaxNode, name: string): readonly SyntaxNode[] {
  return scope
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((node) => node.childForFieldName("left")?.text === name)
    .flatMap((node) => node.childForFieldName("right") ?? []);
}

function literalOf(node: SyntaxNode, bound: Scope["bound"]): SyntaxNode | undefined {
  const value = node.type === "identifier" ? (bound.get(node.text) ?? assignedTo(node)) : node;
  if (value === undefined) return undefined;
  if (value.type === "identifier" && value.id !== node.id) return literalOf(value, bound);
  return literals.has(value.type) ? value : undefined;
}
