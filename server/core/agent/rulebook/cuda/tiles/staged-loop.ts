import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { conditionsOfLoad } from "../points/loaded-ahead";
import { accessesIn, elementTypeOf, type PointSpace } from "../points/point-space";
import { isConversion } from "../points/reads-memory";
import {
  mayWait,
  type PreparedValue,
  preparedIn,
  readLater,
  usedElsewhere,
  withoutNames,
  withPrepared,
} from "./prepared-values";

/** A variable of a point that the loop changes. */
interface PointState {
  readonly name: string;
  readonly type: string;
  readonly start: string;
}

/** A load in the loop that all points of one row or of one column share. */
export interface SharedOperand {
  readonly node: SyntaxNode;
  /** As it is written where its element is staged. */
  readonly text: string;
  /** The axis whose number it depends on: 0 or 1. */
  readonly axis: 0 | 1;
  readonly elementType: string;
  /** True where neighbouring iterations read neighbouring elements. */
  readonly alongLoop: boolean;
}

/** `T sum = 0; for (…) sum += a[row, k] * b[k, column]; out[row, column] = sum;` of a point. */
export interface StagedLoop {
  readonly loop: CountedLoop;
  readonly states: readonly PointState[];
  /** Declarations in front of the loop that are no state. */
  readonly locals: readonly string[];
  readonly operands: readonly SharedOperand[];
  readonly statements: readonly SyntaxNode[];
  readonly after: readonly SyntaxNode[];
  /** Declarations in front of the loop that only what stands behind it reads, where it does. */
  readonly late: readonly string[];
  /** True where an iteration in which all operands are zero changes nothing. */
  readonly zeroSafe: boolean;
}

/** The loop of a point's work in which points share what they load; a guard's answer when there is none. */
export function stagedLoop(view: KernelView, space: PointSpace): StagedLoop | RuleHold {
  const place = space.statements.findIndex(({ type }) => type === "for_statement");
  const statement = space.statements[place];
  const loop = countedLoops(view.body).find((each) => each.loop.id === statement?.id);
  if (statement === undefined || loop === undefined)
    return not("no-pattern", "no counted loop makes up a point's work", statement ?? view.line);
  const { step, comparison, bound, start } = loop;
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (!byOne || !["<", "!=", "<="].includes(comparison) || !isPure(bound) || !isPure(start))
    return not("no-pattern", `${loop.variable} does not count up to an end by one`, statement);
  const numbers = space.axes.map(({ name }) => name);
  const uneven = numbers.find((name) => usesOf(bound, name).length + usesOf(start, name).length > 0);
  if (uneven !== undefined) return not("dependence", `the loop is as long as ${uneven} says`, statement);
  const inside = innerWork(loop);
  if (isNot(inside)) return inside;
  const front = { before: space.statements.slice(0, place), loop };
  const { prepared, waiting, rest } = preparedBefore(view, space, front);
  const before = declared(rest, loop);
  if (isNot(before)) return before;
  const states = [...before.states.map(({ name }) => name), ...declaredIn(loop.body)];
  const found = operandsOf(view, space, { loop, body: inside, prepared, states });
  if (isNot(found)) return found;
  const after = space.statements.slice(place + 1);
  const held = heldBehind(view, { inside, after, prepared, found });
  if (held !== undefined) return held;
  const late = readLater(after, [...prepared, ...waiting]);
  const zeroSafe = isZeroSafe(inside, found);
  return { loop, ...before, operands: found, statements: inside, after, late, zeroSafe };
}

/** Why what stands in the loop and behind it cannot be dealt out to other threads. */
function heldBehind(
  view: KernelView,
  {
    inside,
    after,
    prepared,
    found,
  }: {
    readonly inside: readonly SyntaxNode[];
    readonly after: readonly SyntaxNode[];
    readonly prepared: readonly PreparedValue[];
    readonly found: readonly SharedOperand[];
  },
): RuleHold | undefined {
  const nodes = found.map(({ node }) => node);
  const kept = usedElsewhere(inside, prepared, nodes);
  if (kept !== undefined)
    return not("dependence", `${kept.text} is prepared in front of the loop and used beside operands`, kept);
  const read = accessesIn(view, [...inside, ...prepared.map(({ declaration }) => declaration)]);
  const late = accessesIn(view, after).find((access) =>
    read.some(({ parameter }) => access.stores && parameter === access.parameter),
  );
  return late && not("aliasing", `${late.base} is loaded as well as stored`, late.node);
}

/** What stands in front of the loop: values that operands are combined with, and the rest. */
function preparedBefore(
  view: KernelView,
  space: PointSpace,
  { before, loop }: { readonly before: readonly SyntaxNode[]; readonly loop: CountedLoop },
): {
  readonly prepared: readonly PreparedValue[];
  readonly waiting: readonly PreparedValue[];
  readonly rest: readonly SyntaxNode[];
} {
  const changed = new Set(changes(loop.body).map(({ target }) => target.text));
  const [prepared, waiting]: [PreparedValue[], PreparedValue[]] = [[], []];
  const rest: SyntaxNode[] = [];
  for (const statement of before) {
    const found = statement.type === "declaration" ? preparedIn(view, space, statement) : undefined;
    const isSteady = found?.every(({ name }) => !changed.has(name)) === true;
    const known = [...prepared, ...waiting].map(({ name }) => name);
    if (statement.type === "declaration" && mayWait(view, statement, { body: loop.body, known }))
      waiting.push(...localValues(statement).map((each) => ({ ...each, declaration: statement })));
    else if (found !== undefined && isSteady) prepared.push(...found);
    else rest.push(statement);
  }
  return { prepared, waiting, rest };
}

/** The statements of the loop, none of which may leave it or store. */
function innerWork({ body }: CountedLoop): readonly SyntaxNode[] | RuleHold {
  const inner = statementsOf(body);
  const [other] = body.descendantsOfType([
    ...["for_statement", "while_statement", "do_statement", "break_statement"],
    ...["return_statement", "goto_statement", "continue_statement"],
  ]);
  if (other !== undefined)
    return not("no-pattern", `the loop holds a ${other.type.replace("_statement", "")}`, other);
  const stored = changes(body).find(({ target }) => target.type !== "identifier");
  return stored === undefined ? inner : not("dependence", "the loop stores to memory", stored.act);
}

/** What stands in front of the loop: variables that it changes, and others. */
function declared(
  before: readonly SyntaxNode[],
  { body }: CountedLoop,
): Pick<StagedLoop, "states" | "locals"> | RuleHold {
  const changed = new Set(changes(body).map(({ target }) => target.text));
  const states: PointState[] = [];
  const locals: string[] = [];
  for (const statement of before) {
    const own = localValues(statement);
    const reads = statement
      .descendantsOfType(["subscript_expression", "call_expression"])
      .find((node) => !isConversion(node));
    if (statement.type !== "declaration" || reads !== undefined)
      return not("dependence", "something else than a number is prepared in front of the loop", statement);
    const type = fieldText(statement, "type");
    const among = own.filter(({ name }) => changed.has(name));
    if (among.length > 0 && (among.length < own.length || type === "auto"))
      return not("no-pattern", "what the loop changes is declared together with something else", statement);
    if (among.length === 0) locals.push(statement.text);
    states.push(...among.map(({ name, value }) => ({ name, type, start: value.text })));
  }
  const inner = new Set(declaredIn(body));
  const unknown = [...changed].find(
    (name) => !inner.has(name) && !states.some((state) => state.name === name),
  );
  return unknown === undefined
    ? { states, locals }
    : not("dependence", `${unknown} is changed in the loop and not declared in front of it`, body);
}

function declaredIn(body: SyntaxNode): readonly string[] {
  return body
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

/** A loop's statements with what is prepared in front of it, and the names of what it changes. */
interface LoopWork {
  readonly loop: CountedLoop;
  readonly body: readonly SyntaxNode[];
  readonly prepared: readonly PreparedValue[];
  readonly states: readonly string[];
}

function operandsOf(
  view: KernelView,
  space: PointSpace,
  { loop, body, prepared, states }: LoopWork,
): readonly SharedOperand[] | RuleHold {
  const found: SharedOperand[] = [];
  for (const access of accessesIn(view, body)) {
    if (found.some(({ node }) => isInside(access.node, node))) continue;
    const single = operandOf(view, space, { loop, access });
    if (isNot(single)) return single;
    const node = withPrepared(space, access.node, { prepared, states });
    const operand = { ...single, node, text: withoutNames(view, node, prepared) };
    const conditions = conditionsOfLoad(access.node, body);
    if (isNot(conditions)) return conditions;
    if (conditions.length > 0)
      return not("dependence", `${compact(access.node)} is loaded only under a condition`, access.node);
    found.push(operand);
  }
  const numbers = space.axes.map(({ name }) => name);
  const outside = body
    .flatMap((node) => numbers.flatMap((name) => usesOf(node, name)))
    .find((use) => !found.some(({ node }) => isInside(use, node)));
  if (outside !== undefined)
    return not("dependence", `${outside.text} is used for more than the operands`, outside);
  const axes = new Set(
    found.flatMap(({ node, axis }) => (usesOf(node, loop.variable).length > 0 ? [axis] : [])),
  );
  return axes.size === 2 ? found : not("no-pattern", "points along one axis share no operand", loop.loop);
}

function operandOf(
  view: KernelView,
  space: PointSpace,
  { loop, access }: { readonly loop: CountedLoop; readonly access: CudaAccess },
): SharedOperand | RuleHold {
  const { node, parameter, indexNode } = access;
  const elementType = elementTypeOf(view, parameter);
  if (elementType === undefined || indexNode === undefined)
    return not("type", `${compact(node)} cannot be loaded ahead`, node);
  const on = space.axes.map(({ name }) => space.dependsOn(node, name));
  const steps = space.form(indexNode).get(loop.variable);
  if (on[0] === on[1]) return not("no-pattern", `${compact(node)} serves one output alone, or all`, node);
  return { node, text: node.text, axis: on[0] === true ? 0 : 1, elementType, alongLoop: steps === 1 };
}

/** `sum += a * b`, in its spellings: with operands of zero it adds nothing. */
function isZeroSafe(body: readonly SyntaxNode[], found: readonly SharedOperand[]): boolean {
  const named = body.slice(0, -1).map(localValues);
  const values = new Map(named.flat().map(({ name, value }) => [name, value]));
  const act = body.at(-1)?.namedChildren[0];
  const right = act?.childForFieldName("right");
  if (named.some((each) => each.length === 0) || act?.type !== "assignment_expression" || !right)
    return false;
  const name = fieldText(act, "left");
  const terms = fieldText(act, "operator") === "+=" ? [unwrapped(right)] : addedTo(right, name);
  const [term, ...others] = terms ?? [];
  if (term === undefined || others.length > 0) return false;
  return operands(term, "*").some((part) => {
    const inner = withoutConversion(part);
    const plain = withoutConversion(values.get(inner.text) ?? inner);
    return found.some(({ node }) => node.id === plain.id);
  });
}

/** The other terms of `name + …`, or the product of `fmaf(a, b, name)` by its first factor. */
function addedTo(right: SyntaxNode, name: string): readonly SyntaxNode[] | undefined {
  const value = unwrapped(right);
  if (value.type === "call_expression" && /fma/.test(fieldText(value, "function"))) {
    const [first, , added] = partsOf(value.childForFieldName("arguments"));
    return first !== undefined && compact(added) === name ? [first] : undefined;
  }
  const terms = operands(value, "+");
  return terms.some((term) => term.text === name) ? terms.filter((term) => term.text !== name) : undefined;
}

/** What stands under casts and conversions of one operand. */
function withoutConversion(part: SyntaxNode): SyntaxNode {
  let inner = unwrapped(part);
  for (;;) {
    const parts = partsOf(inner.childForFieldName("arguments"));
    const next = inner.type === "cast_expression" ? inner.childForFieldName("value") : parts[0];
    if (!next || (inner.type === "call_expression" && parts.length !== 1)) return inner;
    if (inner.type !== "cast_expression" && inner.type !== "call_expression") return inner;
    inner = unwrapped(next);
  }
}
