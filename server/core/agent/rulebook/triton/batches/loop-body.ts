import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import { onlyAssignment, positional } from "../kernel";
import { askedOfFirst, followsTurn, numberOf, type TurnNames, viewOf } from "./turn-values";
import type { Turn } from "./turns";

/** What stands in the loops beside the launch. */
export interface LoopBody {
  readonly names: TurnNames;
  /** Lines that are done once, in front of the launch. */
  readonly before: readonly string[];
  /** Checks that each turn makes. */
  readonly checks: readonly string[];
  /** What each turn does with a tensor that the kernel has filled for it. */
  readonly behind: readonly string[];
  /** Tensors that each turn makes for itself. */
  readonly made: ReadonlySet<string>;
  /** Edits behind the loop, where a list of what the turns have made is that tensor itself. */
  readonly stacked: readonly TextEdit[];
}

interface Reading {
  readonly source: string;
  readonly host: SyntaxNode;
  readonly turns: readonly Turn[];
  /** The statement that launches. */
  readonly statement: SyntaxNode;
  /** Statements of the loop that are read elsewhere. */
  readonly known: readonly SyntaxNode[];
}

/** Reads the bodies of loops around a launch, outermost first; a guard's answer where a turn does more. */
export function loopBody({ source, host, turns, statement, known }: Reading): LoopBody | RuleHold {
  const names: TurnNames = { source, turns, views: new Map(), numbers: new Map() };
  const [before, checks, behind]: [string[], string[], string[]] = [[], [], []];
  const made = new Set<string>();
  const stacked: TextEdit[] = [];
  const parts = turns
    .flatMap(({ loop }) => partsOf(loop.childForFieldName("body")))
    .filter((part) => !isInside(statement, part) && !known.some(({ id }) => id === part.id));
  for (const part of parts) {
    const isBehind = part.startIndex > statement.startIndex;
    const isCheck = part.type === "assert_statement" && !isBehind;
    const list = isBehind ? listOfMade({ names, host, made, part }) : undefined;
    if (list !== undefined) {
      stacked.push(...list);
      continue;
    }
    const text = isBehind ? handedOn({ names, host, made, part }) : preparedText(names, made, part);
    if (text === undefined) return not("no-rewrite", "the loop does more than launch the kernel", part);
    if (isBehind) behind.push(text);
    else if (isCheck) checks.push(text);
    else if (text !== "") before.push(text);
  }
  const [later] = [...made].flatMap((name) => usedBehind(host, turns, name));
  if (later !== undefined) return not("dependence", `${later.text} is used behind the loop`, later);
  return { names, before, checks, behind, made, stacked };
}

/** A check of each turn, or a statement that gives a name a value. */
function preparedText(names: TurnNames, made: Set<string>, part: SyntaxNode): string | undefined {
  if (part.type !== "assert_statement") return prepared(names, made, part);
  return names.turns.length === 1 ? numberOf(names, part) : undefined;
}

const sameEachTurn = /^(?:int|float|min|max|len|[\w.]+\.(?:size|stride|numel|dim)|(?:triton|math)\.\w+)$/;

/** A statement that gives a name a value, for all turns; empty where it is written where it is used. */
function prepared(names: TurnNames, made: Set<string>, part: SyntaxNode): string | undefined {
  const [act] = partsOf(part);
  const left = act?.type === "assignment" ? act.childForFieldName("left") : undefined;
  const right = act?.childForFieldName("right");
  if (left?.type !== "identifier" || !right) return undefined;
  const name = left.text;
  if (names.views.has(name) || names.numbers.has(name)) return undefined;
  const stacked = stackedTensor(names, right);
  const [turn] = names.turns;
  if (stacked !== undefined && turn !== undefined) {
    names.views.set(name, { first: `${name}[0]`, start: name, base: name, steps: [{ turn, dimension: 0 }] });
    made.add(name);
    return `${name} = ${stacked}`;
  }
  if (!followsTurn(names, right)) return isSteady(right) ? part.text : undefined;
  return preparedFollowing(names, name, right);
}

function isSteady(right: SyntaxNode): boolean {
  const calls = right.descendantsOfType("call");
  return calls.every((call) => sameEachTurn.test(compact(call.childForFieldName("function"))));
}

/** The same of a value that follows the turn: a part of a tensor, what is asked of one, or a number. */
function preparedFollowing(names: TurnNames, name: string, right: SyntaxNode): string | undefined {
  const view = viewOf(names, right);
  if (view !== undefined) {
    names.views.set(name, { ...view, first: name, start: name });
    return `${name} = ${view.first}`;
  }
  const asked = askedOfFirst(names, right);
  if (asked !== undefined && isSteady(right)) return `${name} = ${asked}`;
  const number = numberOf(names, right);
  if (number === undefined) return undefined;
  names.numbers.set(name, number);
  return "";
}

/** A tensor that each turn makes for itself, as one for all turns; undefined for anything else. */
function stackedTensor(names: TurnNames, right: SyntaxNode): string | undefined {
  const callee = right.type === "call" ? compact(right.childForFieldName("function")) : "";
  const [, fill, like] = /^torch\.(empty|zeros)(_like)?$/.exec(callee) ?? [];
  const [turn, ...more] = names.turns;
  if (fill === undefined || turn === undefined || more.length > 0) return undefined;
  const given = partsOf(right.childForFieldName("arguments"));
  const keywords = given.filter(({ type }) => type === "keyword_argument");
  const kept = allOfFirst(names, keywords);
  const own = keywords.map((each) => fieldText(each, "name"));
  const all =
    like === undefined ? shapeOf(names, positional(right)) : shapeLike(names, positional(right), own);
  if (kept === undefined || all === undefined) return undefined;
  return `torch.${fill}((${[turn.count, ...all.extents].join(", ")}), ${[...all.type, ...kept].join(", ")})`;
}

interface Shape {
  readonly extents: readonly string[];
  /** Arguments for the type and the device. */
  readonly type: readonly string[];
}

/** The shape and the type of `torch.empty_like(x)`, where no argument says another. */
function shapeLike(
  names: TurnNames,
  [first, ...others]: readonly SyntaxNode[],
  own: readonly string[],
): Shape | undefined {
  if (first === undefined || others.length > 0) return undefined;
  const like = viewOf(names, first)?.first ?? (followsTurn(names, first) ? undefined : first.text);
  if (like === undefined) return undefined;
  const words = ["dtype", "device"].filter((word) => !own.includes(word));
  return { extents: [`*${like}.shape`], type: words.map((word) => `${word}=${like}.${word}`) };
}

/** The extents in `torch.empty((n, m))` and `torch.empty(n, m)`. */
function shapeOf(names: TurnNames, given: readonly SyntaxNode[]): Shape | undefined {
  const [first] = given;
  const isWhole = first !== undefined && /^(?:tuple|list)$/.test(first.type);
  const extents = allOfFirst(names, isWhole ? partsOf(first) : given);
  return extents && { extents, type: [] };
}

function allOfFirst(names: TurnNames, nodes: readonly SyntaxNode[]): readonly string[] | undefined {
  const found = nodes.flatMap((node) => askedOfFirst(names, node) ?? []);
  return found.length === nodes.length ? found : undefined;
}

interface Behind {
  readonly names: TurnNames;
  readonly host: SyntaxNode;
  readonly made: ReadonlySet<string>;
  readonly part: SyntaxNode;
}

/**
 * `out[:, i] = made` and `all.append(made)` of a tensor that the turn has made, where no turn reads what is
 * changed; undefined for anything else.
 */
function handedOn({ names, host, made, part }: Behind): string | undefined {
  const [act] = partsOf(part);
  const [turn, ...more] = names.turns;
  if (!act || turn?.number === undefined || more.length > 0) return undefined;
  const { target, value } = givenIn(act);
  if (target === undefined || value?.type !== "identifier" || !made.has(value.text)) return undefined;
  const uses = usesOf(turn.loop, target).filter((use) => !isInside(use, part));
  const [begin, ...again] = host
    .descendantsOfType("assignment")
    .filter((each) => each.childForFieldName("left")?.text === target);
  const start = again.length === 0 ? compact(begin?.childForFieldName("right")) : "";
  const isOwn =
    /^(?:\[\]|list\(\)|torch\.(?:empty|zeros|ones|full)(?:_like)?\(.*\)|\w+\.new_\w+\(.*\))$/.test(start);
  if (uses.length > 0 || !isOwn) return undefined;
  const element = { start: value.startIndex, end: value.endIndex, text: `${value.text}[${turn.number}]` };
  return editedText(names.source, { start: part.startIndex, end: part.endIndex }, [element]);
}

/** Uses of a name behind the loops: what the last turn has left there. */
function usedBehind(host: SyntaxNode, [outer]: readonly Turn[], name: string): readonly SyntaxNode[] {
  return usesOf(host, name).filter(({ startIndex }) => startIndex > (outer?.loop.endIndex ?? Infinity));
}

/**
 * `all.append(made)` of a list that `torch.stack(all)` or `torch.cat(all)` alone reads: the edits that
 * take the tensor of all turns in its place; undefined for anything else.
 */
function listOfMade({ names, host, made, part }: Behind): readonly TextEdit[] | undefined {
  const [turn, ...more] = names.turns;
  const appended = appendedIn(part);
  if (turn === undefined || more.length > 0 || appended === undefined) return undefined;
  const { target, value } = appended;
  const statement = emptyList(host, target);
  if (statement === undefined || !made.has(value)) return undefined;
  const [use, ...others] = usesOf(host, target).filter(
    (each) => !isInside(each, statement) && !isInside(each, part),
  );
  const joined = use === undefined || others.length > 0 ? undefined : joinedIn(use);
  if (joined === undefined || joined.call.startIndex < turn.loop.endIndex) return undefined;
  const start = names.source.lastIndexOf("\n", statement.startIndex);
  return [
    { start, end: statement.endIndex, text: "" },
    replaceNode(joined.call, joined.flattens ? `${value}.flatten(0, 1)` : value),
  ];
}

/** The names in `all.append(made)`. */
function appendedIn(part: SyntaxNode): { readonly target: string; readonly value: string } | undefined {
  const [, target, value] = /^(\w+)\.append\((\w+)\)$/.exec(compact(part)) ?? [];
  return target !== undefined && value !== undefined ? { target, value } : undefined;
}

/** The statement that gives a name its only value, a list with nothing in it. */
function emptyList(host: SyntaxNode, name: string): SyntaxNode | undefined {
  const begin = onlyAssignment(host, name);
  const isEmpty = /^(?:\[\]|list\(\))$/.test(compact(begin?.childForFieldName("right")));
  return isEmpty ? (begin?.parent ?? undefined) : undefined;
}

/** `torch.stack(all)` or `torch.cat(all, dim=0)` around the only use of a list. */
function joinedIn(use: SyntaxNode): { readonly call: SyntaxNode; readonly flattens: boolean } | undefined {
  const call = use.parent?.type === "argument_list" ? use.parent.parent : null;
  const text = call === null || call === undefined ? "" : compact(call);
  const [, which] = /^torch\.(stack|cat|concat)\(\w+(?:,(?:dim=|axis=)?0)?,?\)$/.exec(text) ?? [];
  return call && which !== undefined ? { call, flattens: which !== "stack" } : undefined;
}

function givenIn(act: SyntaxNode): { readonly target?: string; readonly value?: SyntaxNode | undefined } {
  if (act.type === "call") return givenByCall(act);
  const left = act.type === "assignment" ? act.childForFieldName("left") : null;
  const owner = left?.type === "subscript" ? left.childForFieldName("value") : null;
  const value = act.childForFieldName("right") ?? undefined;
  return owner?.type === "identifier" ? { target: owner.text, value } : {};
}

/** `all.append(made)`, `out[:, i].copy_(made)`. */
function givenByCall(call: SyntaxNode): ReturnType<typeof givenIn> {
  const callee = call.childForFieldName("function");
  const owner = callee?.childForFieldName("object");
  const [value, ...others] = positional(call);
  const isPart = owner?.type === "subscript";
  const base = isPart ? owner.childForFieldName("value") : owner;
  const fits = fieldText(callee, "attribute") === (isPart ? "copy_" : "append");
  return fits && base?.type === "identifier" && others.length === 0 ? { target: base.text, value } : {};
}
