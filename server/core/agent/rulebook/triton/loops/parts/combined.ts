import {
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  partsOf,
  usesOf,
} from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import { isCallOf, keyword, positional, type TritonView } from "../../kernel";
import { isSteady } from "../dealt-turns";
import type { Carried } from "./in-parts";

/** How parts of a value make the whole. */
type Combination = "sum" | "max" | "min";

/** What a loop carries that may be made in parts. */
export interface Combined extends Carried {
  readonly how: Combination;
  /** The assignment in front of the loop. */
  readonly beginning: SyntaxNode;
  /** The calls behind the loop that hand on what is handed on. */
  readonly reduced: readonly SyntaxNode[];
}

/** Everything that a loop carries. */
interface CombinedLoop {
  readonly carried: readonly Combined[];
  /** `x_ptrs += STEP`, the same in each turn. */
  readonly steps: readonly SyntaxNode[];
}

/** Reads what a loop carries as sums and extremes; a guard's answer where it carries more. */
export function combinedIn(view: TritonView, loop: SyntaxNode): CombinedLoop | RuleHold {
  const carried: Combined[] = [];
  const steps: SyntaxNode[] = [];
  for (const [name, acts] of actsOf(view, loop)) {
    if (acts.every((act) => isSteady(view, loop, act))) {
      steps.push(...acts);
      continue;
    }
    const [first] = acts;
    const hows = new Set(acts.map((act) => combinationIn(view, act, name)));
    const [how] = hows;
    const own = usesOf(loop, name).filter((use) => !acts.some((act) => isInside(use, act)));
    if (how === undefined || hows.size > 1 || own.length > 0)
      return not("dependence", `${name} is carried from turn to turn`, own[0] ?? first ?? loop);
    const begun = begunAs(view, loop, name);
    if (begun === undefined) return not("unreadable", `the shape of ${name} is not seen`, loop);
    if (how === "sum" && !begun.isZero)
      return not("no-rewrite", `${name} does not begin at 0`, begun.beginning);
    carried.push({ name, how, ...begun, ...handedOn(view, { loop, name, how, sides: begun.sides }) });
  }
  if (carried.length === 0) return not("no-pattern", "the loop carries no sum", loop);
  return { carried, steps };
}

/** What the loop does to each name that is used outside of it as well. */
function actsOf(view: TritonView, loop: SyntaxNode): ReadonlyMap<string, readonly SyntaxNode[]> {
  const found = new Map<string, SyntaxNode[]>();
  const body = loop.childForFieldName("body");
  const counter = loop.type === "while_statement" ? partsOf(body).at(-1) : undefined;
  for (const act of body?.descendantsOfType(["assignment", "augmented_assignment"]) ?? []) {
    if (counter !== undefined && isInside(act, counter)) continue;
    for (const { text } of act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
      if (usesOf(view.body, text).some((use) => !isInside(use, loop)))
        found.set(text, [...(found.get(text) ?? []), act]);
  }
  return found;
}

/** `s += x`, `s = s + x`, `s = tl.dot(a, b, s)`, `m = tl.maximum(m, x)`, `s = tl.where(c, s + x, s)`. */
function combinationIn(view: TritonView, act: SyntaxNode, name: string): Combination | undefined {
  const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (left?.text !== name || right === null) return undefined;
  if (act.type === "augmented_assignment")
    return /^[+-]=$/.test(fieldText(act, "operator")) && usesOf(right, name).length === 0 ? "sum" : undefined;
  if (isCallOf(view, right, "where")) {
    const [condition, yes, no] = positional(right);
    if (!condition || !yes || !no || usesOf(condition, name).length > 0) return undefined;
    const [kept, grown] = no.text === name ? [no, yes] : [yes, no];
    return kept.text === name ? combinationOf(view, grown, name) : undefined;
  }
  return combinationOf(view, right, name);
}

const extremes: Readonly<Record<string, Combination>> = {
  maximum: "max",
  max: "max",
  minimum: "min",
  min: "min",
};

function combinationOf(view: TritonView, value: SyntaxNode, name: string): Combination | undefined {
  if (usesOf(value, name).length !== 1) return undefined;
  if (isCallOf(view, value, "dot")) {
    const into = keyword(value, "acc") ?? positional(value)[2];
    return into?.text === name ? "sum" : undefined;
  }
  if (value.type === "call") {
    const of = compact(value.childForFieldName("function")).replace(/^.*\./, "");
    const given = partsOf(value.childForFieldName("arguments")).filter(
      ({ type }) => type !== "keyword_argument",
    );
    return given.length === 2 && given.some(({ text }) => text === name) ? extremes[of] : undefined;
  }
  const terms = operands(value, "+");
  return terms.length > 1 && terms.some(({ text }) => text === name) ? "sum" : undefined;
}

interface Begun {
  readonly beginning: SyntaxNode;
  readonly sides: readonly string[];
  readonly type: string;
  readonly isZero: boolean;
}

const types = new Set(["float32", "float64", "int32", "int64"]);
const lowest = /^-?(?:float\(["']-?inf["']\)|\(?-?(?:math|torch)\.inf\)?)$/;

/** What a name begins as in front of the loop: a block of one number, or a number. */
function begunAs(view: TritonView, loop: SyntaxNode, name: string): Begun | undefined {
  const acts = view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => !isInside(act, loop) && act.startIndex < loop.startIndex)
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  const [beginning, ...more] = acts;
  if (beginning === undefined || more.length > 0 || !isPlainAct(beginning, name)) return undefined;
  const value = beginning.childForFieldName("right");
  const made = value && (filledAs(view, value) ?? numberAs(compact(value)));
  return made ? { beginning, ...made } : undefined;
}

/** `name = …`, not under a condition. */
function isPlainAct(act: SyntaxNode, name: string): boolean {
  const plain = act.type === "assignment" && act.childForFieldName("left")?.text === name;
  return plain && enclosing(act, "if_statement") === undefined;
}

/** `tl.zeros((SIDE,), dtype=tl.float32)`, `tl.full([SIDE], 0, tl.int32)`. */
function filledAs(view: TritonView, value: SyntaxNode): Omit<Begun, "beginning"> | undefined {
  const isZeros = isCallOf(view, value, "zeros");
  if (!isZeros && !isCallOf(view, value, "full")) return undefined;
  const [shape, number, third] = positional(value);
  const type = compact(keyword(value, "dtype") ?? (isZeros ? number : third)).replace(/^\w+\./, "");
  const sides = partsOf(shape).map((side) => compact(side));
  const plain = sides.length > 0 && sides.length < 3 && sides.every((side) => /^\w+$/.test(side));
  const isShape = shape !== undefined && /^(?:list|tuple)$/.test(shape.type);
  return isShape && plain && types.has(type)
    ? { sides, type, isZero: isZeros || zero.test(compact(number)) }
    : undefined;
}

const zero = /^0(?:\.0*)?$/;

/** `0.0`, `-float("inf")`; a whole number is one of 32 bits. */
function numberAs(text: string): Omit<Begun, "beginning"> | undefined {
  if (lowest.test(text)) return { sides: [], type: "float32", isZero: false };
  if (!/^-?\d[\d.]*(?:e[-+]?\d+)?$/i.test(text)) return undefined;
  return { sides: [], type: /^-?\d+$/.test(text) ? "int32" : "float32", isZero: zero.test(text) };
}

interface Asked {
  readonly loop: SyntaxNode;
  readonly name: string;
  readonly how: Combination;
  readonly sides: readonly string[];
}

/** `tl.sum(total, axis=0)`, where nothing else of a block is used behind the loop. */
function handedOn(
  view: TritonView,
  { loop, name, how, sides }: Asked,
): Pick<Combined, "sides" | "handed" | "reduced"> {
  const kept = { sides, reduced: [] };
  if (sides.length === 0) return kept;
  const behind = usesOf(view.body, name).filter((use) => use.startIndex > loop.endIndex);
  const calls = behind.map((use) => reductionOf(view, use, how));
  const [first] = calls;
  if (first === undefined || calls.some((call) => call === undefined || compact(call) !== compact(first)))
    return kept;
  const left = sidesBehind(view, first, sides);
  return left === undefined
    ? kept
    : { sides: left, handed: first.text, reduced: calls.flatMap((call) => call ?? []) };
}

/** The outermost of the sums, or extremes, that a name is put into. */
function reductionOf(view: TritonView, use: SyntaxNode, how: Combination): SyntaxNode | undefined {
  const call = use.parent?.type === "argument_list" ? use.parent.parent : undefined;
  if (!call || !isCallOf(view, call, how) || positional(call)[0]?.id !== use.id) return undefined;
  if (keyword(call, "return_indices") !== undefined) return undefined;
  return reductionOf(view, call, how) ?? call;
}

/** The sides that reductions leave; undefined where that is not seen. */
function sidesBehind(
  view: TritonView,
  call: SyntaxNode,
  sides: readonly string[],
): readonly string[] | undefined {
  const [of, place] = positional(call);
  const inner = of !== undefined && of.type === "call" ? sidesBehind(view, of, sides) : sides;
  if (inner === undefined) return undefined;
  const axis = keyword(call, "axis") ?? place;
  const keeps = keyword(call, "keep_dims")?.text === "True";
  if (axis === undefined) return keeps ? inner.map(() => "1") : [];
  if (!/^-?\d$/.test(compact(axis))) return undefined;
  const number = Number(compact(axis));
  const at = number < 0 ? inner.length + number : number;
  if (at >= inner.length || at < 0) return undefined;
  return [...inner.slice(0, at), ...(keeps ? ["1"] : []), ...inner.slice(at + 1)];
}
