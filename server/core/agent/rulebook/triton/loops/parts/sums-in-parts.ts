import { partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { freshName, replaceNode, type TextEdit } from "../../../edits";
import { isNot, type RuleHold } from "../../../rule";
import type { TritonView } from "../../kernel";
import { libraryOf } from "../../spread/dimension";
import { type Combined, combinedIn } from "./combined";
import { inParts, type Placed } from "./in-parts";

interface Limits {
  /** Parts of a loop that carries numbers alone, at most, and of one that carries blocks. */
  readonly numbers: number;
  readonly blocks: number;
  /** Turns for each part, at least. */
  readonly turns: number;
  readonly multiprocessors: number;
}

/**
 * The edits that make two kernels of one whose loop carries sums and extremes: what is done with them behind
 * the loop may be anything.
 */
export function sumsInParts(
  view: TritonView,
  loop: SyntaxNode,
  { numbers, blocks, turns, multiprocessors }: Limits,
): readonly TextEdit[] | RuleHold {
  const combined = combinedIn(view, loop);
  if (isNot(combined)) return combined;
  const { carried, steps } = combined;
  const isNumbers = carried.every(({ sides }) => sides.length === 0);
  const renewed = carried.filter(({ sides, reduced }) => sides.length === 0 || reduced.length > 0);
  return inParts(view, {
    loop,
    carried,
    steps,
    together: (placed) => togetherLines(view, carried, placed),
    others: [
      ...renewed.flatMap(({ beginning }) => withoutStatement(view, beginning)),
      ...carried.flatMap(({ name, reduced }) => reduced.map((call) => replaceNode(call, name))),
    ],
    most: isNumbers ? numbers : blocks,
    even: true,
    turns,
    multiprocessors,
  });
}

/** Takes the line of an assignment out; nothing where it shares its line. */
function withoutStatement({ source }: TritonView, act: SyntaxNode): readonly TextEdit[] {
  const statement = act.parent;
  const start = source.lastIndexOf("\n", act.startIndex);
  const own = source.slice(start, act.startIndex).trim() === "";
  const alone = statement !== null && partsOf(statement).length === 1 && own;
  return alone ? [{ start, end: statement.endIndex, text: "" }] : [];
}

/** The lines that put parts together: numbers at once, blocks one part after the other. */
function togetherLines(
  view: TritonView,
  carried: readonly Combined[],
  { begin, parts, load }: Placed,
): readonly string[] {
  const library = libraryOf(view);
  const numbers = carried.filter(({ sides }) => sides.length === 0);
  const blocks = carried.filter(({ sides }) => sides.length > 0);
  const all = `${begin} + ${library}arange(0, ${parts})`;
  const lines = numbers.map((each) => `${each.name} = ${library}${each.how}(${load(each, all)}, axis=0)`);
  if (blocks.length === 0) return lines;
  const part = freshName(view.source, "part");
  return [
    ...lines,
    ...blocks.filter(({ reduced }) => reduced.length > 0).map((each) => beginningText(view, each)),
    `for ${part} in ${library}static_range(${parts}):`,
    ...blocks.map((each) => {
      const { name, how } = each;
      const own = load(each, `${begin} + ${part}`);
      return how === "sum" ? `    ${name} += ${own}` : `    ${name} = ${library}${how}imum(${name}, ${own})`;
    }),
  ];
}

/** `total = tl.zeros((SIDE,), dtype=tl.float32)`, in the shape that is left of it. */
function beginningText(view: TritonView, { name, sides, how, type = "float32" }: Combined): string {
  const library = libraryOf(view);
  const shape = sides.length === 1 ? `(${sides.join("")},)` : `(${sides.join(", ")})`;
  if (how === "sum") return `${name} = ${library}zeros(${shape}, dtype=${library}${type})`;
  const limit = how === "max" ? `float("-inf")` : `float("inf")`;
  return `${name} = ${library}full(${shape}, ${limit}, dtype=${library}${type})`;
}
