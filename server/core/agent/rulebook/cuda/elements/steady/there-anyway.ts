import type { CudaAccess } from "../../../../../language/cuda/body/accesses";
import { changes } from "../../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";

const LOOPS = ["for_statement", "for_range_loop", "while_statement", "do_statement"];

/**
 * True where a thread that reaches the loop stores the element in any case, in a statement in front of the
 * loop or behind it: then it exists, whatever conditions the loop has.
 */
export function isStoredAnyway(
  loop: SyntaxNode,
  { node, indexNode, base }: CudaAccess,
  accesses: readonly CudaAccess[],
): boolean {
  const text = compact(node);
  const names = new Set([
    base,
    ...(indexNode?.descendantsOfType("identifier") ?? []).map((each) => each.text),
  ]);
  return accesses.some((each) => {
    if (!each.stores || compact(each.node) !== text || isInside(each.node, loop)) return false;
    const path = pathTo(loop, each.node);
    return path !== undefined && isReached(loop, path) && !isMoved(path, names);
  });
}

/** What runs from one statement of a block to another one of it; the loop stands in one of the two. */
interface Path {
  /** The statement that stores the element. */
  readonly store: SyntaxNode;
  /** The statement that is the loop, or that has it inside. */
  readonly around: SyntaxNode;
  /** All from the first to the last of the two but the store itself. */
  readonly parts: readonly SyntaxNode[];
}

/** The way between a store and the loop, where the store is a statement of a block that the loop is in. */
function pathTo(loop: SyntaxNode, access: SyntaxNode): Path | undefined {
  const store = enclosing(access, "expression_statement");
  const block = store?.parent;
  if (!store || block?.type !== "compound_statement" || !isInside(loop, block)) return undefined;
  const chosen = enclosing(access, "conditional_expression", "lambda_expression");
  const shortened = enclosing(access, "binary_expression");
  if ([chosen, shortened].some((node) => node !== undefined && isInside(node, store))) return undefined;
  const statements = partsOf(block);
  const around = statements.find((statement) => isInside(loop, statement));
  if (around === undefined) return undefined;
  const [first, last] = [store, around].sort((a, b) => a.startIndex - b.startIndex);
  const parts = statements.filter(
    (statement) =>
      statement.id !== store.id &&
      first !== undefined &&
      last !== undefined &&
      statement.startIndex >= first.startIndex &&
      statement.endIndex <= last.endIndex,
  );
  return { store, around, parts };
}

/** True where a thread that reaches the loop has passed the store before, or passes it afterwards. */
function isReached(loop: SyntaxNode, { store, around, parts }: Path): boolean {
  if (parts.some((part) => part.descendantsOfType(["goto_statement", "labeled_statement"]).length > 0))
    return false;
  // A label of a switch between the two would let threads come in behind the store.
  if (store.startIndex < around.startIndex) return !parts.some(({ type }) => type === "case_statement");
  const leaves = parts
    .flatMap((part) => part.descendantsOfType(["return_statement", "break_statement", "continue_statement"]))
    .filter((exit) => exit.endIndex > loop.startIndex);
  return leaves.every((exit) => {
    if (exit.type === "return_statement") return enclosing(exit, "lambda_expression") !== undefined;
    const left = enclosing(exit, ...LOOPS, ...(exit.type === "break_statement" ? ["switch_statement"] : []));
    return left !== undefined && parts.some((part) => isInside(left, part));
  });
}

/** True where the index or the pointer may stand for something else on the way. */
function isMoved({ store, parts }: Path, names: ReadonlySet<string>): boolean {
  const way = [...parts, store];
  const changed = way.flatMap((part) => changes(part)).map(({ target }) => target);
  const members = changed.map((target) => memberOf(target));
  const declared = parts.flatMap((part) => [
    ...(part.type === "declaration" ? [part] : []),
    ...part.descendantsOfType("declaration"),
  ]);
  const anew = declared
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .map((each) => each.descendantsOfType("identifier")[0] ?? each);
  return [...members, ...anew].some(({ text }) => names.has(text));
}

/** The structure that a member is changed of; any other target as it is. */
function memberOf(target: SyntaxNode): SyntaxNode {
  if (target.type !== "field_expression" && target.type !== "parenthesized_expression") return target;
  const inner = target.childForFieldName("argument") ?? target.namedChildren[0];
  return inner ? memberOf(inner) : target;
}
