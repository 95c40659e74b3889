import { changes, isPure } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { loopTypes } from "../../diagnosis/places";
import { type CountingLoop, countingLoop } from "./counting-loop";
import { sidesOf } from "./ruled-out";
import { type Compared, type SearchMeaning, searchMeaning } from "./search-run";

/** A loop of which, over an array that ascends, one place is all that matters. */
export interface PlaceSearch extends CountingLoop {
  readonly compared: Compared;
  readonly meaning: SearchMeaning;
  /** The element that is compared, and the array's name. */
  readonly element: SyntaxNode;
  readonly name: string;
}

/** The searches of a part of a source, told by what they do to numbers, outer ones first. */
export function placeSearches(part: SyntaxNode): readonly PlaceSearch[] {
  return part.descendantsOfType([...loopTypes]).flatMap((loop) => placeSearch(loop) ?? []);
}

const known = new WeakMap<SyntaxNode, PlaceSearch | null>();

function placeSearch(loop: SyntaxNode): PlaceSearch | undefined {
  const found = known.get(loop) ?? searched(loop) ?? null;
  known.set(loop, found);
  return found ?? undefined;
}

function searched(loop: SyntaxNode): PlaceSearch | undefined {
  const counting = countingLoop(loop);
  if (counting === undefined || loop.descendantsOfType([...loopTypes]).length > 1) return undefined;
  const changed = changedIn(loop);
  const ends = [counting.bound, ...(counting.start ? [counting.start] : [])];
  if (!ends.every((end) => isSteady(end, changed))) return undefined;
  for (const comparison of loop.descendantsOfType("binary_expression")) {
    const sides = comparedIn(comparison, counting.variable);
    if (sides === undefined || !isSteady(sides.value, changed)) continue;
    const { element, ...compared } = sides;
    const name = compact(element.childForFieldName("argument"));
    if (changed.has(name) || !isSteady(compared.index, changed, counting.variable)) continue;
    const meaning = searchMeaning(counting, compared);
    if (meaning !== undefined) return { ...counting, compared, meaning, element, name };
  }
  return undefined;
}

/** Names that a loop changes or declares, and arrays that it stores to. */
function changedIn(loop: SyntaxNode): ReadonlySet<string> {
  const declared = loop
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .map((each) => (each.childForFieldName("declarator") ?? each).text);
  const targets = changes(loop)
    .filter(({ act }) => act.parent === null || !isCachedLoad(act.parent))
    .flatMap(({ target }) => [compact(target), target.descendantsOfType("identifier")[0]?.text ?? ""]);
  return new Set([...declared, ...targets]);
}

/** The arguments of `__ldg(&a[i])`, by which nothing is changed. */
function isCachedLoad({ type, parent }: SyntaxNode): boolean {
  return type === "argument_list" && fieldText(parent, "function") === "__ldg";
}

function isSteady(node: SyntaxNode, changed: ReadonlySet<string>, except?: string): boolean {
  const names = [node, ...node.descendantsOfType(["identifier", "field_expression"])].map(compact);
  return isPure(node) && names.every((name) => name === except || !changed.has(name));
}

interface Sides extends Compared {
  readonly element: SyntaxNode;
}

/** An element whose number counts, compared by size with something else. */
function comparedIn(comparison: SyntaxNode, variable: string): Sides | undefined {
  const sides = sidesOf(comparison);
  if (sides === undefined) return undefined;
  const own = [sides.left, sides.right].filter((side) => usesOf(side, variable).length > 0);
  const [side] = own;
  if (side === undefined || own.length > 1) return undefined;
  const place = elementIn(side);
  const element = place?.type === "field_expression" ? place.childForFieldName("argument") : place;
  const [index, ...more] = partsOf(element?.childForFieldName("indices"));
  if (!element || element.type !== "subscript_expression" || !index || more.length > 0) return undefined;
  if (usesOf(side, variable).some((use) => !isInside(use, index))) return undefined;
  const member = place?.type === "field_expression" ? `.${fieldText(place, "field")}` : "";
  const array = `${compact(element.childForFieldName("argument"))}${member}`;
  const value = side.id === sides.left.id ? sides.right : sides.left;
  return { comparison, array, index, value, element };
}

const cast = /^(?:static_cast<[\w\s]+>|float|double|int|unsigned|long|__ldg|__half2float|__bfloat162float)$/;

/** What is left of a side without conversions. */
function elementIn(side: SyntaxNode): SyntaxNode | undefined {
  const inner = unwrapped(side);
  switch (inner.type) {
    case "subscript_expression":
    case "field_expression":
      return inner;
    case "cast_expression": {
      const value = inner.childForFieldName("value");
      return value === null ? undefined : elementIn(value);
    }
    case "pointer_expression": {
      const argument = inner.childForFieldName("argument");
      return argument !== null && inner.text.startsWith("&") ? elementIn(argument) : undefined;
    }
    case "call_expression": {
      const [given, ...more] = partsOf(inner.childForFieldName("arguments"));
      const isCast = cast.test(compact(inner.childForFieldName("function")));
      return isCast && given !== undefined && more.length === 0 ? elementIn(given) : undefined;
    }
    default:
      return undefined;
  }
}
