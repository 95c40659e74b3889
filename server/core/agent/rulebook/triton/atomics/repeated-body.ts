import { collapse, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import {
  isCallOf,
  languageCalls,
  maskOf,
  onlyAssignment,
  positional,
  secondDimension,
  type TritonView,
} from "../kernel";
import { addressTerms } from "../spread/address";
import { type Dependences, dependencesOf } from "../spread/dependence";
import { libraryOf } from "../spread/dimension";
import { isAxis } from "../spread/programs";

/** A kernel whose programs along an axis of the grid take several numbers in turn. */
export interface Repeat {
  readonly view: TritonView;
  readonly axis: number;
  /** Additions that are made once, behind the loop. */
  readonly calls: readonly SyntaxNode[];
  /** The parameter that says how many numbers there are. */
  readonly count: string;
  /** The white space in front of the kernel's statements. */
  readonly indent: string;
  /** True where one program takes all numbers, and nobody else adds to its places. */
  readonly alone?: boolean;
}

/**
 * The kernel's statements in a loop over the numbers of its programs: what no number changes stands in front,
 * and each of the additions is a sum in registers that is added behind.
 */
export function repeatedBody(repeat: Repeat): string | RuleHold {
  const { view, axis, count, indent } = repeat;
  const statements = partsOf(view.body);
  const held = heldBy(repeat, statements);
  if (held !== undefined) return held;
  const steady = steadyStatements(repeat, statements);
  const sums = repeat.calls.map((call) => sumOf(repeat, call));
  const missing = repeat.calls.find((call) => !namesFixed(view, call, steady));
  if (missing !== undefined)
    return not("no-rewrite", `the place of ${collapse(missing.text)} is made in another way`, missing);
  const library = libraryOf(view);
  const turn = freshName(view.source, "turn");
  const numbers = languageCalls(view, ["program_id"]).filter((call) => isAxis(call, axis));
  const edits = [
    ...numbers.map((call) => replaceNode(call, turn)),
    ...movedPointers(view).flatMap((act) => pointerEdits(view, act)),
    ...sums.flatMap(({ added }) => added),
  ];
  const before: string[] = [];
  const inside: string[] = [];
  for (const [place, statement] of statements.entries()) {
    const text = segmentOf(view, statements, { place, edits });
    if (steady.has(statement.id)) before.push(text);
    else inside.push(text.replaceAll("\n", "\n    "));
  }
  const every = `${library}program_id(${axis}), ${count}, ${library}num_programs(${axis})`;
  const head = `for ${turn} in range(${repeat.alone === true ? `0, ${count}` : every}):`;
  return [
    before.join("").replace(/^\n[ \t]*/, ""),
    ...sums.map(({ begin }) => `\n${indent}${begin}`),
    `\n${indent}${head}`,
    inside.join(""),
    ...sums.map(({ behind }) => `\n${indent}${behind}`),
  ]
    .join("")
    .replace(/^\n[ \t]*/, "");
}

/** What may not be done several times by one program. */
function heldBy({ view, axis }: Repeat, statements: readonly SyntaxNode[]): RuleHold | undefined {
  const { body } = view;
  const [leaves] = body.descendantsOfType("return_statement");
  if (leaves !== undefined) return not("no-rewrite", "a program may end early", leaves);
  const counted = languageCalls(view, ["num_programs"]).find((call) => isAxis(call, axis));
  if (counted !== undefined) return not("no-pattern", "programs walk over the grid already", counted);
  const beside = statements.find((each, place) => !beginsLine(view, statements, { each, place }));
  if (beside !== undefined) return not("no-rewrite", "two statements share a line", beside);
  return carried(view, statements);
}

function beginsLine(
  { source }: TritonView,
  statements: readonly SyntaxNode[],
  { each, place }: { readonly each: SyntaxNode; readonly place: number },
): boolean {
  const from = statements[place - 1]?.endIndex;
  return from === undefined || source.slice(from, each.startIndex).includes("\n");
}

/** A name that is used before the kernel gives it a value would keep that of the turn before. */
function carried(view: TritonView, statements: readonly SyntaxNode[]): RuleHold | undefined {
  const given = new Set<string>();
  const moved = new Set(movedPointers(view).map(({ id }) => id));
  for (const statement of statements) {
    const acts = statement.descendantsOfType(["assignment", "augmented_assignment"]);
    for (const act of acts.filter(({ id }) => !moved.has(id))) {
      const name = act.childForFieldName("left")?.text ?? "";
      const parameter = view.parameters.some((each) => each.name === name);
      if (parameter) return not("no-rewrite", `${name} is given another value`, act);
      if (act.type === "augmented_assignment" && !given.has(name))
        return not("no-rewrite", `${name} is not given a value first`, act);
      for (const { text } of act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
        given.add(text);
    }
  }
  return undefined;
}

/** `X += row * stride` of the kernel's own level, the only change of a parameter. */
function movedPointers({ body, parameters }: TritonView): readonly SyntaxNode[] {
  return body.descendantsOfType("augmented_assignment").filter((act) => {
    const name = act.childForFieldName("left")?.text ?? "";
    const given = body
      .descendantsOfType(["assignment", "augmented_assignment"])
      .filter((other) => usesOf(other.childForFieldName("left") ?? other, name).length > 0);
    const own = act.parent?.parent?.id === body.id && act.childForFieldName("operator")?.text === "+=";
    return own && given.length === 1 && parameters.some((each) => each.name === name);
  });
}

/** A name of its own for a pointer that each turn moves from where it was passed. */
function pointerEdits({ source, body }: TritonView, act: SyntaxNode): readonly TextEdit[] {
  const [name, by] = [act.childForFieldName("left"), act.childForFieldName("right")];
  if (!name || !by) return [];
  const fresh = freshName(source, `${name.text}_turn`);
  const later = usesOf(body, name.text).filter(({ startIndex }) => startIndex > act.endIndex);
  const head = { start: act.startIndex, end: by.startIndex, text: `${fresh} = ${name.text} + ` };
  return [head, ...later.map((use) => replaceNode(use, fresh))];
}

/** Documentation, and names that are given once from what no number changes. */
function steadyStatements({ view, axis }: Repeat, statements: readonly SyntaxNode[]): ReadonlySet<number> {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "program_id") ? { programs: isAxis(node, axis), lanes: false } : undefined,
  );
  const found = new Set<number>();
  const varying = new Set<string>();
  for (const statement of statements) {
    if (isSteady(view, { of, varying }, statement)) found.add(statement.id);
    else
      for (const act of statement.descendantsOfType(["assignment", "augmented_assignment", "for_statement"]))
        for (const { text } of act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
          varying.add(text);
  }
  return found;
}

interface Known {
  readonly of: Dependences;
  /** Names that are given in the loop. */
  readonly varying: ReadonlySet<string>;
}

function isSteady(view: TritonView, { of, varying }: Known, statement: SyntaxNode): boolean {
  const [part] = partsOf(statement);
  if (part?.type === "string") return true;
  const [name, value] = [part?.childForFieldName("left"), part?.childForFieldName("right")];
  if (part?.type !== "assignment" || name?.type !== "identifier" || !value) return false;
  if (onlyAssignment(view.body, name.text) === undefined || of(value).programs) return false;
  if (value.descendantsOfType("identifier").some(({ text }) => varying.has(text))) return false;
  if (/\.(?:store|atomic_\w+|debug_barrier)$/m.test(calleesIn(value))) return false;
  return languageCalls(view, ["load"], value).every((load) => isReadOnly(view, load));
}

function calleesIn(value: SyntaxNode): string {
  const calls = value.descendantsOfType("call");
  return calls.map((call) => call.childForFieldName("function")?.text ?? "").join("\n");
}

/** True for a load from a tensor that the kernel only reads. */
function isReadOnly(view: TritonView, load: SyntaxNode): boolean {
  const [address] = positional(load);
  const terms = address === undefined ? [] : addressTerms(view, address).map(({ text }) => text);
  const pointers = view.parameters.filter(({ name, pointer }) => pointer && terms.includes(name));
  return pointers.length > 0 && pointers.every(({ readOnly }) => readOnly);
}

/** True where all that the place of an addition is made of stands in front of the loop. */
function namesFixed(view: TritonView, call: SyntaxNode, steady: ReadonlySet<number>): boolean {
  const [, value] = positional(call);
  const names = call.descendantsOfType("identifier").filter((node) => {
    const inValue =
      value !== undefined && node.startIndex >= value.startIndex && node.endIndex <= value.endIndex;
    return !inValue;
  });
  return names.every(({ text }) => {
    const given = view.body
      .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
      .filter((act) => usesOf(act.childForFieldName("left") ?? act, text).length > 0);
    return given.every((act) => act.parent !== null && steady.has(act.parent.id));
  });
}

/** A statement with the lines and comments in front of it, and the comment behind it. */
function segmentOf(
  { source, body }: TritonView,
  statements: readonly SyntaxNode[],
  { place, edits }: { readonly place: number; readonly edits: readonly TextEdit[] },
): string {
  const [before, statement] = [statements[place - 1], statements[place]];
  if (statement === undefined) return "";
  const start = before === undefined ? body.startIndex : lineEnd(source, before.endIndex);
  const end = lineEnd(source, statement.endIndex);
  const own = edits.filter((edit) => edit.start >= start && edit.end <= end);
  const text = editedText(source, { start, end }, own);
  const column = " ".repeat(body.startPosition.column);
  return before === undefined ? `\n${column}${text}` : text;
}

/** Behind the comment on the same line. */
function lineEnd(source: string, from: number): number {
  return from + (/^[ \t]*#[^\n]*/.exec(source.slice(from))?.[0].length ?? 0);
}

interface Sum {
  readonly begin: string;
  readonly behind: string;
  readonly added: readonly TextEdit[];
}

/** A sum of the place's own type and shape, begun at 0. */
function sumOf({ view, calls, alone }: Repeat, call: SyntaxNode): Sum {
  const { source } = view;
  const library = libraryOf(view);
  const mask = maskOf(view, call);
  const [address, value] = positional(call);
  const written = address?.text ?? "";
  const pointer = pointerOf(view, address);
  const place = calls.findIndex(({ id }) => id === call.id);
  const name = freshName(source, `${pointer}_sum${place === 0 ? "" : place + 1}`);
  const type = `${pointer}.dtype.element_ty`;
  const lanes = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const shaped = address !== undefined && lanes(address).lanes;
  const shape = shaped ? shapeOf(view, written) : "[]";
  const added =
    value === undefined
      ? call.text
      : editedText(source, { start: call.startIndex, end: call.endIndex }, [replaceNode(value, name)]);
  const stored = `${library}store(${written}, ${name}${mask === undefined ? "" : `, mask=${mask.text}`})`;
  const behind = alone === true ? stored : added;
  return {
    begin: `${name} = ${library}full(${shape}, 0, ${type})`,
    behind,
    added: addedEdits(call, name, type),
  };
}

/** `tl.atomic_add(place, value, …)` → `sum += value` in the place's type. */
function addedEdits(call: SyntaxNode, name: string, type: string): readonly TextEdit[] {
  const [, value] = positional(call);
  if (value === undefined) return [];
  const atom = /^\w+$/.test(value.text);
  return [
    { start: call.startIndex, end: value.startIndex, text: `${name} += ${atom ? "" : "("}` },
    { start: value.endIndex, end: call.endIndex, text: `${atom ? "" : ")"}.to(${type})` },
  ];
}

/** The length of the kernel's only arange, or the shape of the place itself. */
function shapeOf(view: TritonView, written: string): string {
  const spans = new Set(languageCalls(view, ["arange"]).map((span) => positional(span)[1]?.text ?? ""));
  const [length] = spans;
  const plain = spans.size === 1 && length !== undefined && secondDimension(view) === undefined;
  return plain ? `(${length},)` : `(${collapse(written)}).shape`;
}

function pointerOf(view: TritonView, address: SyntaxNode | undefined): string {
  const terms = address === undefined ? [] : addressTerms(view, address).map(({ text }) => text);
  return view.parameters.find(({ name, pointer }) => pointer && terms.includes(name))?.name ?? "place";
}
