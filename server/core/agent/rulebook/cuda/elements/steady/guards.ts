import type { CudaAccess } from "../../../../../language/cuda/body/accesses";
import { changes, isPure, localValues } from "../../../../../language/cuda/body/scope";
import { compact, enclosing, isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";

/** Types whose zero is written `0`. */
const scalar =
  /^(?:(?:unsigned|signed) )?(?:float|double|int|unsigned|short|char|long|long long|u?int\d+_t)$/;

/** The conditions of the loop under which alone the element is touched, from the inside out. */
export function guardsOfAll(loop: SyntaxNode, same: readonly CudaAccess[]): readonly SyntaxNode[] {
  const guards: SyntaxNode[] = [];
  const [first] = same;
  for (
    let at = first && enclosing(first.node, "if_statement");
    at && isInside(at, loop);
    at = enclosing(at, "if_statement")
  ) {
    const [statement, condition] = [at, at.childForFieldName("condition")];
    const all = same.every(
      ({ node }) => isInside(node, statement) && !(condition && isInside(node, condition)),
    );
    if (all && condition) guards.push(condition);
  }
  return guards;
}

/** True for a condition on what the element's index is made of, by itself or through locals. */
export function comparesIndex(
  { body }: KernelView,
  condition: SyntaxNode,
  same: readonly CudaAccess[],
): boolean {
  const direct = same.flatMap(({ indexNode }) => (indexNode === undefined ? [] : namesIn(indexNode)));
  const locals = new Set(localValues(body).map(({ name }) => name));
  const behind = [...namesBehind(body, direct)].filter((name) => locals.has(name));
  const names = new Set([...direct, ...behind]);
  return [...namesBehind(body, namesIn(condition))].some((name) => names.has(name));
}

/** The names and those of the values that locals of these names are given, and so on. */
function namesBehind(body: SyntaxNode, names: readonly string[]): ReadonlySet<string> {
  const values = localValues(body);
  const found = new Set(names);
  for (const name of found)
    for (const local of values)
      if (local.name === name) namesIn(local.value).forEach((each) => found.add(each));
  return found;
}

/** Names of a text, those left out by which it takes an element of something. */
function namesIn(node: SyntaxNode): readonly string[] {
  const isIndex = (name: SyntaxNode): boolean => {
    const list = enclosing(name, "subscript_argument_list");
    return list !== undefined && list.id !== node.id && isInside(list, node);
  };
  return node
    .descendantsOfType("identifier")
    .filter((name) => !isIndex(name))
    .map(({ text }) => text);
}

/**
 * The conditions on the element's index as one that can stand around the loop as well, since each turn finds
 * them the same. Undefined where one is not, or the element's type has no plain zero.
 */
export function carriedGuard(
  view: KernelView,
  {
    loop,
    same,
    type,
  }: { readonly loop: SyntaxNode; readonly same: readonly CudaAccess[]; readonly type: string },
): string | undefined {
  const guards = guardsOfAll(loop, same).filter((each) => comparesIndex(view, each, same));
  const areSteady = guards.every(
    (each) => isPure(each) && compact(each).indexOf("[") < 0 && areKept(loop, namesIn(each)),
  );
  if (guards.length === 0 || !areSteady || !scalar.test(type)) return undefined;
  const texts = guards.toReversed().map(withoutParentheses);
  return texts.length === 1
    ? texts[0]
    : texts.map((text) => (/^\w+$/.test(text) ? text : `(${text})`)).join(" && ");
}

function withoutParentheses(condition: SyntaxNode): string {
  const [inner, ...more] = condition.namedChildren;
  return inner && more.length === 0 ? inner.text : condition.text;
}

/** True where no turn of a loop declares or changes a variable of these names. */
export function areKept(loop: SyntaxNode, names: readonly string[]): boolean {
  const own = new Set([
    ...localValues(loop).map(({ name }) => name),
    ...changes(loop).map(({ target }) => target.text),
    ...loop.descendantsOfType("declaration").flatMap(declaredIn),
  ]);
  return names.every((name) => !own.has(name));
}

function declaredIn(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}
