import type { LaunchSite } from "../facts";
import { collapse, enclosing, fieldText, namesIn, partsOf, rangeOf, usesOf } from "../query";
import type { SyntaxNode } from "../tree";
import { parameterName } from "./names";

/** `kernel[grid](…)` with the nodes behind its facts. */
export interface TritonLaunch {
  readonly site: LaunchSite;
  readonly call: SyntaxNode;
  readonly grid: SyntaxNode | undefined;
  /** The Python function that launches. */
  readonly host: SyntaxNode | undefined;
  readonly positional: readonly SyntaxNode[];
  readonly keywords: ReadonlyMap<string, SyntaxNode>;
  /** An argument such as `*args`, behind which others may hide. */
  readonly splat: SyntaxNode | undefined;
}

/** Every `kernel[grid](arguments)` of a Python text, in source order. */
export function tritonLaunches(root: SyntaxNode): readonly TritonLaunch[] {
  return root.descendantsOfType("call").flatMap((call) => {
    const callee = call.childForFieldName("function");
    const value = callee?.type === "subscript" ? callee.childForFieldName("value") : null;
    if (!callee || !value || (value.type !== "identifier" && value.type !== "attribute")) return [];
    const attribute = value.childForFieldName("attribute")?.text;
    const kernel = value.type === "identifier" ? value.text : attribute;
    return kernel === undefined ? [] : [launchOf(call, callee, kernel)];
  });
}

/** Facts of the launches alone. */
export function findLaunchSites(root: SyntaxNode): readonly LaunchSite[] {
  return tritonLaunches(root).map(({ site }) => site);
}

function launchOf(call: SyntaxNode, callee: SyntaxNode, kernel: string): TritonLaunch {
  const host = enclosing(call, "function_definition");
  const scope = scopeOf(call);
  const subscripts = callee.childrenForFieldName("subscript");
  const [first, ...more] = subscripts;
  const grid =
    first !== undefined && more.length === 0
      ? gridOf(first, scope)
      : subscripts.map((node) => collapse(node.text));
  const written = partsOf(call.childForFieldName("arguments"));
  const given = written.flatMap((argument) => unpacked(argument, scope) ?? [argument]);
  const keywords = new Map(given.flatMap((argument) => keywordOf(argument) ?? []));
  const positional = given.filter((child) => keywordOf(child) === undefined);
  const keywordTexts = Object.fromEntries(
    [...keywords].map(([name, value]) => [name, collapse(value.text)] as const),
  );
  const passed = positional.map((child) => collapse(child.text));
  const hostParameters = host === undefined ? [] : parameterNames(host);
  const constants = neededConstants([...grid, ...Object.values(keywordTexts), ...passed], scope, [
    ...hostParameters,
    ...keywords.keys(),
  ]);
  const site: LaunchSite = {
    kernel,
    dialect: "triton",
    grid,
    block: [],
    arguments: passed,
    keywords: keywordTexts,
    templateArguments: [],
    constants,
    ...(host === undefined ? {} : { hostFunction: fieldText(host, "name") }),
    hostParameters,
    range: rangeOf(call),
  };
  const splat = given.find((node) => /splat/.test(node.type));
  return { site, call, grid: more.length === 0 ? first : undefined, host, positional, keywords, splat };
}

/** `name=value` of a call, or `"name": value` of a dictionary. */
function keywordOf(argument: SyntaxNode): readonly (readonly [string, SyntaxNode])[] | undefined {
  const pair = argument.type === "pair";
  if (argument.type !== "keyword_argument" && !pair) return undefined;
  const [name, value] = [
    argument.childForFieldName(pair ? "key" : "name"),
    argument.childForFieldName("value"),
  ];
  return name === null || value === null ? [] : [[name.text.replace(/["']/g, ""), value]];
}

function rootOf(node: SyntaxNode): SyntaxNode {
  return enclosing(node, "module") ?? node;
}

/**
 * What `**options` passes, where the name is bound to `dict(a=1)` or `{"a": 1}` for this call alone; its
 * entries may be read.
 */
function unpacked(
  argument: SyntaxNode,
  scope: ReadonlyMap<string, SyntaxNode>,
): readonly SyntaxNode[] | undefined {
  if (argument.type !== "dictionary_splat") return undefined;
  const [name] = argument.namedChildren;
  const bound = name?.type === "identifier" ? scope.get(name.text) : name;
  if (name?.type === "identifier" && !servesOneCall(name)) return undefined;
  const isCall = bound?.type === "call" && fieldText(bound, "function") === "dict";
  if (!bound || (bound.type !== "dictionary" && !isCall)) return undefined;
  const parts = partsOf(isCall ? bound.childForFieldName("arguments") : bound);
  const plain = (part: SyntaxNode): boolean =>
    part.type === "keyword_argument" || /^["']\w+["']$/.test(fieldText(part, "key"));
  return parts.every(plain) ? parts : undefined;
}

/** True for a name that is bound, unpacked once, and otherwise only read by its entries. */
function servesOneCall(name: SyntaxNode): boolean {
  return usesOf(rootOf(name), name.text).filter((use) => !isEntryRead(use)).length === 2;
}

/** `options["a"]` where it is read. */
function isEntryRead(use: SyntaxNode): boolean {
  const entry = use.parent;
  if (entry?.type !== "subscript" || entry.childForFieldName("value")?.id !== use.id) return false;
  return (
    !/assignment/.test(entry.parent?.type ?? "") || entry.parent?.childForFieldName("left")?.id !== entry.id
  );
}

/**
 * A tuple, a lambda over the meta-parameters, a name bound to either, or one expression. `meta["BLOCK"]`
 * becomes `BLOCK`.
 */
function gridOf(node: SyntaxNode, scope: ReadonlyMap<string, SyntaxNode>): readonly string[] {
  if (node.type === "identifier") {
    const bound = scope.get(node.text);
    return bound === undefined
      ? []
      : gridOf(bound, new Map([...scope].filter(([name]) => name !== node.text)));
  }
  if (node.type === "function_definition") {
    const returned = node.descendantsOfType("return_statement").at(-1)?.namedChildren[0];
    return returned === undefined ? [] : gridOf(returned, scope);
  }
  if (node.type === "parenthesized_expression" && node.namedChildren[0])
    return gridOf(node.namedChildren[0], scope);
  if (node.type === "lambda") {
    const body = node.childForFieldName("body");
    return body === null ? [] : gridOf(body, scope);
  }
  if (node.type === "tuple" || node.type === "list" || node.type === "expression_list") {
    return node.namedChildren
      .filter((child) => child.type !== "comment")
      .map((child) => withoutMeta(child.text));
  }
  return [withoutMeta(node.text)];
}

function withoutMeta(text: string): string {
  return collapse(text).replace(/\b\w+\[\s*["'](\w+)["']\s*\]/g, "$1");
}

/**
 * Names bound before the launch in its function, then at the top of the file. A name bound twice in a
 * function has no one value.
 */
function scopeOf(call: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const scope = new Map<string, SyntaxNode>();
  const host = enclosing(call, "function_definition");
  const module = enclosing(call, "module");
  for (const holder of [module, host]) {
    const bound = new Set<string>();
    for (const node of holder?.descendantsOfType([
      "assignment",
      "augmented_assignment",
      "function_definition",
    ]) ?? []) {
      if (node.id === host?.id || (holder === module && enclosing(node, "function_definition") !== undefined))
        continue;
      if (holder === host && node.startIndex >= call.startIndex) break;
      bind(scope, bound, node);
    }
  }
  return scope;
}

function bind(scope: Map<string, SyntaxNode>, bound: Set<string>, node: SyntaxNode): void {
  const name = (node.childForFieldName("name") ?? node.childForFieldName("left"))?.text ?? "";
  const value = node.type === "function_definition" ? node : node.childForFieldName("right");
  if (node.type === "augmented_assignment" || bound.has(name)) scope.delete(name);
  else if (value !== null && /^\w+$/.test(name)) scope.set(name, value);
  bound.add(name);
}

function neededConstants(
  expressions: readonly string[],
  scope: ReadonlyMap<string, SyntaxNode>,
  shadowed: readonly string[],
): Readonly<Record<string, string>> {
  const needed: Record<string, string> = {};
  const pending = expressions.flatMap(namesIn);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const value = scope.get(name);
    if (
      value === undefined ||
      value.type === "function_definition" ||
      value.type === "lambda" ||
      shadowed.includes(name) ||
      Object.hasOwn(needed, name)
    )
      continue;
    const text = collapse(value.text);
    needed[name] = text;
    pending.push(...namesIn(text));
  }
  return needed;
}

/** Names of a Python function's parameters, without stars and annotations. */
function parameterNames(definition: SyntaxNode): readonly string[] {
  const nodes = definition.childForFieldName("parameters")?.namedChildren ?? [];
  return nodes.map(parameterName).filter((name) => /^\w+$/.test(name));
}
