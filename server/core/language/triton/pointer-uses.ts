import { fieldText, namesIn } from "../query";
import type { SyntaxNode } from "../tree";
import type { TritonNames } from "./names";

interface PointerUses {
  readonly loaded: ReadonlySet<string>;
  readonly stored: ReadonlySet<string>;
}

/**
 * Which parameters reach the first argument of `tl.load`, `tl.store` and the atomics. Locals are followed
 * through their assignments, so `row = x + pid * n; tl.load(row + offsets)` counts as a load of x. Offsets
 * flow into addresses as well; a parameter is taken for a pointer only when it is a whole term of the address
 * or of what the address was made from: `p + a * b` has the terms `p` and `a * b`.
 */
export function pointerUses(
  body: SyntaxNode,
  parameters: readonly string[],
  canonical: TritonNames["canonical"],
): PointerUses {
  const known = new Set(parameters);
  const terms = assignedTerms(body);
  const scalars = scalarNames(body);
  const loaded = new Set<string>();
  const stored = new Set<string>();
  for (const call of body.descendantsOfType("call")) {
    const callee = fieldText(call, "function");
    const method =
      /^(?:tl|language|triton\.language)\.(load|store|atomic_\w+|make_block_ptr|make_tensor_descriptor)$/.exec(
        canonical(callee) ?? callee,
      )?.[1];
    const first = addressArgument(call);
    if (method === undefined || first === undefined) continue;
    const reached = likelyPointers(
      [...rootsOf(first, terms)].filter((name) => known.has(name) && !scalars.has(name)),
    );
    for (const name of reached) {
      if (method === "load") loaded.add(name);
      else if (method === "store" || method.startsWith("atomic")) stored.add(name);
      else (isStoredThrough(body, call) ? stored : loaded).add(name);
    }
  }
  return { loaded, stored };
}

/**
 * An address is made from one pointer: the one that is named so, else the one that stands first; the others
 * are offsets.
 */
function likelyPointers(reached: readonly string[]): readonly string[] {
  const named = reached.filter((name) => /ptr|pointer/i.test(name));
  return named.length > 0 ? named : reached.slice(0, 1);
}

function addressArgument(call: SyntaxNode): SyntaxNode | undefined {
  const first = call.childForFieldName("arguments")?.namedChildren.find((child) => child.type !== "comment");
  return first?.type === "keyword_argument" ? (first.childForFieldName("value") ?? undefined) : first;
}

/** `name = tl.make_block_ptr(…)` that a later `tl.store(name, …)` or `name.store(…)` uses. */
function isStoredThrough(body: SyntaxNode, call: SyntaxNode): boolean {
  const assignment = call.parent;
  const name = assignment?.type === "assignment" ? assignment.childForFieldName("left")?.text : undefined;
  if (name === undefined) return false;
  return body.descendantsOfType("call").some((other) => {
    const callee = fieldText(other, "function");
    return callee === `${name}.store` || (/\.store$/.test(callee) && addressArgument(other)?.text === name);
  });
}

/** Each local with the address terms that were ever assigned or added to it. */
function assignedTerms(body: SyntaxNode): ReadonlyMap<string, readonly SyntaxNode[]> {
  const terms = new Map<string, SyntaxNode[]>();
  for (const assignment of body.descendantsOfType(["assignment", "augmented_assignment"])) {
    const left = assignment.childForFieldName("left");
    const right = assignment.childForFieldName("right");
    if (left?.type === "identifier" && right)
      terms.set(left.text, [...(terms.get(left.text) ?? []), ...termsOf(right)]);
  }
  return terms;
}

/** Whole terms of a sum. */
function termsOf(expression: SyntaxNode): readonly SyntaxNode[] {
  if (expression.type === "parenthesized_expression") return expression.namedChildren.flatMap(termsOf);
  if (expression.type !== "binary_operator" || !/^[+-]$/.test(fieldText(expression, "operator")))
    return [expression];
  return [expression.childForFieldName("left"), expression.childForFieldName("right")].flatMap((side) =>
    side === null ? [] : termsOf(side),
  );
}

function rootsOf(
  address: SyntaxNode,
  terms: ReadonlyMap<string, readonly SyntaxNode[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...termsOf(address)];
  for (let term = pending.shift(); term !== undefined; term = pending.shift()) {
    if (term.type === "identifier" && !reached.has(term.text)) {
      reached.add(term.text);
      pending.push(...(terms.get(term.text) ?? []));
    } else if (term.type === "call" && /\.to$/.test(fieldText(term, "function"))) {
      const object = term.childForFieldName("function")?.childForFieldName("object");
      if (object) pending.push(...termsOf(object));
    }
  }
  return reached;
}

/**
 * Names that are multiplied, compared or used as a bound of a range anywhere: sizes and strides, never
 * pointers.
 */
function scalarNames(body: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of body.descendantsOfType(["binary_operator", "comparison_operator", "call"])) {
    if (node.type === "call") {
      if (/(^|\.)(range|cdiv|static_range)$/.test(fieldText(node, "function")))
        addNames(names, node.childForFieldName("arguments"));
    } else if (node.type === "comparison_operator" || !/^[+-]$/.test(fieldText(node, "operator"))) {
      for (const child of node.namedChildren) if (child.type === "identifier") names.add(child.text);
    }
  }
  return names;
}

function addNames(names: Set<string>, node: SyntaxNode | null): void {
  for (const name of namesIn(node?.text ?? "")) names.add(name);
}
