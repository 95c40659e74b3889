import { compact, fieldText, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, keyword, languageCalls, onlyAssignment, positional, type TritonView } from "../kernel";
import { conversionIn } from "./operand-sources";

/** A product of two tiles of two dimensions that is written as the sum of a block of three dimensions. */
export interface ProductBySum {
  /** The sum, which the product may stand for. */
  readonly sum: SyntaxNode;
  readonly left: Operand;
  readonly right: Operand;
}

interface Operand {
  readonly tile: SyntaxNode;
  /** True where the tile has its sides the other way round than a product takes them. */
  readonly turned: boolean;
}

/** All such sums of the kernel: `tl.sum(…, 1)`, and `(…).sum(1)`. */
export function productsBySum(view: TritonView): readonly ProductBySum[] {
  const methods = view.body.descendantsOfType("call").filter((call) => summedBlock(view, call) !== undefined);
  return [...languageCalls(view, ["sum"]), ...methods].flatMap((sum) => productIn(view, sum) ?? []);
}

/** What `(…).sum(1)` sums up. */
function summedBlock(view: TritonView, call: SyntaxNode): SyntaxNode | undefined {
  const callee = call.childForFieldName("function");
  const isMethod = callee?.type === "attribute" && fieldText(callee, "attribute") === "sum";
  if (!isMethod || isCallOf(view, call, "sum")) return undefined;
  return callee.childForFieldName("object") ?? undefined;
}

function productIn(view: TritonView, sum: SyntaxNode): ProductBySum | undefined {
  const block = summedBlock(view, sum);
  const [first, second] = positional(sum);
  const summed = block ?? first;
  const axis = Number((keyword(sum, "axis") ?? (block === undefined ? second : first))?.text ?? Number.NaN);
  if (summed === undefined || keyword(sum, "keep_dims") !== undefined) return undefined;
  const name = unwrapped(summed);
  const value =
    name.type === "identifier" ? onlyAssignment(view.body, name.text)?.childForFieldName("right") : name;
  const factors = value ? operands(value, "*").map((factor) => spreadTile(view, factor)) : [];
  const [one, other] = factors;
  if (factors.length !== 2 || one === undefined || other === undefined) return undefined;
  return productOf(sum, axis < 0 ? axis + 3 : axis, [one, other]);
}

/** A tile of two dimensions with one more of length one. */
interface SpreadTile {
  readonly tile: SyntaxNode;
  /** The axis of the block, 0 to 2, that the tile does not have. */
  readonly without: number;
}

/** `a[:, :, None]`, `tl.expand_dims(a, 2)`, and either widened to float32. */
function spreadTile(view: TritonView, factor: SyntaxNode): SpreadTile | undefined {
  const node = unwrapped(factor);
  const asked = conversionIn(node);
  if (asked !== undefined)
    return /(?:^|\.)float32$/.test(compact(asked.type)) ? spreadTile(view, asked.of) : undefined;
  if (isCallOf(view, node, "expand_dims")) {
    const [tile, axis] = positional(node);
    const without = Number((keyword(node, "axis") ?? axis)?.text ?? Number.NaN);
    return tile && [0, 1, 2].includes(without) ? { tile: unwrapped(tile), without } : undefined;
  }
  if (node.type !== "subscript") return undefined;
  const [tile, ...places] = partsOf(node);
  const marks = places.map(compact);
  const without = marks.indexOf("None");
  const plain = marks.every((mark, place) => mark === (place === without ? "None" : ":"));
  return tile && without >= 0 && plain ? { tile: unwrapped(tile), without } : undefined;
}

/** The product's rows and columns are the two axes that are left, in their order. */
function productOf(
  sum: SyntaxNode,
  axis: number,
  tiles: readonly [SpreadTile, SpreadTile],
): ProductBySum | undefined {
  const [rows, columns] = [0, 1, 2].filter((each) => each !== axis);
  const left = tiles.find(({ without }) => without === columns);
  const right = tiles.find(({ without }) => without === rows);
  if (left === undefined || right === undefined || rows === undefined || columns === undefined)
    return undefined;
  return {
    sum,
    left: { tile: left.tile, turned: rows > axis },
    right: { tile: right.tile, turned: axis > columns },
  };
}

/** `tl.dot(…, OPTION)` in the place of the sum, of operands that are written so. */
export function dotText(
  { left, right }: ProductBySum,
  library: string,
  words: readonly string[],
  option: string,
): string {
  const operand = ({ turned }: Operand, word = ""): string => (turned ? `${library}trans(${word})` : word);
  return `${library}dot(${operand(left, words[0])}, ${operand(right, words[1])}${option})`;
}
