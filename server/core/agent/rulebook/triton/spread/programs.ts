import { compact, fieldText, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { parameterName } from "../../../../language/triton/names";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { isCallOf, languageCalls, launchValue, onlyAssignment, positional, type TritonView } from "../kernel";
import { type Dependence, type Dependences, dependencesOf } from "./dependence";
import { dimensionEdits, libraryOf, statementAround, subscriptsOf, topStatement } from "./dimension";
import { decidedBy, keepsDimensions } from "./guards";

/** A kernel of which each program does the work of one index. */
export interface SingleIndex {
  readonly view: TritonView;
  readonly of: Dependences;
  /** Every `tl.program_id(axis)`. */
  readonly numbers: readonly SyntaxNode[];
  /** The length of the blocks, in the kernel's words; undefined where a program has single elements. */
  readonly lanes: SyntaxNode | undefined;
  /** The extent of the grid that counts the programs. */
  readonly extent: SyntaxNode;
}

/**
 * Reads a kernel whose programs along an axis of the grid could do the work of several; a guard's answer
 * where they could not.
 */
export function singleIndex(view: TritonView, axis = 0): SingleIndex | RuleHold {
  const numbers = languageCalls(view, ["program_id"]).filter((call) => isAxis(call, axis));
  if (numbers.length === 0)
    return not("no-pattern", "the kernel asks for no number of its program", view.line);
  const kept = keepsDimensions(view);
  if (kept !== undefined) return kept;
  const spans = languageCalls(view, ["arange"]);
  const [lanes] = spans.flatMap((span) => positional(span)[1] ?? []);
  if (spans.some((span) => positional(span)[1]?.text !== lanes?.text))
    return not("no-pattern", "the elements of a program are not one arange", view.line);
  const of = dependencesOf(view, (node) => seedOf(view, node, axis));
  const decided = decidedBy(view, of, { along: "programs" });
  if (decided !== undefined) return decided;
  const extent = extentOf(view, axis);
  return isNot(extent) ? extent : { view, of, numbers, lanes, extent };
}

/** `tl.program_id(axis)`, with the axis by its name or its place. */
export function isAxis(call: SyntaxNode, axis: number): boolean {
  return new RegExp(`^\\((axis=)?${axis},?\\)$`).test(compact(call.childForFieldName("arguments")));
}

function seedOf(view: TritonView, node: SyntaxNode, axis: number): Dependence | undefined {
  if (isCallOf(view, node, "program_id")) return { programs: isAxis(node, axis), lanes: false };
  if (isCallOf(view, node, "arange")) return { programs: false, lanes: true };
  const filled = isCallOf(view, node, "zeros") || isCallOf(view, node, "full");
  const [only] = filled ? partsOf(positional(node)[0]) : [];
  return only === undefined ? undefined : { programs: false, lanes: only.text !== "1" };
}

/** The grid of a launch as a tuple that the host writes. */
interface WrittenGrid {
  readonly tuple: SyntaxNode;
  readonly extents: readonly SyntaxNode[];
  /** Names that stand for the constants of the launch in it. */
  readonly chosen: readonly string[];
}

/** The extents of the grid, where no other launch shares it. */
export function extentsOfGrid({ launch, host }: TritonView): WrittenGrid | RuleHold {
  const named = launch.grid?.type === "identifier" ? launch.grid.text : undefined;
  if (named !== undefined && usesOf(host, named).length !== 2)
    return not("launch", "other code uses the grid as well", launch.call);
  const written = named === undefined ? launch.grid : onlyAssignment(host, named)?.childForFieldName("right");
  const read = written ? gridIn(written) : undefined;
  return read ?? not("launch", "the grid is no tuple that the host writes", launch.call);
}

function gridIn(written: SyntaxNode): WrittenGrid | undefined {
  const isLambda = written.type === "lambda";
  const tuple = isLambda ? written.childForFieldName("body") : written;
  if (tuple?.type !== "tuple" && tuple?.type !== "list") return undefined;
  const extents = partsOf(tuple);
  const chosen = isLambda ? partsOf(written.childForFieldName("parameters")) : [];
  const plain = extents.length > 0 && extents.every(({ type }) => type !== "list_splat");
  return plain ? { tuple, extents, chosen: chosen.map(({ text }) => text) } : undefined;
}

/** What the launch says for one extent of its grid. */
function extentOf(view: TritonView, axis: number): SyntaxNode | RuleHold {
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const extent = grid.extents[axis];
  if (extent === undefined)
    return not("launch", "the grid is no tuple that the host writes", view.launch.call);
  return grid.chosen.some((text) => usesOf(extent, text).length > 0)
    ? not("launch", "the grid counts blocks already", extent)
    : extent;
}

/** Several indices for each program. */
interface Several {
  /** What the new parameter is called: ROWS, COLUMNS. */
  readonly name: string;
  /** How many, in the host's words. */
  readonly each: string;
  /** Whether the programs' dimension stands first. */
  readonly first: boolean;
  /** Other edits of the launch that go with it. */
  readonly more?: readonly TextEdit[];
}

/**
 * The edits that let each program do the work of several; a guard's answer where the launch does not allow
 * it.
 */
export function severalEdits(
  single: SingleIndex,
  { name, each, first, more = [] }: Several,
): readonly TextEdit[] | RuleHold {
  const { view, of, extent } = single;
  const length = freshName(view.source, name);
  const count = freshName(view.source, `n_${name.toLowerCase()}`);
  const live = freshName(view.source, "live");
  const alone = single.lanes === undefined;
  const inner = dimensionEdits({ view, of, length, live, first, alone });
  if (!isEdits(inner)) return inner;
  const numbered = numberEdits(single, { length, count, live, first, alone });
  if (isNot(numbered)) return numbered;
  const declared = parameterEdit(view, `${count}, ${length}: ${constexprOf(view)}`);
  if (isNot(declared)) return declared;
  const launched = launchEdits(view, extent, { length, count, each, more });
  return isNot(launched) ? launched : [...inner, ...numbered, declared, ...launched];
}

function isEdits(found: readonly TextEdit[] | RuleHold): found is readonly TextEdit[] {
  return Array.isArray(found);
}

interface Names {
  readonly length: string;
  readonly count: string;
  readonly live: string;
  readonly first: boolean;
  readonly alone: boolean;
}

/** `row = tl.program_id(0)` → the numbers of several, and which of them are there. */
function numberEdits(
  { view, numbers }: SingleIndex,
  { length, count, live, first, alone }: Names,
): readonly TextEdit[] | RuleHold {
  const added = alone ? "" : subscriptsOf(first).added;
  const library = libraryOf(view);
  const [number, ...more] = numbers;
  if (number === undefined)
    return not("no-pattern", "the kernel asks for no number of its program", view.line);
  const vector = `(${number.text} * ${length} + ${library}arange(0, ${length}))${added}`;
  const statement = topStatement(view, number);
  const assignment = partsOf(statement)[0];
  const name = assignment?.type === "assignment" ? assignment.childForFieldName("left") : undefined;
  const value = assignment?.childForFieldName("right");
  const whole = value?.id === number.id || compact(value) === `${compact(number)}.to(${library}int64)`;
  if (statement === undefined)
    return not("no-rewrite", "the number of a program is asked for elsewhere", number);
  if (more.length === 0 && name?.type === "identifier" && whole && onlyAssignment(view.body, name.text)) {
    const after = `\n${indentOf(view.source, statement)}${live} = ${name.text} < ${count}`;
    return [replaceNode(number, vector), { start: statement.endIndex, end: statement.endIndex, text: after }];
  }
  const named = freshName(view.source, first ? "rows" : "columns");
  const indent = indentOf(view.source, statement);
  const before = `${named} = ${vector}\n${indent}${live} = ${named} < ${count}\n${indent}`;
  return [
    { start: statement.startIndex, end: statement.startIndex, text: before },
    ...numbers.map((each) => replaceNode(each, named)),
  ];
}

/** The annotation of the kernel's other constants. */
export function constexprOf(view: TritonView): string {
  const known = view.parameters.find(({ constexpr }) => constexpr)?.type;
  return known ?? `${libraryOf(view)}constexpr`;
}

/** New parameters behind the others, or before the first with a default. */
export function parameterEdit(view: TritonView, text: string): TextEdit | RuleHold {
  const parameters = partsOf(view.definition.childForFieldName("parameters"));
  const place = parameters.findIndex((node) => /default/.test(node.type));
  const last = parameters.at(-1);
  const [at] = place < 0 ? [] : parameters.slice(place);
  if (last === undefined) return not("unreadable", "the kernel has no parameters", view.line);
  if (/splat/.test(last.type)) return not("launch", "the kernel takes any number of arguments", last);
  if (at === undefined) return { start: last.endIndex, end: last.endIndex, text: `, ${text}` };
  if (view.launch.positional.length > place)
    return not("launch", `${parameterName(at)} is passed by its place`, view.launch.call);
  return { start: at.startIndex, end: at.startIndex, text: `${text}, ` };
}

/** A grid of as many programs fewer, and the arguments for it. */
function launchEdits(
  view: TritonView,
  extent: SyntaxNode,
  { length, count, each, more }: Pick<Names, "length" | "count"> & Required<Pick<Several, "each" | "more">>,
): readonly TextEdit[] | RuleHold {
  const { launch, source } = view;
  const statement = statementAround(launch.call);
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  const made = statementAround(extent);
  if (statement === undefined || last === undefined || made === undefined)
    return not("launch", "the launch is part of something else", launch.call);
  const local = freshName(source, `${length.toLowerCase()}_each`);
  const divided = /^import .*\btriton\b(?! as)/m.test(source)
    ? `triton.cdiv(${extent.text}, ${local})`
    : `-(-(${extent.text}) // ${local})`;
  const fewer = replaceNode(extent, divided);
  const start = statement.startIndex;
  return [
    { start, end: start, text: `${local} = ${each}\n${indentOf(source, statement)}` },
    ...(made.id === statement.id ? [fewer, ...more] : gridMoved(view, made, [fewer, ...more])),
    { start: last.endIndex, end: last.endIndex, text: `, ${count}=${extent.text}, ${length}=${local}` },
  ];
}

/** `grid = (…)` written into its launch: what the new extent is made of may only be known there. */
function gridMoved(
  { source, launch }: TritonView,
  made: SyntaxNode,
  edits: readonly TextEdit[],
): readonly TextEdit[] {
  const value = partsOf(made)[0]?.childForFieldName("right");
  if (!value || launch.grid === undefined) return edits;
  const isWithin = ({ start, end }: TextEdit): boolean => start >= value.startIndex && end <= value.endIndex;
  const within = edits.filter(isWithin);
  const text = editedText(source, { start: value.startIndex, end: value.endIndex }, within);
  const start = source.lastIndexOf("\n", made.startIndex);
  return [
    { start, end: made.endIndex, text: "" },
    replaceNode(launch.grid, text),
    ...edits.filter((edit) => !isWithin(edit)),
  ];
}

/** The length of a program's block in the host's words; undefined where only a configuration says it. */
export function hostLength({ view, lanes }: SingleIndex): string | undefined {
  if (lanes === undefined) return undefined;
  if (lanes.type === "integer") return lanes.text;
  const value = launchValue(view, lanes.text);
  if (value === undefined) return undefined;
  const inside = view.configuration !== undefined && value.startIndex < view.definition.startIndex;
  return inside && value.type !== "integer" ? undefined : value.text;
}

/** The axis of the grid where a term of the sum is a program's number as it is, or a name of it. */
export function numberedAxis(view: TritonView, term: SyntaxNode): number | undefined {
  const value =
    term.type === "identifier" ? onlyAssignment(view.body, term.text)?.childForFieldName("right") : term;
  const inner =
    value?.type === "call" && fieldText(value.childForFieldName("function"), "attribute") === "to"
      ? value.childForFieldName("function")?.childForFieldName("object")
      : value;
  if (!inner || !isCallOf(view, inner, "program_id")) return undefined;
  return [0, 1, 2].find((axis) => isAxis(inner, axis));
}
