import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import { type Form, sameForm } from "../../../../language/cuda/body/forms";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { comparisons } from "../../../../language/cuda/body/number-operations";
import { changes, localValues } from "../../../../language/cuda/body/scope";
import { fieldText, isInside, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";
import { structureMembers } from "../structures/structure-layout";
import type { SharedBuffer } from "./tree-steps";

/** `if (better(a[other], a[own])) a[own] = a[other];`, of one array or of several side by side. */
interface Selection {
  /** Elements wherever they stand: the thread's own, and those a stride further on. */
  readonly own: readonly SyntaxNode[];
  readonly other: readonly SyntaxNode[];
  /** True where the order in which elements meet makes no difference. */
  readonly anyOrder: boolean;
}

interface SelectionForms {
  readonly own: Form;
  readonly other: Form;
  readonly buffers: readonly SharedBuffer[];
}

/** What the statements of a step choose; undefined where they do anything else with shared memory. */
export function selectionIn(
  view: KernelView,
  statements: readonly SyntaxNode[],
  { own, other, buffers }: SelectionForms,
): Selection | undefined {
  const places = statements
    .flatMap((node) => node.descendantsOfType("subscript_expression"))
    .filter((node) => buffers.some(({ name }) => name === fieldText(node, "argument")));
  const is = (node: SyntaxNode, form: Form): boolean => {
    const index = subscriptIndex(node);
    return index !== undefined && sameForm(formIn(view, index), form);
  };
  const [owns, others] = [places.filter((node) => is(node, own)), places.filter((node) => is(node, other))];
  const named = statements.flatMap((node) => node.descendantsOfType("identifier"));
  const loose = named.some(
    ({ text, parent }) =>
      buffers.some(({ name }) => name === text) && parent?.type !== "subscript_expression",
  );
  if (loose || owns.length + others.length < places.length || others.length === 0) return undefined;
  const locals = new Set(statements.flatMap((node) => localValues(node).map(({ name }) => name)));
  const stray = statements
    .flatMap(changes)
    .some(({ target }) => !locals.has(target.text) && !owns.some((node) => isInside(node, target)));
  const calls = statements.some((node) => node.descendantsOfType("call_expression").length > 0);
  if (stray || calls) return undefined;
  return { own: owns, other: others, anyOrder: isTotal(view, statements, { owns, others, buffers }) };
}

interface Places {
  readonly owns: readonly SyntaxNode[];
  readonly others: readonly SyntaxNode[];
  readonly buffers: readonly SharedBuffer[];
}

/** True for one choice by a total order of all that is chosen: told by asking it about small numbers. */
function isTotal(view: KernelView, statements: readonly SyntaxNode[], places: Places): boolean {
  const choice = statements.at(-1);
  const condition = choice?.childForFieldName("condition")?.childForFieldName("value");
  const named = statements.slice(0, -1).every(({ type }) => type === "declaration");
  if (choice?.type !== "if_statement" || !condition || !named) return false;
  if (choice.childForFieldName("alternative") !== null) return false;
  const taken = statementsOf(choice.childForFieldName("consequence")).map((node) => takenBy(node, places));
  const paths = new Set(taken.flatMap((name) => (name === undefined ? [] : pathsOf(view, name, places))));
  if (taken.includes(undefined) || paths.size === 0 || paths.size > 3) return false;
  const locals = new Map(
    statements.flatMap((node) => localValues(node)).map(({ name, value }) => [name, value]),
  );
  const better = (a: Tuple, b: Tuple): boolean | undefined => {
    const value = valueOf(condition, { a, b, places, locals });
    return value === undefined ? undefined : value !== 0;
  };
  return isStrictOrder([...paths], better);
}

/** The array of `a[own] = a[other]`. */
function takenBy(statement: SyntaxNode, { owns, others }: Places): string | undefined {
  const act = statement.namedChildren[0];
  const [left, right] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  if (act?.type !== "assignment_expression" || fieldText(act, "operator") !== "=" || !left || !right)
    return undefined;
  const [to, from] = [
    owns.find(({ id }) => id === left.id),
    others.find(({ id }) => id === unwrapped(right).id),
  ];
  const name = fieldText(to, "argument");
  return to && from && fieldText(from, "argument") === name ? name : undefined;
}

/** The numbers that an element of an array is made of: itself, or the members of its structure. */
function pathsOf(view: KernelView, name: string, { buffers }: Places): readonly string[] {
  const type = buffers.find((buffer) => buffer.name === name)?.type ?? "";
  const members = structureMembers(view, type);
  return members.length === 0 ? [name] : members.map((member) => `${name}.${member}`);
}

type Tuple = ReadonlyMap<string, number>;

/** True where of two that differ exactly one is better, and being better is handed on. */
function isStrictOrder(
  paths: readonly string[],
  better: (a: Tuple, b: Tuple) => boolean | undefined,
): boolean {
  const all = tuplesOf(paths);
  const same = (a: Tuple, b: Tuple): boolean => paths.every((path) => a.get(path) === b.get(path));
  const total = all.every((a) =>
    all.every((b) => {
      const [first, second] = [better(a, b), better(b, a)];
      return first !== undefined && second !== undefined && (same(a, b) || first !== second);
    }),
  );
  if (!total) return false;
  const isBetter = (a: Tuple, b: Tuple): boolean => !same(a, b) && better(a, b) === true;
  return all.every((a) =>
    all.every((b) => !isBetter(a, b) || all.every((c) => !isBetter(b, c) || isBetter(a, c))),
  );
}

function tuplesOf(paths: readonly string[]): readonly Tuple[] {
  let all: readonly Tuple[] = [new Map()];
  for (const path of paths)
    all = all.flatMap((each) => [1, 2, 3].map((value) => new Map([...each, [path, value]])));
  return all;
}

interface Asked {
  /** The element a stride further on, and the thread's own. */
  readonly a: Tuple;
  readonly b: Tuple;
  readonly places: Places;
  readonly locals: ReadonlyMap<string, SyntaxNode>;
}

function valueOf(node: SyntaxNode | null, asked: Asked): number | undefined {
  if (node === null) return undefined;
  const inner = unwrapped(node);
  const of = (field: string): number | undefined => valueOf(inner.childForFieldName(field), asked);
  switch (inner.type) {
    case "identifier":
      return valueOf(asked.locals.get(inner.text) ?? null, asked);
    case "cast_expression":
      return of("value");
    case "unary_expression": {
      const value = of("argument");
      return inner.text.startsWith("!") && value !== undefined ? Number(value === 0) : undefined;
    }
    case "conditional_expression": {
      const condition = of("condition");
      return condition === undefined ? undefined : of(condition === 0 ? "alternative" : "consequence");
    }
    case "binary_expression": {
      const [left, right] = [of("left"), of("right")];
      const operation = comparisons[fieldText(inner, "operator")];
      return left === undefined || right === undefined ? undefined : operation?.(left, right);
    }
    default:
      return elementValue(inner, asked);
  }
}

function elementValue(node: SyntaxNode, { a, b, places }: Asked): number | undefined {
  const element = node.type === "field_expression" ? node.childForFieldName("argument") : node;
  if (element === null) return undefined;
  const of = [places.others, places.owns].map((nodes) => nodes.some(({ id }) => id === element.id));
  const tuple = of[0] === true ? a : b;
  if (of[0] !== true && of[1] !== true) return undefined;
  const member = node.type === "field_expression" ? `.${fieldText(node, "field")}` : "";
  return tuple.get(`${fieldText(element, "argument")}${member}`);
}
