import { constantOf, type Form, formFrom, formOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, type KernelScope, localValues } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { typeOf, unsignedIn } from "../arithmetic/sign";
import type { KernelView } from "../kernel";

/** How far a condition lets a loop's variable go: `VARIABLE * scale <= form`, or `>=`. */
export interface Limit {
  readonly side: "upper" | "lower";
  readonly form: Form;
  /** One, a number, or names of constants. */
  readonly scale: string;
}

/** A loop, and what is known of the names in it. */
export interface LimitedLoop {
  readonly view: KernelView;
  readonly counted: CountedLoop;
  /** Names that are declared or changed in the loop's body. */
  readonly changing: ReadonlySet<string>;
  readonly scope: KernelScope;
  /** True where all threads of a block, or of a warp, have to take the same turns. */
  readonly together: "block" | "warp" | undefined;
}

const blockLevel = /\b__syncthreads\w*\s*\(|\bsync\s*\(\s*\)|\bbarrier\b/;
const warpLevel = /\b__(?:shfl|syncwarp|ballot|any_sync|all_sync|reduce|match)\w*\s*\(/;

export function limitedLoop(view: KernelView, counted: CountedLoop): LimitedLoop {
  const { body } = counted;
  const declared = body.descendantsOfType("declaration").flatMap(declaredIn);
  const changing = new Set([...declared, ...changes(body).map(({ target }) => compact(target))]);
  const warp = warpLevel.test(body.text) ? "warp" : undefined;
  const together = blockLevel.test(body.text) ? "block" : warp;
  return { view, counted, changing, together, scope: nearScope(view, { changing, body, together }) };
}

function declaredIn(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
}

/**
 * Names in front of the loop stay as they are; followed are constants, what the loop declares, and where
 * threads have to take the same turns what differs between them.
 */
function nearScope(
  { scope, model, body: whole }: KernelView,
  { changing, body, together }: Pick<LimitedLoop, "changing" | "together"> & { readonly body: SyntaxNode },
): KernelScope {
  const varies = (["x", "y", "z"] as const).map((axis) => variesWithThread(model, whole, axis));
  const inside = new Set(localValues(body).map(({ name }) => name));
  return {
    value: (expression) => scope.value(expression),
    meaning: (name) => {
      const meaning = scope.meaning(name);
      if (typeof meaning !== "object") return meaning;
      if (changing.has(name)) return inside.has(name) ? meaning : undefined;
      if (scope.value(meaning) !== undefined) return meaning;
      return together !== undefined && varies.some((each) => each(meaning)) ? meaning : undefined;
    },
  };
}

const turned: Readonly<Record<string, string>> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

/** How far a condition lets the loop go where it holds, or where it does not; several of `&&` each. */
export function limitsOf(loop: LimitedLoop, condition: SyntaxNode, holds: boolean): readonly Limit[] {
  const inner = unwrapped(condition);
  const operator = fieldText(inner, "operator");
  const argument = inner.childForFieldName("argument");
  if (inner.type === "unary_expression" && operator === "!" && argument !== null)
    return limitsOf(loop, argument, !holds);
  if (operator === (holds ? "&&" : "||"))
    return operands(inner, operator).flatMap((part) => limitsOf(loop, part, holds));
  const compared = holds ? operator : turned[operator];
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (inner.type !== "binary_expression" || left === null || right === null || compared === undefined)
    return [];
  return sidesOf(left, right, compared).flatMap(([less, more, strict]) => {
    const limit = isWhole(loop, [less.node, more.node]) && limitFrom(loop, less, more, strict);
    return limit ? [limit] : [];
  });
}

interface Side {
  readonly node: SyntaxNode;
  readonly sign: 1 | -1;
}

/** `less <= more`, or `less < more`; of the absolute value of a difference both. */
function sidesOf(
  left: SyntaxNode,
  right: SyntaxNode,
  operator: string,
): readonly (readonly [Side, Side, boolean])[] {
  const strict = operator.length === 1;
  if (operator.startsWith("=") || operator.startsWith("!")) return [];
  const [less, more] = operator.startsWith("<") ? [left, right] : [right, left];
  const within = absoluteOf(less);
  const plus = (node: SyntaxNode): Side => ({ node, sign: 1 });
  if (within === undefined) return absoluteOf(more) === undefined ? [[plus(less), plus(more), strict]] : [];
  return [
    [plus(within), plus(more), strict],
    [{ node: within, sign: -1 }, plus(more), strict],
  ];
}

function absoluteOf(node: SyntaxNode): SyntaxNode | undefined {
  const inner = unwrapped(node);
  const callee = inner.type === "call_expression" ? compact(inner.childForFieldName("function")) : "";
  return /^(?:std::)?(?:abs|labs|llabs)$/.test(callee)
    ? partsOf(inner.childForFieldName("arguments"))[0]
    : undefined;
}

const whole = new RegExp(
  [
    /^(?:unsigned |signed )?(?:int|short|char|long|long long|long int)$/,
    /^(?:unsigned|uint|u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/**
 * True where both sides are sums of whole numbers that cannot begin again at zero: all signed, or nothing is
 * taken away from anything.
 */
function isWhole(loop: LimitedLoop, sides: readonly SyntaxNode[]): boolean {
  const { view, scope } = loop;
  const names = sides.flatMap((side) => side.descendantsOfType("identifier"));
  const known = names.every((name) => {
    const type = typeOf(view, name.text);
    if (type !== undefined) return whole.test(type);
    return (
      name.parent?.type === "field_expression" || scope.value(name) !== undefined || isTemplate(view, name)
    );
  });
  if (!known) return false;
  if (sides.every((side) => unsignedIn(view, side) === undefined)) return true;
  return sides.every((side) => [...formOf(side, view.scope).values()].every((times) => times >= 0));
}

function isTemplate({ kernel }: KernelView, { text }: SyntaxNode): boolean {
  return kernel.facts.templateParameters.some(({ name, kind }) => name === text && kind === "value");
}

function limitFrom(loop: LimitedLoop, less: Side, more: Side, strict: boolean): Limit | undefined {
  const sides = [more, less].map(({ node, sign }) => scaled(formOf(node, loop.scope), sign));
  const [first = new Map(), second = new Map()] = sides;
  // What is left is zero or more.
  const rest = plus(plus(first, second, -1), formFrom({ "": strict ? -1 : 0 }), 1);
  return splitAt(loop, rest);
}

function scaled(form: Form, times: number): Form {
  return new Map([...form].map(([key, each]) => [key, each * times]));
}

/** The sum of a form and some times another one. */
export function plus(one: Form, other: Form, times: number): Form {
  const sum = new Map(one);
  for (const [key, each] of other) {
    const total = (sum.get(key) ?? 0) + times * each;
    if (total === 0) sum.delete(key);
    else sum.set(key, total);
  }
  return sum;
}

/** Takes the loop's variable out of `form >= 0`. */
function splitAt(loop: LimitedLoop, form: Form): Limit | undefined {
  const { variable } = loop.counted;
  const parts = (key: string): readonly string[] => key.split("*");
  const own = [...form].filter(([key]) => parts(key).includes(variable));
  const [found] = own;
  if (found === undefined || own.length > 1) return undefined;
  const [key, times] = found;
  const factors = [...parts(key)];
  factors.splice(factors.indexOf(variable), 1);
  if (!Number.isInteger(times) || factors.some((each) => !isConstant(loop, each))) return undefined;
  const others = new Map([...form].filter(([each]) => each !== key));
  const rest = greatestOf(loop, others);
  if (rest === undefined || ![...rest.keys()].every((each) => isSteady(loop, each))) return undefined;
  const size = Math.abs(times);
  const scale = [...(size === 1 && factors.length > 0 ? [] : [String(size)]), ...factors].join(" * ");
  return times < 0 ? { side: "upper", form: rest, scale } : { side: "lower", form: scaled(rest, -1), scale };
}

/** A factor by which the variable may be multiplied: a constant of the template or of the file. */
function isConstant({ view }: LimitedLoop, name: string): boolean {
  const own = view.kernel.facts.templateParameters.some(
    (each) => each.name === name && each.kind === "value",
  );
  return own || view.model.constants.has(name) || /^blockDim\.[xyz]$/.test(name);
}

/** The most that a sum comes to over the loops inside, and over the threads that take the same turns. */
function greatestOf(loop: LimitedLoop, form: Form): Form | undefined {
  const inner = countedLoops(loop.counted.body);
  let sum = form;
  for (let round = 0; round <= inner.length + 3; round += 1) {
    const [moving] = [...sum].filter(([key]) => bounds(loop, inner, key) !== undefined);
    if (moving === undefined) return sum;
    const [key, times] = moving;
    const range = bounds(loop, inner, key);
    const end = times > 0 ? range?.most : range?.least;
    if (end === undefined) return undefined;
    sum = plus(plus(sum, new Map([[key, times]]), -1), end, times);
  }
  return undefined;
}

interface Range {
  readonly least: Form | undefined;
  readonly most: Form | undefined;
}

/** Between what a term lies: the variable of a loop inside, or a thread's number. */
function bounds(loop: LimitedLoop, inner: readonly CountedLoop[], key: string): Range | undefined {
  const axis = /^threadIdx\.([xyz])$/.exec(key)?.[1];
  if (axis !== undefined && loop.together !== undefined)
    return {
      least: new Map(),
      most: new Map([
        [`blockDim.${axis}`, 1],
        ["", -1],
      ]),
    };
  const own = inner.filter(({ variable }) => variable === key);
  const [first] = own;
  if (first === undefined) return undefined;
  const up = first.step.operator === "+" && /^<=?$/.test(first.comparison);
  if (
    own.length > 1 &&
    new Set(own.map(({ condition, start }) => `${compact(condition)};${compact(start)}`)).size > 1
  )
    return { least: undefined, most: undefined };
  if (!up) return { least: undefined, most: undefined };
  const end = formOf(first.bound, loop.scope);
  const last = first.comparison === "<" ? plus(end, formFrom({ "": 1 }), -1) : end;
  return { least: formOf(first.start, loop.scope), most: last };
}

/** True for a product that no turn changes, and that is the same for all who take the same turns. */
function isSteady({ changing, together, counted }: LimitedLoop, key: string): boolean {
  if (/[[?]|->|\w\(/.test(key)) return false;
  const names: readonly string[] = key.match(/[A-Za-z_]\w*(?:\.\w+)?/g) ?? [];
  if (names.some((name) => changing.has(name) || changing.has(name.split(".")[0] ?? ""))) return false;
  if (names.includes(counted.variable)) return false;
  if (!/threadIdx/.test(key)) return true;
  return together === undefined || (together === "warp" && /\/32\)$/.test(key));
}

/** True where one limit lets the loop go no further than the other one. */
export function isWithin(one: Limit, other: Limit): boolean {
  if (one.side !== other.side || one.scale !== other.scale) return false;
  const distance = constantOf(plus(other.form, one.form, -1));
  if (distance === undefined) return false;
  return one.side === "upper" ? distance >= 0 : distance <= 0;
}

/** Every comparison in a loop's body that a mask may be made of. */
export function comparisonsIn({ counted: { body } }: LimitedLoop): readonly SyntaxNode[] {
  return body
    .descendantsOfType("binary_expression")
    .filter((node) => turned[fieldText(node, "operator")] !== undefined && isInside(node, body));
}
