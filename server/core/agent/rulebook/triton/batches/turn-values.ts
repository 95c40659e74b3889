import { compact, fieldText, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";
import type { Turn } from "./turns";

/** A tensor of one turn: the same part of a larger one, so many elements on from turn to turn. */
export interface TurnView {
  /** The tensor of the first turn, in the host's words. */
  readonly first: string;
  /** What begins where the first turn's begins. */
  readonly start: string;
  /** The larger tensor. */
  readonly base: string;
  /** For each loop, the dimension of the larger tensor that it goes along. */
  readonly steps: readonly { readonly turn: Turn; readonly dimension: number }[];
}

/** What the names of a loop's body stand for. */
export interface TurnNames {
  readonly source: string;
  readonly turns: readonly Turn[];
  readonly views: Map<string, TurnView>;
  /** Names of numbers, with what they are made of. */
  readonly numbers: Map<string, string>;
}

/** True for an expression that differs from turn to turn. */
export function followsTurn({ turns, views, numbers }: TurnNames, node: SyntaxNode): boolean {
  const names = [...turns.flatMap((turn) => turn.names), ...views.keys(), ...numbers.keys()];
  return names.some((name) => usesOf(node, name).length > 0);
}

/** `x[i]`, `x[:, i]`, `q[b, :, h]`, an element of a loop, or a name of one; undefined for any other. */
export function viewOf(names: TurnNames, node: SyntaxNode): TurnView | undefined {
  if (node.type === "identifier") {
    const turn = names.turns.find(({ elements }) => elements.has(node.text));
    const base = turn?.elements.get(node.text);
    if (turn === undefined || base === undefined) return names.views.get(node.text);
    return { first: `${base}[0]`, start: base, base, steps: [{ turn, dimension: 0 }] };
  }
  const value = node.type === "subscript" ? node.childForFieldName("value") : null;
  if (!value || !/^(?:identifier|attribute)$/.test(value.type) || followsTurn(names, value)) return undefined;
  const places = node.childrenForFieldName("subscript");
  const steps = places.flatMap((place, dimension) => {
    const turn = names.turns.find(({ number }) => number !== undefined && number === place.text);
    return turn === undefined ? [] : [{ turn, dimension }];
  });
  const others = places.filter((place) => !steps.some(({ turn }) => turn.number === place.text));
  const odd = others.some((place) => place.type !== "slice" || followsTurn(names, place));
  if (steps.length === 0 || odd || new Set(steps.map(({ turn }) => turn)).size < steps.length)
    return undefined;
  const zeros = places.filter((place) => !others.includes(place)).map((place) => replaceNode(place, "0"));
  const first = editedText(names.source, { start: node.startIndex, end: node.endIndex }, zeros);
  return { first, start: others.length === 0 ? value.text : first, base: value.text, steps };
}

const asking = /^(?:shape|stride|size|numel|dtype|device|ndim|dim|element_size)$/;

/**
 * What is asked of a turn's tensor, such as `x[i].stride(0)`, asked of that of the first turn; undefined
 * where a part of the expression differs from turn to turn.
 */
export function askedOfFirst(names: TurnNames, node: SyntaxNode): string | undefined {
  const edits: { start: number; end: number; text: string }[] = [];
  const isSame = (part: SyntaxNode): boolean => {
    if (!followsTurn(names, part)) return true;
    const object = part.type === "attribute" ? part.childForFieldName("object") : null;
    const view = object && asking.test(fieldText(part, "attribute")) ? viewOf(names, object) : undefined;
    if (view === undefined || object === null)
      return part.namedChildren.length > 0 && part.namedChildren.every(isSame);
    edits.push(replaceNode(object, view.first));
    return true;
  };
  if (!isSame(node)) return undefined;
  return editedText(names.source, { start: node.startIndex, end: node.endIndex }, edits);
}

const plainCalls = /^(?:int|float|bool|min|max|abs|len|round|math\.\w+|triton\.(?:cdiv|next_power_of_2))$/;

/** A number that each turn works out, in words of the loop alone; undefined for a tensor. */
export function numberOf(names: TurnNames, node: SyntaxNode): string | undefined {
  const usesView = [
    ...names.views.keys(),
    ...names.turns.flatMap(({ elements }) => [...elements.keys()]),
  ].some((name) => usesOf(node, name).some((use) => names.views.has(name) || isTensorUse(use)));
  const calls = node.descendantsOfType("call").every((call) => {
    const callee = compact(call.childForFieldName("function"));
    return plainCalls.test(callee) || /\.item$/.test(callee);
  });
  if (usesView || !calls || node.descendantsOfType("lambda").length > 0) return undefined;
  const edits = [...names.numbers].flatMap(([name, text]) =>
    usesOf(node, name).map((use) => replaceNode(use, `(${text})`)),
  );
  return editedText(names.source, { start: node.startIndex, end: node.endIndex }, edits);
}

/** An element of a loop of which something is asked that only tensors have. */
function isTensorUse({ parent }: SyntaxNode): boolean {
  return parent?.type === "attribute" && fieldText(parent, "attribute") !== "item";
}
