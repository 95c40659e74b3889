import type { ParameterFacts } from "../../../../language/facts";
import { compact, enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { languageCalls, onlyAssignment, positional, type TritonView } from "../kernel";
import { type LoopBody, loopBody } from "./loop-body";
import { askedOfFirst, followsTurn, numberOf, type TurnNames, type TurnView, viewOf } from "./turn-values";
import { type Turn, turnOf } from "./turns";

/** An argument of a launch that follows the turn of the loop around it. */
interface Following {
  readonly parameter: string;
  readonly node: SyntaxNode;
  /** Where the argument is a part of a larger tensor: which. */
  readonly view?: TurnView;
  /** Where it is the number of the turn: of which loop. */
  readonly turn?: Turn;
  /** Where it is the same for all turns: that, in the host's words. */
  readonly same?: string;
  /** Where it is another number in each turn: that, in words of the loop. */
  readonly number?: string;
}

/** Loops of the host around a launch, and nothing else in them that would not work for all turns at once. */
export interface BatchLoop {
  /** Outermost first. */
  readonly turns: readonly Turn[];
  readonly body: LoopBody;
  readonly following: readonly Following[];
}

/** The loops of the host around a launch, whose turns may run beside each other; a guard's answer else. */
export function batchLoop(view: TritonView): BatchLoop | RuleHold {
  const batch = readLoops(view, loopsAround(view), []);
  if ("kind" in batch) return batch;
  if (batch.following.every(({ same }) => same !== undefined))
    return not("dependence", "each turn launches the same", view.launch.call);
  return dependence(view, batch) ?? batch;
}

/**
 * The same loops whose turns may follow each other; `known` are statements of theirs that are read elsewhere.
 */
export function readLoops(
  view: TritonView,
  loops: readonly SyntaxNode[],
  known: readonly SyntaxNode[],
): BatchLoop | RuleHold {
  const { launch, host, source } = view;
  const statement = launch.call.parent;
  if (loops.length === 0 || statement === null)
    return not("no-pattern", "the launch stands in no loop of the host", launch.call);
  const turns = turnsOf(loops);
  if ("kind" in turns) return turns;
  const own = loops.at(-1)?.childForFieldName("body");
  if (statement.type !== "expression_statement" || statement.parent?.id !== own?.id)
    return not("no-rewrite", "the loop does more than launch the kernel", launch.call);
  const body = loopBody({ source, host, turns, statement, known });
  if ("kind" in body) return body;
  const following = followingIn(view, body);
  return "kind" in following ? following : { turns, body, following };
}

/** Loops of the host around its launch, outermost first. */
export function loopsAround({ launch, host }: TritonView): readonly SyntaxNode[] {
  const loops: SyntaxNode[] = [];
  for (let at: SyntaxNode | undefined = launch.call; at !== undefined;) {
    at = enclosing(at, "for_statement", "while_statement");
    if (at === undefined || !isInside(at, host)) break;
    loops.unshift(at);
  }
  return loops;
}

function turnsOf(loops: readonly SyntaxNode[]): readonly Turn[] | RuleHold {
  const turns: Turn[] = [];
  for (const [depth, loop] of loops.entries()) {
    const turn = loop.type === "for_statement" ? turnOf(loop) : undefined;
    if (turn === undefined)
      return not("no-rewrite", "the loop goes neither over numbers from 0 nor over elements", loop);
    const above = loops[depth - 1];
    if (above !== undefined && loop.parent?.parent?.id !== above.id && loop.parent?.id !== above.id)
      return not("no-rewrite", "the loop stands in a condition", loop);
    if (turns.some(({ names }) => mentions(turn.head, names)))
      return not("dependence", "how many turns a loop takes follows another", loop);
    turns.push(turn);
  }
  return turns;
}

function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(text));
}

function followingIn(view: TritonView, { names }: LoopBody): readonly Following[] | RuleHold {
  const { launch, parameters } = view;
  const passed = [
    ...launch.positional.map((node, place) => ({ node, parameter: parameters[place] })),
    ...[...launch.keywords].map(([name, node]) => ({
      node,
      parameter: parameters.find((each) => each.name === name),
    })),
  ];
  const { grid } = launch;
  if (grid !== undefined && followsTurn(names, grid) && askedOfFirst(names, grid) === undefined)
    return not("dependence", "the grid follows the turn of the loop", launch.call);
  const found: Following[] = [];
  for (const { node, parameter } of passed.filter((each) => followsTurn(names, each.node))) {
    const argument = followingArgument(names, node, parameter);
    if (argument === undefined)
      return not("no-rewrite", `${compact(node)} follows the turn in a way of its own`, node);
    found.push(argument);
  }
  return found;
}

/** Reads an argument that follows the turn; undefined where one launch cannot pass it. */
function followingArgument(
  names: TurnNames,
  node: SyntaxNode,
  parameter: ParameterFacts | undefined,
): Following | undefined {
  const of = { parameter: parameter?.name ?? "", node };
  const same = askedOfFirst(names, node);
  if (same !== undefined) return { ...of, same };
  // Options of the launch, and what the compiler knows, are the same for all programs.
  if (parameter === undefined || parameter.constexpr) return undefined;
  // What the kernel takes as a number is one, be it an element of a list or of a tensor.
  const view = parameter.pointer ? viewOf(names, node) : undefined;
  if (view !== undefined) return { ...of, view };
  const turn = names.turns.find(({ number }) => number !== undefined && number === node.text);
  if (turn !== undefined) return { ...of, turn };
  const number = names.turns.length === 1 && !parameter.pointer ? numberOf(names, node) : undefined;
  return number === undefined ? undefined : { ...of, number };
}

/** What one turn may leave for the next: a tensor that all turns store to, or one that is passed twice. */
function dependence(view: TritonView, { following, body }: BatchLoop): RuleHold | undefined {
  const { names } = body;
  const { launch, parameters } = view;
  const passed = [...launch.positional, ...launch.keywords.values()];
  for (const { name, pointer } of parameters) {
    if (!pointer || !isWritten(view, name)) continue;
    const own = following.find((each) => each.parameter === name && each.view !== undefined);
    const base = own?.view?.base;
    if (own === undefined || base === undefined)
      return not("dependence", `all turns store to ${name}`, launch.call);
    const steps = own.view?.steps.length ?? 0;
    if (steps < names.turns.length) return not("dependence", `several turns store to ${name}`, launch.call);
    const same = passed.filter(
      (node) => baseOf(following, node) === base && /^[\w.[\]:, ]+$/.test(node.text),
    );
    if (same.length > 1) return not("dependence", `${base} is passed twice`, own.node);
  }
  return undefined;
}

/** The tensor that an argument is, or is a part of. */
export function baseOf(following: readonly Following[], node: SyntaxNode): string {
  return following.find((each) => each.node.id === node.id)?.view?.base ?? node.text;
}

export function isWritten(view: TritonView, parameter: string): boolean {
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
  const alone = name !== undefined && usesOf(host, name).length === 2;
  return alone && made?.parent?.type === "expression_statement" ? made.parent : undefined;
}
