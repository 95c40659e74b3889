import { compact, enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { languageCalls, onlyAssignment, positional, type TritonView } from "../kernel";

/** An argument of a launch that follows the turn of the loop around it. */
interface Following {
  readonly parameter: string;
  readonly node: SyntaxNode;
  /** The tensor in `tensor[turn]`; undefined where the number of the turn itself is passed. */
  readonly tensor: string | undefined;
}

/** `for turn in range(count): kernel[grid](a[turn], b[turn], …)`, and nothing else in the loop. */
export interface BatchLoop {
  readonly loop: SyntaxNode;
  readonly count: SyntaxNode;
  readonly following: readonly Following[];
}

/** The loop of the host around a launch, whose turns may run beside each other; a guard's answer else. */
export function batchLoop(view: TritonView): BatchLoop | RuleHold {
  const { launch, host } = view;
  const loop = enclosing(launch.call, "for_statement");
  if (loop === undefined || !isInside(loop, host))
    return not("no-pattern", "the launch stands in no loop of the host", launch.call);
  const head = headOf(loop);
  if (head === undefined) return not("no-rewrite", "the loop around the launch does not count from 0", loop);
  const [first, second] = partsOf(loop.childForFieldName("body"));
  if (first?.type !== "expression_statement" || second !== undefined)
    return not("no-rewrite", "the loop does more than launch the kernel", second ?? loop);
  if (enclosing(loop, "for_statement", "while_statement") !== undefined)
    return not("no-rewrite", "the loop stands in another one", loop);
  const following = followingIn(view, head.turn);
  if ("kind" in following) return following;
  return dependence(view, following) ?? { loop, count: head.count, following };
}

/** `for turn in range(count)`, or from 0. */
function headOf(loop: SyntaxNode): { readonly turn: string; readonly count: SyntaxNode } | undefined {
  const [variable, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  const callee = range?.type === "call" ? compact(range.childForFieldName("function")) : "";
  if (variable?.type !== "identifier" || !range || callee !== "range") return undefined;
  const [first, second, step] = positional(range);
  if (step !== undefined || (second !== undefined && first?.text !== "0")) return undefined;
  const count = second ?? first;
  return count && { turn: variable.text, count };
}

function followingIn(view: TritonView, turn: string): readonly Following[] | RuleHold {
  const { launch, parameters } = view;
  const passed = [
    ...launch.positional.map((node, place) => ({ node, parameter: parameters[place] })),
    ...[...launch.keywords].map(([name, node]) => ({
      node,
      parameter: parameters.find((each) => each.name === name),
    })),
  ];
  const grid = launch.grid === undefined ? [] : usesOf(launch.grid, turn);
  if (grid.length > 0) return not("dependence", "the grid follows the turn of the loop", launch.call);
  const found: Following[] = [];
  for (const { node, parameter } of passed) {
    if (usesOf(node, turn).length === 0) continue;
    const tensor = elementOf(node, turn);
    const isNumber = node.type === "identifier";
    if (parameter === undefined || parameter.constexpr || (tensor === undefined && !isNumber))
      return not("no-rewrite", `${compact(node)} follows the turn in a way of its own`, node);
    found.push({ parameter: parameter.name, node, tensor });
  }
  return found.length === 0 ? not("dependence", "each turn launches the same", launch.call) : found;
}

/** The tensor of `tensor[turn]`. */
function elementOf(node: SyntaxNode, turn: string): string | undefined {
  const value = node.type === "subscript" ? node.childForFieldName("value") : null;
  const [only, ...more] = node.childrenForFieldName("subscript");
  const plain = value?.type === "identifier" && more.length === 0 && only?.text === turn;
  return plain ? value.text : undefined;
}

/** What one turn may leave for the next: a tensor that all turns store to, or one that is passed twice. */
function dependence(view: TritonView, following: readonly Following[]): RuleHold | undefined {
  const { launch, parameters } = view;
  for (const { name, pointer } of parameters) {
    if (!pointer || !isWritten(view, name)) continue;
    const own = following.find(({ parameter, tensor }) => parameter === name && tensor !== undefined);
    if (own === undefined) return not("dependence", `all turns store to ${name}`, launch.call);
    const arguments_ = launch.call.childForFieldName("arguments");
    if (arguments_ !== null && usesOf(arguments_, own.tensor ?? "").length > 1)
      return not("dependence", `${own.tensor ?? ""} is passed twice`, own.node);
  }
  return undefined;
}

function isWritten(view: TritonView, parameter: string): boolean {
  const names = new Set([parameter]);
  for (let before = 0; before !== names.size;) {
    before = names.size;
    for (const act of view.body.descendantsOfType("assignment")) {
      const [name, value] = [act.childForFieldName("left"), act.childForFieldName("right")];
      const loads = /\.load\(/.test(value?.text ?? "");
      const made = value?.descendantsOfType("identifier").some(({ text }) => names.has(text)) === true;
      if (name?.type === "identifier" && made && !loads) names.add(name.text);
    }
  }
  const writes = view.body
    .descendantsOfType("call")
    .filter((call) => /\.(?:store|atomic_\w+)$/.test(compact(call.childForFieldName("function"))));
  return writes.some((call) =>
    positional(call)[0]
      ?.descendantsOfType("identifier")
      .some(({ text }) => names.has(text)),
  );
}

/** True where a kernel asks for its place along an axis of the grid. */
export function asksForAxis(view: TritonView, axis: number): boolean {
  return languageCalls(view, ["program_id", "num_programs"]).some((call) => {
    const [given] = positional(call);
    const named = compact(call.childForFieldName("arguments"));
    return given?.text === String(axis) || named === `(axis=${axis})` || !/^\((?:axis=)?\d\)$/.test(named);
  });
}

/** The statement that makes a grid by name for the launch alone; undefined where it stands in the launch. */
export function gridStatement({ launch, host }: TritonView): SyntaxNode | undefined {
  const name = launch.grid?.type === "identifier" ? launch.grid.text : undefined;
  const made = name === undefined ? undefined : onlyAssignment(host, name);
  return made?.parent?.type === "expression_statement" ? made.parent : undefined;
}
