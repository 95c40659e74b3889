import type { LaunchSite } from "../facts";
import { collapse, enclosing, namesIn, rangeOf } from "../query";
import type { SyntaxNode } from "../tree";

/**
 * Every `kernel[grid](arguments)` of a Python text, in source order. `kernels` are the names that may be
 * launched; all when left out.
 */
export function findLaunchSites(root: SyntaxNode, kernels?: readonly string[]): readonly LaunchSite[] {
  const sites: LaunchSite[] = [];
  for (const call of root.descendantsOfType("call")) {
    const callee = call.childForFieldName("function");
    const value = callee?.type === "subscript" ? callee.childForFieldName("value") : null;
    if (!callee || !value || (value.type !== "identifier" && value.type !== "attribute")) continue;
    const kernel =
      value.type === "identifier" ? value.text : (value.childForFieldName("attribute")?.text ?? "");
    if (kernels === undefined || kernels.includes(kernel)) sites.push(launchSiteOf(call, callee, kernel));
  }
  return sites;
}

function launchSiteOf(call: SyntaxNode, callee: SyntaxNode, kernel: string): LaunchSite {
  const host = enclosing(call, "function_definition");
  const scope = scopeOf(call);
  const subscripts = callee.childrenForFieldName("subscript");
  const grid =
    subscripts.length === 1 && subscripts[0]
      ? gridOf(subscripts[0], scope)
      : subscripts.map((node) => collapse(node.text));
  const given = (call.childForFieldName("arguments")?.namedChildren ?? []).filter(
    (child) => child.type !== "comment",
  );
  const keywords = Object.fromEntries(
    given
      .filter((child) => child.type === "keyword_argument")
      .map((child) => [
        child.childForFieldName("name")?.text ?? "",
        collapse(child.childForFieldName("value")?.text ?? ""),
      ]),
  );
  const positional = given
    .filter((child) => child.type !== "keyword_argument")
    .map((child) => collapse(child.text));
  const hostParameters = host === undefined ? [] : parameterNames(host);
  const constants = neededConstants([...grid, ...Object.values(keywords), ...positional], scope, [
    ...hostParameters,
    ...Object.keys(keywords),
  ]);
  return {
    kernel,
    dialect: "triton",
    grid,
    block: [],
    arguments: positional,
    keywords,
    templateArguments: [],
    constants,
    ...(host === undefined ? {} : { hostFunction: host.childForFieldName("name")?.text ?? "" }),
    hostParameters,
    range: rangeOf(call),
  };
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
  return nodes
    .map((node) =>
      node.type === "identifier"
        ? node.text
        : ((node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? ""),
    )
    .filter((name) => /^\w+$/.test(name));
}
