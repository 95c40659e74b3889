import { fieldText } from "../query";
import type { SyntaxNode } from "../tree";

/** Names of a function's body, with what they are given. */
export interface ValueScope {
  readonly body: SyntaxNode;
  /** The kernel's pointers; inside of other functions none. */
  readonly pointers: ReadonlySet<string>;
  /** What is assigned to each name, or to elements of it; whole assignments of `s += x`. */
  readonly assigned: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Arguments of a call, by the parameters of the function. */
  readonly bound: ReadonlyMap<string, BoundValue>;
  /** How many calls lead here. */
  readonly depth: number;
}

/** An expression in the words of another function. */
interface BoundValue {
  readonly node: SyntaxNode;
  readonly scope: ValueScope;
}

/** The scope of a body. */
export function valueScope(
  body: SyntaxNode,
  {
    pointers = [],
    bound = new Map(),
    depth = 0,
  }: {
    readonly pointers?: readonly string[];
    readonly bound?: ReadonlyMap<string, BoundValue>;
    readonly depth?: number;
  },
): ValueScope {
  const assigned = new Map<string, SyntaxNode[]>();
  const note = (target: SyntaxNode | null, value: SyntaxNode | null): void => {
    const name = target === null ? undefined : baseName(target);
    if (name !== undefined && value !== null) assigned.set(name, [...(assigned.get(name) ?? []), value]);
  };
  for (const node of body.descendantsOfType(["init_declarator"]))
    note(node.childForFieldName("declarator"), node.childForFieldName("value"));
  for (const node of body.descendantsOfType(["assignment_expression", "assignment", "augmented_assignment"]))
    note(
      node.childForFieldName("left"),
      fieldText(node, "operator").length > 1 ? node : node.childForFieldName("right"),
    );
  return { body, pointers: new Set(pointers), assigned, bound, depth };
}

/** The name that an assignment changes, itself, an element or a member of it. */
function baseName(target: SyntaxNode): string | undefined {
  if (/^(?:identifier|field_identifier)$/.test(target.type)) return target.text;
  const [inner] = target.namedChildren;
  return inner === undefined || /tuple|list/.test(target.type) ? undefined : baseName(inner);
}

/** The pointer of the kernel that an address leads into: `x`, `x + i`, `&x[i]`, or a name for one. */
export function pointerOf(
  node: SyntaxNode,
  scope: ValueScope,
  open: ReadonlySet<string> = new Set(),
): string | undefined {
  if (node.type === "identifier") {
    if (scope.pointers.has(node.text)) return node.text;
    const bound = scope.bound.get(node.text);
    if (bound !== undefined) return pointerOf(bound.node, bound.scope);
    if (open.has(node.text)) return undefined;
    const inner = new Set([...open, node.text]);
    return firstOf(scope.assigned.get(node.text) ?? [], (each) => pointerOf(each, scope, inner));
  }
  if (/^(?:binary_expression|binary_operator)$/.test(node.type) && fieldText(node, "operator") !== "+")
    return undefined;
  if (/^call/.test(node.type)) return undefined;
  return firstOf(node.namedChildren.slice(0, 2), (each) => pointerOf(each, scope, open));
}

function firstOf<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const found = ask(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
