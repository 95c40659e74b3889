import { compact, enclosing, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { onlyAssignment, positional, type TritonView } from "../kernel";
import { addedTo, comparedIn, constantSum, greatestOf, namesOfSum, type Sum, sumOf } from "./forms";

/** A loop over `range(…)`. */
export interface RangeLoop {
  readonly view: TritonView;
  readonly loop: SyntaxNode;
  readonly body: SyntaxNode;
  readonly variable: string;
  /** The first number; undefined where the range does not say it. */
  readonly start: SyntaxNode | undefined;
  readonly end: SyntaxNode;
  /** By how much it steps; undefined for one. */
  readonly step: SyntaxNode | undefined;
}

/** How far a condition lets a loop's variable go: `variable * scale <= sum`, or `>=`. */
export interface Limit {
  readonly side: "upper" | "lower";
  readonly sum: Sum;
  /** One, or names of constants. */
  readonly scale: string;
}

/** The loops of a kernel over ranges that are known when the kernel runs. */
export function rangeLoops(view: TritonView): readonly RangeLoop[] {
  return view.body.descendantsOfType("for_statement").flatMap((loop) => {
    const [variable, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
    const body = loop.childForFieldName("body");
    if (variable?.type !== "identifier" || range?.type !== "call" || body === null) return [];
    if (!/^(?:\w+\.)*range$/.test(compact(range.childForFieldName("function")))) return [];
    const given = positional(range);
    const [first, second, step] = given;
    const [start, end] = given.length === 1 ? [undefined, first] : [first, second];
    return end === undefined ? [] : [{ view, loop, body, variable: variable.text, start, end, step }];
  });
}

/** How far a comparison lets the loop go for any element where it holds, or where it does not. */
export function limitOf(range: RangeLoop, comparison: SyntaxNode, holds: boolean): Limit | undefined {
  const compared = comparedIn(unwrapped(comparison));
  if (compared === undefined || !/^[<>]=?$/.test(compared.operator)) return undefined;
  const { view, loop } = range;
  const [left, right] = [compared.left, compared.right].map((side) => sumOf(view, loop, side));
  if (left === undefined || right === undefined) return undefined;
  const less = compared.operator.startsWith("<");
  const strict = (compared.operator.length === 1) === holds;
  const [small, great] = less === holds ? [left, right] : [right, left];
  return splitAt(range, addedTo(addedTo(great, small, -1), constantSum(strict ? -1 : 0)));
}

/** A name, or the number of a program. */
const plain = /^(?:[A-Za-z_]\w*|\w+\.(?:program_id|num_programs)\((?:axis=)?\w+\))$/;

/** Takes the loop's variable out of `sum >= 0`, for the elements of a block that it holds longest for. */
function splitAt(range: RangeLoop, sum: Sum): Limit | undefined {
  const { variable } = range;
  const own = [...sum].filter(([key]) => key.split("*").includes(variable));
  const [found] = own;
  if (found === undefined || own.length > 1) return undefined;
  const [key, times] = found;
  const factors = key.split("*");
  factors.splice(factors.indexOf(variable), 1);
  if (Math.abs(times) !== 1 || factors.length > 1 || factors.some((each) => !isConstant(range, each)))
    return undefined;
  const rest = greatestOf(new Map([...sum].filter(([each]) => each !== key)));
  if (rest === undefined || !namesOfSum(rest).every((name) => isSteady(range, name))) return undefined;
  if (![...rest.keys()].every((each) => each.split("*").every((part) => part === "" || plain.test(part))))
    return undefined;
  const scale = factors[0] ?? "1";
  return times < 0
    ? { side: "upper", sum: rest, scale }
    : { side: "lower", sum: addedTo(new Map(), rest, -1), scale };
}

function isConstant({ view }: RangeLoop, name: string): boolean {
  return view.parameters.some((each) => each.name === name && each.constexpr);
}

/** A name that no turn gives another value. */
function isSteady({ view, loop, variable }: RangeLoop, name: string): boolean {
  if (name === variable) return false;
  const given = view.body
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .filter((act) =>
      act
        .childForFieldName("left")
        ?.descendantsOfType("identifier")
        .some(({ text }) => text === name),
    );
  return !given.some((act) => isInside(act, loop));
}

export function isWithin(one: Limit, other: Limit): boolean {
  if (one.side !== other.side || one.scale !== other.scale) return false;
  const distance = addedTo(other.sum, one.sum, -1);
  if (distance.size > 1 || (distance.size === 1 && !distance.has(""))) return false;
  const least = distance.get("") ?? 0;
  return one.side === "upper" ? least >= 0 : least <= 0;
}

/** Comparisons in a loop, and in the names that it reads. */
export function comparisonsIn({ body }: RangeLoop): readonly SyntaxNode[] {
  return body.descendantsOfType("comparison_operator");
}

/**
 * True where a limit lies at the first turn or behind it for every element of the program: sizes of blocks
 * are one at least, numbers of programs and of turns around are zero at least.
 */
export function hasFirstTurn(range: RangeLoop, { sum }: Limit): boolean {
  const { view, loop, start } = range;
  const first = start === undefined ? new Map<string, number>() : sumOf(view, loop, start);
  let least = 0;
  for (const [key, times] of addedTo(sum, first, -1)) {
    if (key === "") least += times;
    else if (times < 0) return false;
    else if (isConstant(range, key)) least += times;
    else if (!key.split("*").every((part) => isCount(range, part))) return false;
  }
  return least >= 0;
}

function isCount(range: RangeLoop, part: string): boolean {
  const { view } = range;
  if (isConstant(range, part) || /^\w+\.(?:program_id|num_programs)\(\w+\)$/.test(part)) return true;
  const value = onlyAssignment(view.body, part)?.childForFieldName("right");
  if (value) {
    const inner = unwrapped(value);
    if (inner.type === "identifier") return isCount(range, inner.text);
    if (/^\w+\.(?:program_id|num_programs)\((?:axis=)?\w+\)$/.test(compact(inner))) return true;
    return /^(?:\/\/|%|\+|\*)$/.test(inner.childForFieldName("operator")?.text ?? "")
      ? partsOf(inner).every((each) => each.type === "integer" || isCount(range, compact(each)))
      : false;
  }
  const counted = view.body
    .descendantsOfType("for_statement")
    .some((each) => each.childForFieldName("left")?.text === part && enclosing(each, "function_definition"));
  return (
    counted && rangeLoops(view).some((each) => each.variable === part && (each.start?.text ?? "0") === "0")
  );
}
