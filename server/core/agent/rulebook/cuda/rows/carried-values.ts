import { changes, localValues } from "../../../../language/cuda/body/scope";
import { statementsOf } from "../../../../language/cuda/body/loops";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { type OnlineSum, onlineSum, type RunningVariance, runningVariance } from "./running-values";

/** How two partial values become one. */
type Combination = "sum" | "greatest" | "least" | "online" | "variance";

/** A variable that a loop makes out of all its iterations, in whatever order they come. */
export interface CarriedValue {
  readonly name: string;
  readonly combination: Combination;
  /** The variable that holds the iteration in which the greatest or least value was met first. */
  readonly place?: string;
  /** The sum of exponentials that is kept below a running maximum. */
  readonly online?: OnlineSum;
  /** The mean and variance that are kept up to date. */
  readonly variance?: RunningVariance;
}

/**
 * The variables from outside of a loop that its body changes; a guard's answer when one of them needs the
 * iterations in their order.
 */
export function carriedValues(
  body: SyntaxNode,
  variable: string,
  { members = false }: { readonly members?: boolean } = {},
): readonly CarriedValue[] | RuleHold {
  const outer = outerChanges(body);
  const held = membersHeld(body, outer, members);
  return held ?? carriedBy(body, variable, outer);
}

function carriedBy(
  body: SyntaxNode,
  variable: string,
  outer: readonly Change[],
): readonly CarriedValue[] | RuleHold {
  const choices = outer.flatMap(({ act }) => placedChoice(act, variable) ?? []);
  const carried = new Map<string, CarriedValue>(choices.map(({ value }) => [value.name, value]));
  const steps = new Set<number>();
  const group = groupOf(body, variable, [...new Set(outer.map(({ target }) => compact(target)))]);
  if (group !== undefined) {
    carried.set(group.name, group);
    for (const name of namesOf(group)) for (const { id } of usesOf(body, name)) steps.add(id);
  }
  for (const { whole, value } of choices)
    for (const name of [value.name, value.place]) for (const { id } of usesOf(whole, name)) steps.add(id);
  for (const { act, target } of outer) {
    if (steps.has(target.id)) continue;
    const name = compact(target);
    const step = stepOf(act, name);
    if (step === undefined || (carried.get(name)?.combination ?? step.combination) !== step.combination)
      return not("dependence", `${name} depends on the order of the iterations`, act);
    carried.set(name, { name, combination: step.combination });
    for (const use of usesOf(step.whole, name)) steps.add(use.id);
  }
  const names = [...carried.values()].flatMap(namesOf);
  const other = names.flatMap((name) => usesOf(body, name)).find((use) => !steps.has(use.id));
  return other === undefined
    ? [...carried.values()]
    : not("dependence", `${other.text} is used before all of it is known`, other);
}

type Change = ReturnType<typeof changes>[number];

/** Changes of variables from outside, and of members of such variables. */
function outerChanges(body: SyntaxNode): readonly Change[] {
  const own = new Set([...localValues(body).map(({ name }) => name), ...bareLocals(body)]);
  return changes(body).filter(({ target }) => {
    const object = objectOf(target);
    return object !== undefined && !own.has(object.text);
  });
}

/** Why members may not be taken for variables of their own; nothing where none is changed. */
function membersHeld(body: SyntaxNode, outer: readonly Change[], members: boolean): RuleHold | undefined {
  const member = outer.find(({ target }) => target.type !== "identifier");
  if (member === undefined) return undefined;
  if (!members)
    return not("dependence", `${compact(member.target)} depends on the order of the iterations`, member.act);
  const whole = usedWhole(
    body,
    outer.map(({ target }) => target),
  );
  return whole && not("dependence", `${whole.text} is used as a whole`, whole);
}

/** The variable of a target `name` or `name.member`. */
function objectOf(target: SyntaxNode): SyntaxNode | undefined {
  if (target.type === "identifier") return target;
  const object = target.type === "field_expression" ? target.childForFieldName("argument") : null;
  const plain = object?.type === "identifier" && fieldText(target, "operator") === ".";
  return plain ? object : undefined;
}

/** A use of a variable of members other than by one of them. */
function usedWhole(body: SyntaxNode, targets: readonly SyntaxNode[]): SyntaxNode | undefined {
  const objects = targets.flatMap((target) => (target.type === "identifier" ? [] : (objectOf(target) ?? [])));
  return objects
    .flatMap(({ text }) => usesOf(body, text))
    .find((use) => use.parent?.type !== "field_expression");
}

/** Variables that a loop sums up in, or takes the extreme of, in any order; none where it does more. */
export function combinedIn(body: SyntaxNode, variable: string): ReadonlySet<string> {
  const carried = carriedValues(body, variable);
  if ("kind" in carried) return new Set();
  const plain = carried.filter(({ place, online, variance }) => (place ?? online ?? variance) === undefined);
  return new Set(plain.map(({ name }) => name));
}

/** Variables that only make sense together: they are told by what the body makes of numbers. */
function groupOf(body: SyntaxNode, variable: string, changed: readonly string[]): CarriedValue | undefined {
  if (changed.length < 2 || changed.some((name) => name.includes("."))) return undefined;
  const online = onlineSum(body, changed);
  if (online !== undefined) return { name: online.maximum, combination: "online", online };
  const variance = runningVariance(body, { changed, variable });
  return variance && { name: variance.mean, combination: "variance", variance };
}

/** Every variable of a value. */
function namesOf({ name, place, online, variance }: CarriedValue): readonly string[] {
  const others = [place, online?.total, variance?.squares, variance?.count];
  return [name, ...others.flatMap((other) => other ?? [])];
}

/** Variables that a body declares without a value. */
function bareLocals(body: SyntaxNode): readonly string[] {
  return body
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => (node.type === "identifier" ? [node.text] : []));
}

interface Step {
  readonly combination: Combination;
  /** All that may name the variable. */
  readonly whole: SyntaxNode;
}

/** `v += e`, `v++`, `v = v + e`, `v = fmaf(a, b, v)`, `v = fmaxf(v, e)`, `if (e > v) v = e;`. */
function stepOf(act: SyntaxNode, name: string): Step | undefined {
  if (act.type === "update_expression")
    return act.text.includes("++") ? { combination: "sum", whole: act } : undefined;
  const right = act.childForFieldName("right");
  if (act.type !== "assignment_expression" || right === null) return undefined;
  const operator = fieldText(act, "operator");
  const named = usesOf(right, name).length;
  if (operator === "+=" || operator === "-=")
    return named === 0 ? { combination: "sum", whole: act } : undefined;
  if (operator !== "=") return undefined;
  if (named === 0) return chosenStep(act, name, right);
  const choice = pickedValue(unwrapped(right), name);
  if (choice !== undefined) return { combination: choice, whole: act };
  const combination = named === 1 ? combinationOf(unwrapped(right), name) : undefined;
  return combination === undefined ? undefined : { combination, whole: act };
}

const least = /^(?:std::|::)?(?:f?minf?|__hmin)$/;
const greatest = /^(?:std::|::)?(?:f?maxf?|__hmax)$/;
const multiplyAdd = /^(?:std::)?(?:fmaf?|__fmaf_rn|__fma_rn)$/;

function combinationOf(value: SyntaxNode, name: string): Combination | undefined {
  if (value.type === "binary_expression")
    return operands(value, "+").some((term) => compact(term) === name) ? "sum" : undefined;
  if (value.type !== "call_expression") return undefined;
  const callee = compact(value.childForFieldName("function")).replace(/<.*>$/, "");
  const parts = partsOf(value.childForFieldName("arguments")).map((part) => compact(unwrapped(part)));
  if (multiplyAdd.test(callee)) return parts[2] === name ? "sum" : undefined;
  if (!parts.includes(name) || parts.length !== 2) return undefined;
  if (greatest.test(callee)) return "greatest";
  return least.test(callee) ? "least" : undefined;
}

/** `e > v ? e : v` and its other spellings. */
function pickedValue(value: SyntaxNode, name: string): Combination | undefined {
  const condition = value.childForFieldName("condition");
  const [taken, kept] = [value.childForFieldName("consequence"), value.childForFieldName("alternative")];
  if (value.type !== "conditional_expression" || !condition || taken === null || kept === null)
    return undefined;
  const sides = [unwrapped(taken), unwrapped(kept)];
  const other = sides.find((side) => compact(side) !== name);
  if (other === undefined || !sides.some((side) => compact(side) === name)) return undefined;
  if (usesOf(other, name).length > 0) return undefined;
  const compared = comparedWith(unwrapped(condition), name, other);
  if (compared === undefined) return undefined;
  if (compact(sides[0]) !== name) return compared.combination;
  return compared.combination === "greatest" ? "least" : "greatest";
}

/** `if (e > v) v = e;` and its three other spellings. */
function chosenStep(act: SyntaxNode, name: string, value: SyntaxNode): Step | undefined {
  const choice = choiceAround(act);
  if (choice?.consequence.length !== 1) return undefined;
  const compared = comparedWith(choice.condition, name, value);
  return compared && { combination: compared.combination, whole: choice.whole };
}

/** `if (e > v) { v = e; place = VARIABLE; }`, seen from `v = e`: the first of equal values wins. */
function placedChoice(act: SyntaxNode, variable: string) {
  const choice = choiceAround(act);
  const [name, value] = [fieldText(act, "left"), act.childForFieldName("right")];
  if (choice?.consequence.length !== 2 || value === null) return undefined;
  const compared = comparedWith(choice.condition, name, value);
  const other = choice.consequence.find((statement) => !isInside(act, statement))?.namedChildren[0];
  const place = other?.childForFieldName("left");
  const isPlace =
    compact(other?.childForFieldName("right")) === variable && fieldText(other, "operator") === "=";
  return compared?.strict === true && isPlace && place?.type === "identifier"
    ? { whole: choice.whole, value: { name, combination: compared.combination, place: place.text } }
    : undefined;
}

interface Choice {
  readonly whole: SyntaxNode;
  readonly condition: SyntaxNode;
  readonly consequence: readonly SyntaxNode[];
}

/** The condition without an alternative that an assignment stands in. */
function choiceAround(act: SyntaxNode): Choice | undefined {
  const whole = enclosing(act, "if_statement");
  const written = whole?.childForFieldName("condition")?.childForFieldName("value");
  const condition = written && unwrapped(written);
  if (!whole || condition?.type !== "binary_expression" || whole.childForFieldName("alternative") !== null)
    return undefined;
  return { whole, condition, consequence: statementsOf(whole.childForFieldName("consequence")) };
}

/** `e > v`, `v < e` and the like. */
function comparedWith(condition: SyntaxNode, name: string, value: SyntaxNode) {
  const operator = fieldText(condition, "operator");
  const [first, second] = [
    compact(condition.childForFieldName("left")),
    compact(condition.childForFieldName("right")),
  ];
  const isFirst = first === compact(value) && second === name;
  const isSecond = second === compact(value) && first === name;
  if ((!isFirst && !isSecond) || !/^[<>]=?$/.test(operator)) return undefined;
  const combination: Combination = operator.startsWith(">") === isFirst ? "greatest" : "least";
  return { combination, strict: operator.length === 1 };
}

/** Two parts under the greater of their maxima; that one is not scaled, as it may be infinite. */
function onlineCombined({ maximum, total, exponential }: OnlineSum, { from, word }: OtherLane): string {
  const [theirs, theirSum, top] = [word("theirs"), word("theirSum"), word("top")];
  const under = (sum: string, most: string): string =>
    `(${most} == ${top} ? ${sum} : ${sum} * ${exponential}(${most} - ${top}))`;
  return [
    `const auto ${theirs} = ${from(maximum)}; const auto ${theirSum} = ${from(total)};`,
    `const auto ${top} = ${theirs} > ${maximum} ? ${theirs} : ${maximum};`,
    `${total} = ${under(total, maximum)} + ${under(theirSum, theirs)}; ${maximum} = ${top};`,
  ].join(" ");
}

/** Mean and squares of two parts together, weighed by how many elements each has seen. */
function varianceCombined(
  { mean, squares }: RunningVariance,
  count: string,
  { from, word }: OtherLane,
): string {
  const [theirMean, theirSquares, theirCount] = [word("theirMean"), word("theirSquares"), word("theirCount")];
  const [both, apart] = [word("both"), word("apart")];
  return [
    `const auto ${theirMean} = ${from(mean)}; const auto ${theirSquares} = ${from(squares)};`,
    `const auto ${theirCount} = ${from(count)}; const auto ${both} = ${count} + ${theirCount};`,
    `const auto ${apart} = ${theirMean} - ${mean};`,
    `if (${both} > 0) { ${mean} += ${apart} * ${theirCount} / ${both};`,
    `${squares} += ${theirSquares} + ${apart} * ${apart} * ${count} * ${theirCount} / ${both}; }`,
    `${count} = ${both};`,
  ].join(" ");
}

/** What a lane takes from another one, and names for it that are none of the carried values'. */
interface OtherLane {
  from(value: string): string;
  word(plain: string): string;
}

/** Lanes that combine their parts: all of a warp, or as many neighbours, whose bits a name holds. */
interface Group {
  readonly lanes: number;
  readonly mask: string;
}

const wholeWarp: Group = { lanes: 32, mask: "0xffffffffu" };

/** The statement by which the lanes of a group combine their parts, so that each has the whole. */
export function combinedByWarp(
  { name, combination, place, online, variance }: CarriedValue,
  offset: string,
  { seen = "seen", lanes, mask }: { readonly seen?: string } & Group = wholeWarp,
): string {
  const head = `for (int ${offset} = ${lanes / 2}; ${offset} > 0; ${offset} /= 2)`;
  const carried = [name, place, ...Object.values({ ...online, ...variance })];
  const other: OtherLane = {
    from: (value) => `__shfl_xor_sync(${mask}, ${value}, ${offset})`,
    word: (plain) => (carried.includes(plain) ? `${plain}Other` : plain),
  };
  if (online !== undefined) return `${head} { ${onlineCombined(online, other)} }`;
  if (variance !== undefined)
    return `${head} { ${varianceCombined(variance, variance.count ?? seen, other)} }`;
  if (combination === "sum") return `${head} ${name} += ${other.from(name)};`;
  const [theirs, where] = [other.word("theirs"), other.word("where")];
  const better = `${theirs} ${combination === "greatest" ? ">" : "<"} ${name}`;
  const taken = `const auto ${theirs} = ${other.from(name)};`;
  if (place === undefined) return `${head} { ${taken} if (${better}) ${name} = ${theirs}; }`;
  const both = `${taken} const auto ${where} = ${other.from(place)};`;
  const sooner = `${theirs} == ${name} && ${where} < ${place}`;
  return `${head} { ${both} if (${better} || (${sooner})) { ${name} = ${theirs}; ${place} = ${where}; } }`;
}
