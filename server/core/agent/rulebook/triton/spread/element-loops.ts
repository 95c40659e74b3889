import { collapse, compact, isInside, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { isCallOf, positional, type TritonView } from "../kernel";

/** `for i in range(start, end)`, or `while i < end: … i += 1`. */
export interface ElementLoop {
  readonly loop: SyntaxNode;
  readonly body: SyntaxNode;
  readonly variable: string;
  readonly start: string;
  readonly end: SyntaxNode;
  /** The number to replace by the length of a block in `i += 1`; undefined in a `for`. */
  readonly step: SyntaxNode | undefined;
  readonly sums: readonly LoopSum[];
  readonly shifted: readonly ShiftedValue[];
}

/** `previous = value` at the end of a turn: what the turn before had. */
export interface ShiftedValue {
  readonly name: string;
  readonly statement: SyntaxNode;
  /** What the value is made of, by the loop's variable. */
  readonly value: SyntaxNode;
}

/** A statement that adds to what a loop carries, or keeps the extreme of it. */
interface LoopSum {
  readonly name: string;
  /** What is added in each turn. */
  readonly value: SyntaxNode;
  readonly reduction: "sum" | "max" | "min";
}

/** The loops of a kernel that go from element to element; a guard's answer where one does more. */
export function elementLoops(view: TritonView): readonly ElementLoop[] | RuleHold {
  const loops: ElementLoop[] = [];
  for (const loop of view.body.descendantsOfType(["for_statement", "while_statement"])) {
    const found = elementLoop(view, loop);
    if ("kind" in found) return found;
    loops.push(found);
  }
  return loops;
}

/** A loop that goes from element to element; a guard's answer where it does more. */
export function elementLoop(view: TritonView, loop: SyntaxNode): ElementLoop | RuleHold {
  const head = headOf(view, loop);
  if (head === undefined) return not("no-rewrite", "a loop does not go from element to element", loop);
  const nested = head.body.descendantsOfType(["for_statement", "while_statement"])[0];
  if (nested !== undefined) return not("no-rewrite", "loops stand in each other", nested);
  const shifted = head.body.namedChildren.flatMap((statement) => shiftedBy(view, head, statement) ?? []);
  const sums = sumsOf(view, head, shifted);
  return "kind" in sums ? sums : { ...head, sums, shifted };
}

type Head = Omit<ElementLoop, "sums" | "shifted">;

function headOf(view: TritonView, loop: SyntaxNode): Head | undefined {
  const body = loop.childForFieldName("body");
  if (body === null) return undefined;
  return loop.type === "for_statement" ? countedHead(loop, body) : whileHead(view, loop, body);
}

function countedHead(loop: SyntaxNode, body: SyntaxNode): Head | undefined {
  const [variable, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  if (variable?.type !== "identifier" || range?.type !== "call") return undefined;
  if (!/^(?:\w+\.)?(?:static_)?range$/.test(compact(range.childForFieldName("function")))) return undefined;
  const given = positional(range);
  const [first, second, step] = given;
  const end = second ?? first;
  if (end === undefined || (step !== undefined && step.text !== "1")) return undefined;
  const start = second === undefined || first === undefined ? "0" : first.text;
  return { loop, body, variable: variable.text, start, end, step: undefined };
}

function whileHead(view: TritonView, loop: SyntaxNode, body: SyntaxNode): Head | undefined {
  const condition = loop.childForFieldName("condition");
  const [left, end] = partsOf(condition);
  const last = partsOf(body).at(-1);
  const [act] = partsOf(last);
  const step = act?.type === "augmented_assignment" ? act.childForFieldName("right") : null;
  if (condition?.type !== "comparison_operator" || left?.type !== "identifier" || end === undefined)
    return undefined;
  if (compact(condition) !== `${left.text}<${compact(end)}` || !step || step.text !== "1") return undefined;
  if (compact(act) !== `${left.text}+=1`) return undefined;
  const given = givenIn(body, left.text).length === 1 && givenIn(view.body, left.text).length > 1;
  return given ? { loop, body, variable: left.text, start: "", end, step } : undefined;
}

function givenIn(node: SyntaxNode, name: string): readonly SyntaxNode[] {
  return node
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name);
}

/** What a loop carries from one turn to the next, each as a sum or an extreme. */
function sumsOf(
  view: TritonView,
  head: Head,
  shifted: readonly ShiftedValue[],
): readonly LoopSum[] | RuleHold {
  const sums: LoopSum[] = [];
  for (const act of head.body.descendantsOfType(["assignment", "augmented_assignment"])) {
    const name = act.childForFieldName("left");
    if (name?.type !== "identifier") return not("no-rewrite", "a loop gives several names values", act);
    if (head.step !== undefined && name.text === head.variable) continue;
    if (shifted.some(({ statement }) => statement.id === act.parent?.id)) continue;
    const sum = sumIn(view, act, name.text);
    if (sum !== undefined) sums.push(sum);
    const carried = sum === undefined && isCarried(view, head, name.text);
    if (carried) return not("dependence", `${name.text} is carried from turn to turn`, act);
  }
  const read = sums.find(({ name, value }) => {
    const statement = partsOf(head.body).find((part) => isInside(value, part));
    return usesOf(head.body, name).some((use) => statement === undefined || !isInside(use, statement));
  });
  return read === undefined ? sums : not("dependence", `${read.name} is read while it grows`, read.value);
}

/** `previous = value`, where only turns read it, before, and the value follows from the turn alone. */
function shiftedBy(view: TritonView, head: Head, statement: SyntaxNode): ShiftedValue | undefined {
  const [name, given] = renamingIn(statement) ?? [];
  if (head.step !== undefined || name === undefined || given === undefined) return undefined;
  const [source, ...others] = givenIn(head.body, given.text);
  const value = source?.type === "assignment" ? source.childForFieldName("right") : undefined;
  const uses = usesOf(view.body, name.text).filter((use) => use.startIndex > head.loop.startIndex);
  const early = uses.every((use) => use.id === name.id || use.endIndex <= statement.startIndex);
  const once = givenIn(head.body, name.text).length === 1 && others.length === 0;
  const plain =
    !!value &&
    value.descendantsOfType("identifier").every(({ text }) => givenIn(head.body, text).length === 0);
  return early && once && plain ? { name: name.text, statement, value } : undefined;
}

/** The two names of `previous = value`. */
function renamingIn(statement: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | undefined {
  const [act] = partsOf(statement);
  const [name, given] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  const named = act?.type === "assignment" && name?.type === "identifier" && given?.type === "identifier";
  return named ? [name, given] : undefined;
}

/** `s += x`, `s = s + x`, `m = tl.maximum(m, x)`. */
function sumIn(view: TritonView, act: SyntaxNode, name: string): LoopSum | undefined {
  const right = act.childForFieldName("right");
  if (right === null) return undefined;
  if (act.type === "augmented_assignment") {
    const adds = /^[+-]=$/.test(act.childForFieldName("operator")?.text ?? "");
    return adds && usesOf(right, name).length === 0 ? { name, value: right, reduction: "sum" } : undefined;
  }
  const parts = right.type === "call" ? positional(right) : operands(right, "+");
  const [value, ...more] = parts.filter(({ text }) => text !== name);
  const reduction = reductionIn(view, right);
  const own = parts.length === 2 && more.length === 0;
  if (value === undefined || reduction === undefined || !own) return undefined;
  return usesOf(value, name).length === 0 ? { name, value, reduction } : undefined;
}

function reductionIn(view: TritonView, node: SyntaxNode): LoopSum["reduction"] | undefined {
  if (node.type === "binary_operator") return "sum";
  const callee = collapse(node.childForFieldName("function")?.text ?? "");
  if (isCallOf(view, node, "maximum") || callee === "max") return "max";
  return isCallOf(view, node, "minimum") || callee === "min" ? "min" : undefined;
}

/** True for a name that is read before the loop's body gives it a value, or outside of the loop. */
function isCarried(view: TritonView, { body, loop }: Head, name: string): boolean {
  const [first] = givenIn(body, name);
  const uses = usesOf(view.body, name).filter((use) => isInside(use, loop));
  const others = usesOf(view.body, name).filter((use) => !isInside(use, loop));
  const early = uses.some((use) => first !== undefined && use.startIndex < first.startIndex);
  const within = first?.childForFieldName("right");
  const own = !!within && usesOf(within, name).length > 0;
  const later = others.some((use) => !isInOtherLoop(view, loop, use));
  return early || own || later || first?.type === "augmented_assignment";
}

/** A loop of its own may use the same name for its own values. */
function isInOtherLoop(view: TritonView, loop: SyntaxNode, use: SyntaxNode): boolean {
  return view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .some((other) => other.id !== loop.id && isInside(use, other));
}
