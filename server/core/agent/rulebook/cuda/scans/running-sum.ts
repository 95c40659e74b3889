import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, statementsOf } from "../../../../language/cuda/body/loops";
import {
  changes,
  isAssigned,
  isPure,
  type LocalValue,
  localValues,
} from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, operands, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { localTypes, plainType } from "../spelling/calls/objects";
import { storedElements } from "./stored-elements";

/** A sum that every turn of a loop makes greater, and whose value on the way there is used. */
export interface RunningSum {
  readonly name: string;
  readonly type: string;
  /** What a turn adds, made of the loop's variable and of what the loop does not change. */
  readonly added: string;
}

/** Types that lanes hand each other in one instruction or two. */
const shuffled =
  /^(?:float|double|int|unsigned|unsigned int|long long|unsigned long long|u?int32_t|u?int64_t|size_t)$/;

/** True for types that lanes hand each other. */
export function isShuffled(type: string): boolean {
  return shuffled.test(plainType(type));
}

/** The one sum that a loop carries and uses on its way; a guard's answer where it carries anything else. */
export function runningSum(view: KernelView, loop: CountedLoop): RunningSum | RuleHold {
  const uneven = notStraight(view, loop);
  if (uneven !== undefined) return uneven;
  const carried = carriedName(loop);
  if (isNot(carried)) return carried;
  const { act, name, condition } = carried;
  const written = localTypes(view).get(name);
  const type = written === undefined ? undefined : plainType(written);
  if (type === undefined || !isShuffled(type))
    return not("type", `lanes cannot hand each other ${name}`, act);
  const part = addedBy(act, name);
  if (part === undefined) return not("dependence", `${name} is no sum of what its turns add`, act);
  const stored = storedElements(view, loop);
  if (isNot(stored)) return stored;
  const added = addedText(view, loop, { act, part, condition, type }, stored);
  return isNot(added) ? added : { name, type, added };
}

interface Step extends Pick<Carried, "act" | "condition"> {
  readonly part: Added;
  readonly type: string;
}

/** What a turn adds, as an expression that any lane can reckon before the turn. */
function addedText(
  view: KernelView,
  loop: CountedLoop,
  { act, part, condition, type }: Step,
  stored: ReadonlySet<string>,
): string | RuleHold {
  const parts = [...(part.node === undefined ? [] : [part.node]), ...(condition ? [condition] : [])];
  const added = parts.map((node) => inlined(view, loop, { part: node, act }));
  const held = added.find(isNot);
  if (held !== undefined) return held;
  const known = added.flatMap((each) => (isNot(each) ? [] : [each]));
  const names = known.flatMap((each) => each.names);
  const early = lateLoad(view, loop, { names, parts, stored });
  if (early !== undefined) return not("dependence", `${compact(early)} is stored before it is added`, early);
  const amount = part.node === undefined ? "1" : (known[0]?.text ?? "");
  const signed = part.negative ? `-(${amount})` : amount;
  if (condition === undefined) return signed;
  return `(${known.at(-1)?.text}) ? static_cast<${type}>(${signed}) : static_cast<${type}>(0)`;
}

/** A guard's answer unless each turn does all of the body, one after the other. */
function notStraight(view: KernelView, loop: CountedLoop): RuleHold | undefined {
  const { step, comparison, bound, start, body, variable } = loop;
  const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount ?? null));
  if (!byOne || !["<", "<="].includes(comparison))
    return not("no-pattern", `${variable} does not count up by one`, loop.loop);
  if (!isPure(bound) || !isPure(start) || isAssigned(body, variable))
    return not("dependence", `the ends or ${variable} may change inside the loop`, loop.loop);
  const moving = bound.descendantsOfType("identifier").find(({ text }) => isAssigned(body, text));
  if (moving !== undefined) return not("dependence", `${moving.text} changes inside the loop`, moving);
  const kinds = ["break_statement", "continue_statement", "return_statement", "goto_statement"];
  const [leaves] = body.descendantsOfType(kinds);
  if (leaves !== undefined) return not("dependence", "a turn may end early", leaves);
  if (body.text.includes("#")) return not("unreadable", "the loop holds a directive", body);
  const acts = body
    .descendantsOfType("call_expression")
    .find((call) => /^(?:atomic|__sync|__shfl|__threadfence|printf)|&/.test(compact(call)));
  if (acts !== undefined) return not("dependence", "the loop calls what may change memory", acts);
  const { atomics } = cudaAccesses(view.kernel);
  const atomic = atomics.find(({ node }) => isInside(node, body));
  return atomic && not("dependence", "the loop changes memory by an atomic", atomic.node);
}

interface Carried {
  readonly name: string;
  readonly act: SyntaxNode;
  /** On which a turn changes it; undefined where each does. */
  readonly condition?: SyntaxNode;
}

/** The only variable from outside that a loop changes, once in a turn, or on a condition. */
function carriedName({ body, loop }: CountedLoop): Carried | RuleHold {
  const own = declaredIn(body);
  const outer = changes(body).filter(({ target }) => target.type === "identifier" && !own.has(target.text));
  const [first, second] = outer;
  if (first === undefined) return not("no-pattern", "the loop carries nothing", loop);
  if (second !== undefined)
    return not("dependence", `${second.target.text} is carried from turn to turn, too`, second.act);
  const statement = first.act.parent;
  const all = statementsOf(body);
  const found = { name: first.target.text, act: first.act };
  if (all.some(({ id }) => id === statement?.id)) return found;
  const choice = all.find((node) => node.type === "if_statement" && isInside(first.act, node));
  const condition = conditionAlone(choice, statement);
  return condition === undefined || usesOf(condition, found.name).length > 0
    ? not("dependence", `${found.name} does not change in each turn`, first.act)
    : { ...found, condition };
}

/** The condition of an `if` that holds a statement itself, and has no other way. */
function conditionAlone(
  choice: SyntaxNode | undefined,
  statement: SyntaxNode | null,
): SyntaxNode | undefined {
  const condition = choice?.childForFieldName("condition")?.childForFieldName("value");
  const own = statementsOf(choice?.childForFieldName("consequence") ?? null);
  const plain =
    choice?.childForFieldName("alternative") === null && own.some(({ id }) => id === statement?.id);
  return condition && plain && isPure(condition) ? condition : undefined;
}

/** Names that a body declares, with a value or without. */
function declaredIn(body: SyntaxNode): ReadonlySet<string> {
  const names = body
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  return new Set(names);
}

interface Added {
  /** Undefined for a step by one. */
  readonly node: SyntaxNode | undefined;
  readonly negative: boolean;
}

/** `e` of `v += e`, `v -= e`, `v = v + e` and `v = e + v`; a step by one. */
function addedBy(act: SyntaxNode, name: string): Added | undefined {
  if (act.type === "update_expression") return steppedBy(act);
  const right = act.childForFieldName("right");
  if (act.type !== "assignment_expression" || right === null) return undefined;
  const operator = fieldText(act, "operator");
  if (operator === "+=" || operator === "-=")
    return usesOf(right, name).length === 0 ? { node: right, negative: operator === "-=" } : undefined;
  const sides = operands(right, "+");
  const [first, second, ...others] = sides;
  if (operator !== "=" || first === undefined || second === undefined || others.length > 0) return undefined;
  const other = [first, second].find((side) => compact(unwrapped(side)) !== name);
  const both = [first, second].filter((side) => compact(unwrapped(side)) === name);
  return other && both.length === 1 && usesOf(other, name).length === 0
    ? { node: other, negative: false }
    : undefined;
}

function steppedBy(act: SyntaxNode): Added | undefined {
  const alone = act.parent?.type === "expression_statement";
  return alone ? { node: undefined, negative: act.text.includes("--") } : undefined;
}

interface Addend {
  readonly part: SyntaxNode;
  readonly act: SyntaxNode;
}

/** What a turn adds with the values of the body's own names in their places. */
function inlined(
  view: KernelView,
  { body }: CountedLoop,
  { part, act }: Addend,
): { readonly text: string; readonly names: readonly LocalValue[] } | RuleHold {
  const own = declaredIn(body);
  const top = new Set(statementsOf(body).map(({ id }) => id));
  const values = localValues(body).filter(
    ({ declaration, name }) =>
      top.has(declaration.id) && declaration.endIndex <= act.startIndex && !isAssigned(body, name),
  );
  const taken: LocalValue[] = [];
  const textOf = (node: SyntaxNode, depth: number): string | undefined => {
    const edits = [];
    for (const use of node.descendantsOfType("identifier")) {
      if (!own.has(use.text)) continue;
      const value = values.find(({ name }) => name === use.text);
      const inner = value === undefined || depth > 8 ? undefined : textOf(value.value, depth + 1);
      if (value === undefined || inner === undefined) return undefined;
      taken.push(value);
      const type = plainType(fieldText(value.declaration, "type"));
      edits.push(replaceNode(use, type === "auto" ? `(${inner})` : `static_cast<${type}>(${inner})`));
    }
    return editedText(view.source, { start: node.startIndex, end: node.endIndex }, edits);
  };
  const text = textOf(part, 0);
  return text === undefined
    ? not("dependence", "what a turn adds is made of more than expressions", part)
    : { text, names: taken };
}

/** A load of what a turn adds behind a store to the same array. */
function lateLoad(
  view: KernelView,
  { body }: CountedLoop,
  {
    names,
    parts,
    stored,
  }: {
    readonly names: readonly LocalValue[];
    readonly parts: readonly SyntaxNode[];
    readonly stored: ReadonlySet<string>;
  },
): SyntaxNode | undefined {
  const sources = [...parts, ...names.map(({ value }) => value)];
  const stores = changes(body).filter(({ target }) => target.type !== "identifier");
  return sources
    .flatMap((node) => node.descendantsOfType("identifier"))
    .filter(({ text }) => stored.has(text))
    .find((load) =>
      stores.some(({ act, target }) => act.endIndex <= load.startIndex && target.text.startsWith(load.text)),
    );
}
