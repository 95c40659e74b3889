import type { BlockShape } from "../launch/block-shape";
import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type Form, formOf } from "../../../../language/cuda/body/forms";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, isInside, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { blockTable } from "./block-table";
import { isConversion, readsMemory } from "./reads-memory";
import { flatPlane, type Numbering, planeOf, turnedPlane } from "./numbering";
import { axisOf, endOf, type Guard, type PointAxis } from "./point-axes";

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
  /** The same conditions in the source. */
  readonly conditions: readonly Guard[];
  readonly statements: readonly SyntaxNode[];
  /** Lines in front, the same for all points. */
  readonly kept: readonly string[];
  /** True where each block fills shared memory before the work begins. */
  readonly table: boolean;
  /** What a rewrite replaces: from the first line about the point to the end. */
  readonly region: { readonly start: SyntaxNode; readonly end: SyntaxNode };
  /** An expression as a sum of products of the point's numbers and of what is the same for all points. */
  form(node: SyntaxNode): Form;
  /** True when an expression reads a number of the point, directly or through locals. */
  dependsOn(node: SyntaxNode, number: string): boolean;
  /** The definitions that need only the one number. */
  linesFor(axis: 0 | 1): readonly string[];
}

/**
 * Reads a kernel as work on points; a guard's answer where it is anything else. `asGrid`: which axis of the
 * grid has which axis of threads matters to who asks.
 */
export function pointSpace(
  view: KernelView,
  block: BlockShape["sizes"],
  asGrid = true,
): PointSpace | RuleHold {
  const table = blockTable(view);
  if (isNot(table)) return table;
  if (block[2] !== 1) return not("launch", "the block has three dimensions", view.line);
  const turned = asGrid ? undefined : turnedPlane(view, block);
  const numbering = planeOf(view, block) ?? flatPlane(view, block) ?? turned;
  if (numbering === undefined)
    return not("no-pattern", "no two variables number a point of the output", view.line);
  return spaceOf(view, numbering, table.barrier);
}

/** The statements of the body by what they are to a point. */
interface Parts {
  readonly kept: readonly string[];
  readonly locals: readonly string[];
  readonly guards: readonly Guard[];
  readonly statements: readonly SyntaxNode[];
  readonly start: SyntaxNode;
}

/** The kernel as work on the points that the numbering counts, from behind the barrier on, if any. */
export function spaceOf(
  view: KernelView,
  numbering: Numbering,
  barrier: SyntaxNode | undefined,
): PointSpace | RuleHold {
  const parts = partsAround(view, numbering, barrier);
  if (isNot(parts)) return parts;
  const { flat, strip } = numbering;
  const [first, second] = numbering.axes;
  const index = flat && `const int ${flat.name} = ${second.name} * ${flat.divisor} + ${first.name};`;
  const walked = strip?.childForFieldName("initializer")?.text.trim().replace(/;$/, "");
  const end = view.body.namedChildren.filter(({ type }) => type !== "comment").at(-1) ?? parts.start;
  const axes = [
    axisOf(first, parts.guards, { flat, other: second.name }),
    axisOf(second, parts.guards, { flat, other: first.name }),
  ] as const;
  const conditions = parts.guards.filter(
    (guard) => !axes.some(({ name, extent }) => endOf(guard, name) === extent),
  );
  const lines = [index, walked === undefined ? undefined : `${walked};`, ...parts.locals].flatMap(
    (line) => line ?? [],
  );
  const threads = lines.find((line) => /\b(threadIdx|blockIdx\.[xy])\b/.test(line));
  if (threads !== undefined)
    return not("dependence", "a thread's number is used for more than the point", parts.start);
  return {
    axes,
    definitions: lines,
    guards: conditions.map(({ node, holds }) => (holds ? `(${node.text})` : `!(${node.text})`)),
    conditions,
    statements: parts.statements,
    kept: parts.kept,
    table: barrier !== undefined,
    region: { start: parts.start, end },
    form: (node) => formOfPoint(view, numbering, node),
    dependsOn: readsNumber(view, numbering),
    linesFor: (axis) => linesWithout(lines, numbering.axes[axis === 0 ? 1 : 0].name),
  };
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

/** Reads of a number of the point, followed through locals and local pointers. */
function readsNumber(view: KernelView, { axes, flat }: Numbering) {
  const numbers = new Set([...axes.map(({ name }) => name), flat?.name]);
  const made = new Map(
    view.body.descendantsOfType("init_declarator").flatMap((node) => {
      const name = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
      const value = node.childForFieldName("value");
      return name === undefined || value === null || numbers.has(name) ? [] : [[name, value] as const];
    }),
  );
  const reads = (node: SyntaxNode, number: string, open: readonly string[]): boolean =>
    node.descendantsOfType("identifier").some(({ text }) => {
      if (text === number || text === flat?.name) return true;
      const value = open.includes(text) ? undefined : made.get(text);
      return value !== undefined && reads(value, number, [...open, text]);
    });
  return (node: SyntaxNode, number: string): boolean => reads(node, number, []);
}

/** Lines that do not read a number, nor what is made of it. */
function linesWithout(lines: readonly string[], number: string): readonly string[] {
  const unknown = new Set([number]);
  return lines.filter((line) => {
    const words = line.match(/[A-Za-z_]\w*/g) ?? [];
    if (!words.some((word) => unknown.has(word))) return true;
    for (const [, name] of line.matchAll(/([A-Za-z_]\w*)\s*=/g)) if (name !== undefined) unknown.add(name);
    return false;
  });
}

type Names = readonly (string | undefined)[];

function partsAround(
  view: KernelView,
  numbering: Numbering,
  barrier: SyntaxNode | undefined,
): Parts | RuleHold {
  const { all, from } = statementsBehind(view, barrier);
  const names = [...numbering.axes.map(({ name }) => name), numbering.flat?.name];
  const dependent = dependsOnPoint(view, names);
  const start = all.find((node) => node.startIndex >= from && dependent(node));
  if (start === undefined) return not("no-pattern", "nothing is done for a point", view.line);
  const guards: Guard[] = [];
  const [same, local, early]: [SyntaxNode[], SyntaxNode[], SyntaxNode[]] = [[], [], []];
  const shelves: Readonly<Partial<Record<string, SyntaxNode[]>>> = { same, local, start: early };
  for (const [position, statement] of all.entries()) {
    const role = roleOf(view, { statement, names, about: dependent(statement) });
    if (isNot(role)) return role;
    shelves[role]?.push(statement);
    // What the block fills its table with stays where it is.
    if (role !== "work" || statement.startIndex < from) continue;
    const guard = guardIn(statement, position === all.length - 1);
    if (guard !== undefined) guards.push(...guard.guards);
    if (guard?.exits === true) continue;
    const rest = [...early, ...(guard?.inside ?? all.slice(position))];
    const work = workOf(view, { statements: rest, numbering, guards });
    return isNot(work) ? work : { ...keptOf(same, local, start), start, ...work };
  }
  return not("no-pattern", "nothing is done for a point", view.line);
}

/** The statements from behind the barrier on, and the declarations in front of it. */
function statementsBehind({ body }: KernelView, barrier: SyntaxNode | undefined) {
  const from = barrier?.endIndex ?? 0;
  const all = partsOf(body).filter(
    ({ type, startIndex }) => !type.startsWith("preproc") && (startIndex >= from || type === "declaration"),
  );
  return { all, from };
}

/** What is the same for all points and stands behind the start, and what is each point's own. */
function keptOf(
  same: readonly SyntaxNode[],
  local: readonly SyntaxNode[],
  start: SyntaxNode,
): Pick<Parts, "kept" | "locals"> {
  const kept = same.filter(({ startIndex }) => startIndex > start.startIndex);
  return { kept: kept.map(({ text }) => text), locals: local.map(({ text }) => text) };
}

/** A declaration of variables that begin with numbers or names, and change later. */
function isPlainStart({ body }: KernelView, statement: SyntaxNode): boolean {
  const own = localValues(statement);
  const isPlain = own.length > 0 && own.length === statement.childrenForFieldName("declarator").length;
  const changing = own.some(({ name }) => isAssigned(body, name));
  return (
    isPlain &&
    changing &&
    own.every(({ value }) => isPure(value) || isConversion(value)) &&
    !readsMemory(statement)
  );
}

/** What a statement in front of the work declares: what all points share, the point's numbers, or a local. */
function roleOf(
  view: KernelView,
  {
    statement,
    names,
    about,
  }: { readonly statement: SyntaxNode; readonly names: Names; readonly about: boolean },
): "same" | "number" | "local" | "start" | "work" | RuleHold {
  if (statement.type !== "declaration") return "work";
  const declared = localValues(statement).map(({ name }) => name);
  const numbers = declared.filter((name) => names.includes(name) || servesNumbers(view, name, names));
  const other = declared.find((name) => !numbers.includes(name));
  if (numbers.length > 0)
    return other === undefined
      ? "number"
      : not("no-pattern", `${other} is declared together with the number of the point`, statement);
  // What begins as a plain number may as well begin behind the conditions.
  if (isPlainStart(view, statement)) return "start";
  const changes = declared.some((name) => isAssigned(view.body, name));
  if (changes || readsMemory(statement)) return "work";
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
  const named = new Set([...numbering.axes.map(({ name }) => name), numbering.flat?.name]);
  const declaresNumbers = (node: SyntaxNode): boolean => {
    const own = node.type === "declaration" ? localValues(node) : [];
    return own.length > 0 && own.every(({ name }) => named.has(name));
  };
  inner = inner.filter((node) => !node.type.startsWith("preproc") && !declaresNumbers(node));
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
  return {
    guards: guardParts(condition, !exits),
    exits,
    inside: exits ? undefined : statementsOf(consequence),
  };
}

/** The parts of a condition that all hold, or all fail, where it does. */
function guardParts(condition: SyntaxNode, holds: boolean): readonly Guard[] {
  const node = unwrapped(condition);
  const argument = node.type === "unary_expression" ? node.childForFieldName("argument") : null;
  if (argument !== null && node.text.startsWith("!")) return guardParts(argument, !holds);
  const parts = operands(node, holds ? "&&" : "||");
  return parts.length === 1 ? [{ node, holds }] : parts.flatMap((part) => guardParts(part, holds));
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
  for (const node of view.body.descendantsOfType("init_declarator")) {
    const name = node.childForFieldName("declarator")?.descendantsOfType("identifier")[0]?.text;
    const value = node.childForFieldName("value");
    if (name !== undefined && value !== null && reads(value)) known.add(name);
  }
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
