import { compact, isInside, lineOf, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { isCallOf, keyword, languageCalls, positional, type TritonView } from "../kernel";
import { dependencesOf } from "../spread/dependence";
import { isSteady } from "./dealt-turns";

/** What goes from turn to turn. */
interface CarriedSums {
  /** Names that grow by a sum in each turn, from 0. */
  readonly sums: readonly string[];
  /** `x_ptrs += STEP`, the same in each turn. */
  readonly steps: readonly SyntaxNode[];
}

/** Sums and steady steps; a guard's answer where more is carried. */
export function carriedThrough(view: TritonView, loop: SyntaxNode): CarriedSums | RuleHold {
  const body = loop.childForFieldName("body");
  const sums = new Set<string>();
  const steps: SyntaxNode[] = [];
  for (const act of body?.descendantsOfType(["assignment", "augmented_assignment"]) ?? []) {
    for (const { text } of act.childForFieldName("left")?.descendantsOfType("identifier") ?? []) {
      const outside = usesOf(view.body, text).some((use) => !isInside(use, loop));
      if (!outside || isStep(loop, act)) continue;
      if (!isSum(act, text) && !isProductSum(view, act, text))
        return not("dependence", `${text} is carried from turn to turn`, act);
      if (isSteady(view, loop, act)) {
        steps.push(act);
        continue;
      }
      const held = sumHold(view, loop, text);
      if (held !== undefined) return { ...held, line: lineOf(act) };
      sums.add(text);
    }
  }
  const store = languageCalls(view, ["store"], loop).find((call) => !differs(view, loop, call));
  if (store !== undefined) return not("dependence", "all turns store to the same place", store);
  const atomic = loop
    .descendantsOfType("call")
    .find((call) => /\.(atomic_\w+|debug_barrier)$/.test(compact(call.childForFieldName("function"))));
  return atomic
    ? not("cooperation", "the loop does more than load and store", atomic)
    : { sums: [...sums], steps };
}

/** What stands in the way of making a sum in parts. */
function sumHold(view: TritonView, loop: SyntaxNode, name: string): RuleHold | undefined {
  if (isReadElsewhere(loop, name)) return not("dependence", `${name} is carried from turn to turn`, loop);
  return beginsAtZero(view, loop, name) ? undefined : not("no-rewrite", `${name} does not begin at 0`, loop);
}

/** True where a turn asks how far a sum has come, as in a scan. */
function isReadElsewhere(loop: SyntaxNode, name: string): boolean {
  const acts = loop
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name);
  return usesOf(loop, name).some((use) => !acts.some((act) => isInside(use, act)));
}

/** `start += BLOCK` at the end of a `while`. */
function isStep(loop: SyntaxNode, act: SyntaxNode): boolean {
  const last = partsOf(loop.childForFieldName("body")).at(-1);
  return loop.type === "while_statement" && act.parent?.id === last?.id;
}

/** `s += x`, `s = s + x`. */
function isSum(act: SyntaxNode, name: string): boolean {
  const right = act.childForFieldName("right");
  if (right === null || act.childForFieldName("left")?.text !== name) return false;
  if (act.type === "augmented_assignment")
    return /^[+-]=$/.test(act.childForFieldName("operator")?.text ?? "") && usesOf(right, name).length === 0;
  const terms = operands(right, "+");
  const others = terms.filter(({ text }) => text !== name);
  return (
    terms.length > 1 &&
    others.length === terms.length - 1 &&
    others.every((term) => usesOf(term, name).length === 0)
  );
}

/** `acc = tl.dot(a, b, acc)`. */
function isProductSum(view: TritonView, act: SyntaxNode, name: string): boolean {
  const right = act.childForFieldName("right");
  if (right === null || act.type !== "assignment" || act.childForFieldName("left")?.text !== name)
    return false;
  const carried = keyword(right, "acc") ?? positional(right)[2];
  return isCallOf(view, right, "dot") && carried?.text === name && usesOf(right, name).length === 1;
}

function beginsAtZero(view: TritonView, loop: SyntaxNode, name: string): boolean {
  const given = view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name && act.endIndex <= loop.startIndex);
  const [only] = given;
  const value = only?.childForFieldName("right");
  if (given.length !== 1 || !value) return false;
  const zero = isCallOf(view, value, "full") ? positional(value)[1] : value;
  return isCallOf(view, value, "zeros") || /^0(?:\.0*)?$/.test(zero?.text ?? "");
}

/** True where the address follows the turn. */
function differs(view: TritonView, loop: SyntaxNode, store: SyntaxNode): boolean {
  const variable =
    loop.childForFieldName("left")?.text ?? partsOf(loop.childForFieldName("condition"))[0]?.text;
  const of = dependencesOf(view, (node) =>
    node.type === "identifier" && node.text === variable ? { programs: true, lanes: false } : undefined,
  );
  const [address] = positional(store);
  return address !== undefined && of(address).programs;
}
