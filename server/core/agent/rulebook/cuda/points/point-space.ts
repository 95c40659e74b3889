import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type Form, formFrom, formOf, sameForm } from "../../../../language/cuda/body/forms";
import { comparisonOf, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, localValues, type LocalValue } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { threadsCooperate } from "../elements/element-work";
import { formIn, type KernelView } from "../kernel";

/** One of the two numbers of a point: a row or a column. */
export interface PointAxis {
  readonly name: string;
  readonly type: string;
  /** An expression that the number stays below. */
  readonly extent: string;
}

/**
 * A kernel in which each thread does the work of one point of a plane, whichever thread that is: the work can
 * be dealt out anew.
 */
export interface PointSpace {
  readonly axes: readonly [PointAxis, PointAxis];
  /** Lines that define what else the work reads, once both numbers are known. */
  readonly definitions: readonly string[];
  /** Conditions under which the point has work, as they are written. */
  readonly guards: readonly string[];
  readonly statements: readonly SyntaxNode[];
  /** Lines in front, the same for all points. */
  readonly kept: readonly string[];
  /** What a rewrite replaces: from the first line about the point to the end. */
  readonly region: { readonly start: SyntaxNode; readonly end: SyntaxNode };
  /** An expression as a sum of products of the point's numbers and of what is the same for all points. */
  form(node: SyntaxNode): Form;
}

/** What numbers the points, and the locals that are nothing else. */
interface Numbering {
  readonly axes: readonly [NamedAxis, NamedAxis];
  /** The thread's number in the grid, where the points are counted through. */
  readonly flat: { readonly name: string; readonly divisor: string } | undefined;
  /** A loop that takes a thread from one point to the next, with its variable at its start. */
  readonly strip: SyntaxNode | undefined;
}

interface NamedAxis {
  readonly name: string;
  readonly type: string;
  /** The extent that the grid gives, where no condition names another one. */
  readonly launched: string;
}

/** Reads a kernel as work on points; a guard's answer where it is anything else. */
export function pointSpace(view: KernelView, block: readonly number[]): PointSpace | RuleHold {
  const held = threadsCooperate(view);
  if (held !== undefined) return held;
  if ((block[2] ?? 1) !== 1) return not("launch", "the block has three dimensions", view.line);
  const numbering = planeOf(view, block) ?? flatPlane(view, block);
  if (numbering === undefined)
    return not("no-pattern", "no two variables number a point of the output", view.line);
  return spaceOf(view, numbering);
}

/** Two variables, each the thread's number along one axis of the grid. */
function planeOf(view: KernelView, block: readonly number[]): Numbering | undefined {
  const [across, down] = [gridIndex(view, "x", block[0]), gridIndex(view, "y", block[1])];
  if (across === undefined || down === undefined) return undefined;
  const strip = down.strip ?? across.strip;
  const axis = ({ local, side }: GridIndex, of: "x" | "y"): NamedAxis => ({
    name: local.name,
    type: typeOf(local),
    launched: `gridDim.${of} * ${side}`,
  });
  return { axes: [axis(across, "x"), axis(down, "y")], flat: undefined, strip };
}

interface GridIndex {
  readonly local: LocalValue;
  /** Points of a block along the axis, as text. */
  readonly side: string;
  readonly strip: SyntaxNode | undefined;
}

/** `blockIdx.y * SIDE + threadIdx.y`; a side longer than the block's needs a loop that walks over it. */
function gridIndex(view: KernelView, axis: "x" | "y", size: number | undefined): GridIndex | undefined {
  const symbolic = formFrom({ [`blockDim.${axis}*blockIdx.${axis}`]: 1, [`threadIdx.${axis}`]: 1 });
  for (const local of localValues(view.body)) {
    if (isAssigned(view.body, local.name) || local.declaration.parent?.id !== view.body.id) continue;
    const form = formIn(view, local.value);
    if (size === 1 && sameForm(form, formFrom({ [`blockIdx.${axis}`]: 1 })))
      return { local, side: "1", strip: undefined };
    if (sameForm(form, symbolic)) return { local, side: `blockDim.${axis}`, strip: undefined };
    const side = form.get(`blockIdx.${axis}`) ?? 0;
    const plain = sameForm(form, formFrom({ [`blockIdx.${axis}`]: side, [`threadIdx.${axis}`]: 1 }));
    if (!plain || size === undefined || side < 1) continue;
    if (side === size) return { local, side: String(side), strip: undefined };
    const strip = stripOver(view, local.name, { side, size });
    if (strip !== undefined) return { local, side: String(side), strip };
  }
  return undefined;
}

/** `for (int k = 0; k < SIDE; k += SIZE)`, the only loop of the kernel. */
function stripOver(
  view: KernelView,
  index: string,
  { side, size }: { readonly side: number; readonly size: number },
): SyntaxNode | undefined {
  const [strip, ...others] = countedLoops(view.body);
  if (strip === undefined || others.length > 0 || strip.variable === index) return undefined;
  const { start, comparison, bound, step } = strip;
  const strides =
    step.operator === "+" && step.amount !== undefined && view.scope.value(step.amount) === size;
  const whole = comparison === "<" && view.scope.value(start) === 0 && view.scope.value(bound) === side;
  return strides && whole ? strip.loop : undefined;
}

/** `row = index / n` and `column = index % n` of the thread's number in a grid of one dimension. */
function flatPlane(view: KernelView, block: readonly number[]): Numbering | undefined {
  const index = gridIndex(view, "x", block[0]);
  if (index === undefined || index.strip !== undefined || (block[1] ?? 1) !== 1) return undefined;
  const { name } = index.local;
  const parts = localValues(view.body).flatMap((local) => {
    const value = unwrapped(local.value);
    const operator = fieldText(value, "operator");
    const [left, right] = [value.childForFieldName("left"), value.childForFieldName("right")];
    const divides = operator === "/" || operator === "%";
    return divides && left !== null && right !== null && compact(unwrapped(left)) === name
      ? [{ local, operator, right }]
      : [];
  });
  const row = parts.find(({ operator }) => operator === "/");
  const column = parts.find(({ operator }) => operator === "%");
  if (row === undefined || column === undefined || parts.length > 2) return undefined;
  if (!sameForm(formIn(view, row.right), formIn(view, column.right)) || !isPure(row.right)) return undefined;
  const divisor = factorText(row.right);
  const launched = `(gridDim.x * blockDim.x + ${divisor} - 1) / ${divisor}`;
  return {
    axes: [
      { name: column.local.name, type: typeOf(column.local), launched: divisor },
      { name: row.local.name, type: typeOf(row.local), launched },
    ],
    flat: { name, divisor },
    strip: undefined,
  };
}

function typeOf({ declaration }: LocalValue): string {
  const type = fieldText(declaration, "type");
  return type === "auto" ? "int" : type;
}

function factorText(node: SyntaxNode): string {
  return node.type === "identifier" || node.type === "number_literal" ? node.text : `(${node.text})`;
}

/** The statements of the body by what they are to a point. */
interface Parts {
  readonly kept: readonly string[];
  readonly locals: readonly string[];
  readonly guards: readonly Guard[];
  readonly statements: readonly SyntaxNode[];
  readonly start: SyntaxNode;
}

/** A part of a condition; `holds` is false where the thread leaves when it is true. */
interface Guard {
  readonly node: SyntaxNode;
  readonly holds: boolean;
}

function spaceOf(view: KernelView, numbering: Numbering): PointSpace | RuleHold {
  const parts = partsAround(view, numbering);
  if (isNot(parts)) return parts;
  const { flat, strip } = numbering;
  const [first, second] = numbering.axes;
  const index = flat && `const int ${flat.name} = ${second.name} * ${flat.divisor} + ${first.name};`;
  const walked = strip?.childForFieldName("initializer")?.text.trim().replace(/;$/, "");
  const end = view.body.namedChildren.filter(({ type }) => type !== "comment").at(-1) ?? parts.start;
  return {
    axes: [axisOf(first, parts.guards, flat), axisOf(second, parts.guards, flat)],
    definitions: [index, walked === undefined ? undefined : `${walked};`, ...parts.locals].flatMap((line) =>
      line === undefined ? [] : [line],
    ),
    guards: parts.guards.map(({ node, holds }) => (holds ? `(${node.text})` : `!(${node.text})`)),
    statements: parts.statements,
    kept: parts.kept,
    region: { start: parts.start, end },
    form: (node) => formOfPoint(view, numbering, node),
  };
}

/** The end that a condition gives an axis, or that the grid gives. */
function axisOf(
  { name, type, launched }: NamedAxis,
  guards: readonly Guard[],
  flat: Numbering["flat"],
): PointAxis {
  const ends = guards.flatMap((guard) => endOf(guard, name) ?? []);
  const through = flat === undefined ? [] : guards.flatMap((guard) => endOf(guard, flat.name) ?? []);
  const [end, total] = [ends[0], through[0]];
  if (end !== undefined) return { name, type, extent: end };
  const rows = total !== undefined && flat !== undefined && launched !== flat.divisor;
  return { name, type, extent: rows ? rowsOf(total, flat.divisor) : launched };
}

/** How many rows a number of points makes; their product with the length of a row is taken apart. */
function rowsOf(total: string, divisor: string): string {
  const factors = total.replace(/^\((.*)\)$/, "$1").split(" * ");
  const others = factors.filter((factor) => factor !== divisor);
  const product = factors.every((factor) => /^\w+$/.test(factor)) && others.length === factors.length - 1;
  if (product && others.length > 0) return others.length === 1 ? others.join("") : `(${others.join(" * ")})`;
  return `(${total} + ${divisor} - 1) / ${divisor}`;
}

function endOf({ node, holds }: Guard, name: string): string | undefined {
  const compared = comparisonOf(node, name);
  if (compared === undefined || !isPure(compared.bound)) return undefined;
  const text = factorText(compared.bound);
  const below = compared.comparison === (holds ? "<" : ">=");
  if (below) return text;
  return compared.comparison === (holds ? "<=" : ">") ? `(${text} + 1)` : undefined;
}

function formOfPoint(view: KernelView, { axes, flat }: Numbering, node: SyntaxNode): Form {
  const names = new Set([...axes.map(({ name }) => name), ...(flat === undefined ? [] : [flat.name])]);
  const scope = {
    ...view.scope,
    meaning: (name: string) => (names.has(name) ? undefined : view.scope.meaning(name)),
  };
  const form = formOf(node, scope);
  if (flat === undefined || form.get(flat.name) !== 1) return form;
  const others = [...form].filter(([key]) => key !== flat.name);
  const [column, row] = axes;
  const divided = [row.name, flat.divisor].sort().join("*");
  return new Map([...others, [column.name, 1], [divided, 1]]);
}

const memory = ["subscript_expression", "pointer_expression", "call_expression"];

type Names = readonly (string | undefined)[];

function partsAround(view: KernelView, numbering: Numbering): Parts | RuleHold {
  const all = partsOf(view.body).filter(({ type }) => !type.startsWith("preproc"));
  const names = [...numbering.axes.map(({ name }) => name), numbering.flat?.name];
  const dependent = dependsOnPoint(view, names);
  const start = all.find(dependent);
  if (start === undefined) return not("no-pattern", "nothing is done for a point", view.line);
  const [kept, locals, guards]: [string[], string[], Guard[]] = [[], [], []];
  for (const [position, statement] of all.entries()) {
    const role = roleOf(view, { statement, names, about: dependent(statement) });
    if (isNot(role)) return role;
    if (role === "same" && statement.startIndex > start.startIndex) kept.push(statement.text);
    if (role === "local") locals.push(statement.text);
    if (role !== "work") continue;
    const guard = guardIn(statement, position === all.length - 1);
    if (guard !== undefined) guards.push(...guard.guards);
    if (guard?.exits === true) continue;
    const rest = guard?.inside ?? all.slice(position);
    const work = workOf(view, { statements: rest, numbering, guards });
    return isNot(work) ? work : { kept, locals, start, ...work };
  }
  return not("no-pattern", "nothing is done for a point", view.line);
}

/** What a statement in front of the work declares: what all points share, the point's numbers, or a local. */
function roleOf(
  view: KernelView,
  {
    statement,
    names,
    about,
  }: { readonly statement: SyntaxNode; readonly names: Names; readonly about: boolean },
): "same" | "number" | "local" | "work" | RuleHold {
  if (statement.type !== "declaration") return "work";
  const declared = localValues(statement).map(({ name }) => name);
  const numbers = declared.filter((name) => names.includes(name) || servesNumbers(view, name, names));
  const other = declared.find((name) => !numbers.includes(name));
  if (numbers.length > 0)
    return other === undefined
      ? "number"
      : not("no-pattern", `${other} is declared together with the number of the point`, statement);
  if (statement.descendantsOfType(memory).length > 0) return "work";
  return about ? "local" : "same";
}

interface Work {
  readonly statements: readonly SyntaxNode[];
  readonly guards: readonly Guard[];
}

/**
 * The statements of a point: those of the loop over a strip, and of a condition in it, where there is one.
 */
function workOf(
  view: KernelView,
  { statements, numbering, guards }: Work & { readonly numbering: Numbering },
): Work | RuleHold {
  const { strip } = numbering;
  let [inner, all] = [statements, guards];
  if (strip !== undefined) {
    if (inner.length !== 1 || inner[0]?.id !== strip.id)
      return not("no-pattern", "the loop over the strip is not all of the work", strip);
    inner = statementsOf(strip.childForFieldName("body"));
    const [only, ...more] = inner;
    const guard = only !== undefined && more.length === 0 ? guardIn(only, true) : undefined;
    if (guard?.inside !== undefined) [inner, all] = [guard.inside, [...guards, ...guard.guards]];
  }
  const outside = inner
    .flatMap((node) => node.descendantsOfType(["identifier"]))
    .find(({ text, parent }) => /^(threadIdx|blockIdx)$/.test(text) && compact(parent) !== "blockIdx.z");
  if (outside !== undefined)
    return not("dependence", `${compact(outside.parent)} is used for more than the point`, outside);
  const [leaves] = inner.flatMap((node) => node.descendantsOfType(["return_statement", "goto_statement"]));
  if (leaves !== undefined) return not("no-pattern", "the work of a point ends in the middle", leaves);
  return { statements: inner, guards: all };
}

interface GuardStatement {
  readonly guards: readonly Guard[];
  readonly exits: boolean;
  /** The statements under the condition, where it stands around them. */
  readonly inside: readonly SyntaxNode[] | undefined;
}

function guardIn(statement: SyntaxNode, isLast: boolean): GuardStatement | undefined {
  const condition = statement.childForFieldName("condition")?.childForFieldName("value");
  const consequence = statement.childForFieldName("consequence");
  if (statement.type !== "if_statement" || !condition || consequence === null) return undefined;
  if (statement.childForFieldName("alternative") !== null) return undefined;
  const exits = /^\{?return;\}?$/.test(compact(consequence));
  if (!exits && !isLast) return undefined;
  const guards = operands(condition, exits ? "||" : "&&").map((node) => ({ node, holds: !exits }));
  return { guards, exits, inside: exits ? undefined : statementsOf(consequence) };
}

/** Tells whether a statement reads the thread's number, or something that is made of it. */
function dependsOnPoint(view: KernelView, names: Names) {
  const known = new Set(names.flatMap((name) => name ?? []));
  const reads = (node: SyntaxNode): boolean =>
    node
      .descendantsOfType("identifier")
      .some(
        ({ text, parent }) =>
          known.has(text) || (/^(threadIdx|blockIdx)$/.test(text) && compact(parent) !== "blockIdx.z"),
      );
  for (const { name, value } of localValues(view.body)) if (reads(value)) known.add(name);
  return reads;
}

/** True for a local that only the point's numbers are made of: `int tx = threadIdx.x;`. */
function servesNumbers(view: KernelView, name: string, names: Names): boolean {
  const numbers = localValues(view.body).filter((local) => names.includes(local.name));
  const own = localValues(view.body).find((local) => local.name === name);
  if (own === undefined || !/threadIdx|blockIdx/.test(own.value.text)) return false;
  const uses = view.body
    .descendantsOfType("identifier")
    .filter((use) => use.text === name && !isInside(use, own.declaration));
  return uses.every((use) => numbers.some(({ value }) => isInside(use, value)));
}

/** Accesses to global memory among statements. */
export function accessesIn(view: KernelView, statements: readonly SyntaxNode[]) {
  const { accesses } = cudaAccesses(view.kernel);
  return accesses.filter(({ node }) => statements.some((statement) => isInside(node, statement)));
}

/** The element type of the parameter that an access goes to; undefined where it is not written out. */
export function elementTypeOf(view: KernelView, parameter: string): string | undefined {
  const found = view.kernel.facts.parameters.find(({ name }) => name === parameter);
  const plain = found?.type.replace(/\b(const|volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " ");
  return plain?.replace(/\s+/g, " ").trim();
}
