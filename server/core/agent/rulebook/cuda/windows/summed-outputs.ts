import { constantOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { fieldText, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, replaceNode, type TextEdit } from "../../edits";
import { formIn, type KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";
import { turnsMost } from "./inner-points";

/** `T sum = …; for (…) …sum…; …sum…;` of a point: a loop that the compiler does not unroll. */
interface SummedLoop {
  readonly loop: CountedLoop;
  /** Loops inside of it that are all of the work of the one around them, but for values that are named. */
  readonly nest: readonly NestedLoop[];
  /** Declarations of what the loop changes. */
  readonly states: readonly {
    readonly name: string;
    readonly type: string;
    readonly value: SyntaxNode;
  }[];
  /** Other declarations in front of the loop. */
  readonly locals: readonly SyntaxNode[];
  readonly after: readonly SyntaxNode[];
}

/**
 * The long loop that a point's work sums up in; undefined where there is none, or where turns of several
 * points may not be interleaved.
 */
export function summedLoop(view: KernelView, { statements, axes }: PointSpace): SummedLoop | undefined {
  const place = statements.findIndex(({ type }) => type === "for_statement");
  const loop = countedLoops(view.body).find((each) => each.loop.id === statements[place]?.id);
  if (loop === undefined || isShort(view, loop)) return undefined;
  const heads = [loop.start, loop.bound];
  const own = axes.some(({ name }) => heads.some((head) => usesOf(head, name).length > 0));
  const [leaves] = loop.body.descendantsOfType(["break_statement", "return_statement", "goto_statement"]);
  if (own || leaves !== undefined || !heads.every(isPure)) return undefined;
  const declared = declaredBefore(statements.slice(0, place), loop);
  const inHead = declared?.locals
    .flatMap((node) => localValues(node))
    .some(({ name }) => heads.some((head) => usesOf(head, name).length > 0));
  return declared === undefined || inHead === true
    ? undefined
    : { loop, nest: nestIn(view, loop, axes), ...declared, after: statements.slice(place + 1) };
}

/** A loop with what the body around it names in front of it. */
interface NestedLoop {
  readonly loop: CountedLoop;
  readonly named: readonly SyntaxNode[];
}

/** The loops of a nest, from the outside; each as long as all points' loops are. */
function nestIn(view: KernelView, outer: CountedLoop, axes: PointSpace["axes"]): readonly NestedLoop[] {
  const statements = statementsOf(outer.body).filter(({ type }) => !type.startsWith("preproc"));
  const inner = statements.at(-1);
  const loop = countedLoops(outer.body).find((each) => each.loop.id === inner?.id);
  const named = statements.slice(0, -1);
  if (loop === undefined || isShort(view, loop)) return [];
  const heads = [loop.start, loop.bound];
  const changed = new Set(changes(outer.body).map(({ target }) => target.text));
  const isName = (node: SyntaxNode): boolean =>
    node.type === "declaration" &&
    localValues(node).length === node.childrenForFieldName("declarator").length &&
    localValues(node).every(
      ({ name, value }) =>
        !changed.has(name) &&
        isPure(value) &&
        value.descendantsOfType(["subscript_expression", "pointer_expression"]).length === 0,
    );
  const own = new Set([
    ...axes.map(({ name }) => name),
    ...named.flatMap((node) => localValues(node).map(({ name }) => name)),
    ...[...changed].filter((name) => name !== loop.variable),
  ]);
  const uneven = heads.some((head) => head.descendantsOfType("identifier").some(({ text }) => own.has(text)));
  const steady = heads.every(isPure) && !uneven && named.every(isName);
  return steady ? [{ loop, named }, ...nestIn(view, loop, axes)] : [];
}

/** What is declared in front of the loop; undefined where the loop changes something else. */
function declaredBefore(
  before: readonly SyntaxNode[],
  { body }: CountedLoop,
): Pick<SummedLoop, "states" | "locals"> | undefined {
  const changed = new Set(changes(body).map(({ target }) => target.text));
  const inner = new Set(localValues(body).map(({ name }) => name));
  const states: { name: string; type: string; value: SyntaxNode }[] = [];
  const locals: SyntaxNode[] = [];
  for (const statement of before) {
    const found = statement.type === "declaration" ? localValues(statement) : [];
    const type = fieldText(statement, "type");
    const among = found.filter(({ name }) => changed.has(name));
    if (found.length === 0 || type === "auto" || (among.length > 0 && among.length < found.length))
      return undefined;
    if (among.length === 0) locals.push(statement);
    states.push(...among.map(({ name, value }) => ({ name, type, value })));
  }
  const known = (name: string): boolean => inner.has(name) || states.some((state) => state.name === name);
  return states.length > 0 && [...changed].every(known) ? { states, locals } : undefined;
}

function isShort(view: KernelView, { start, bound }: CountedLoop): boolean {
  const [low, high] = [constantOf(formIn(view, start)), constantOf(formIn(view, bound))];
  return low !== undefined && high !== undefined && high - low <= turnsMost;
}

interface Interleaving {
  /** The variable that counts a thread's outputs. */
  readonly turn: string;
  readonly height: number;
  readonly edits: readonly TextEdit[];
  /** Lines around the work of one output. */
  around(work: readonly string[]): readonly string[];
}

/** The work of several outputs, turn by turn of their loop: what they load in one turn is shared. */
export function interleaved(
  view: KernelView,
  { loop, nest, states, locals, after }: SummedLoop,
  { turn, height, edits, around }: Interleaving,
): readonly string[] {
  const text = (node: SyntaxNode): string => {
    const range = { start: node.startIndex, end: node.endIndex };
    const own = edits.filter(({ start, end }) => start >= range.start && end <= range.end);
    const uses = states.flatMap(({ name }) => usesOf(node, name).map((use) => ({ use, name })));
    const named = uses.flatMap(({ use, name }) =>
      own.some(({ start, end }) => start <= use.startIndex && use.endIndex <= end && start < end)
        ? []
        : [replaceNode(use, `${name}[${turn}]`)],
    );
    return editedText(view.source, range, [...own, ...named]);
  };
  const known = locals.map(text);
  const { source } = view;
  const loops = [loop, ...nest.map((each) => each.loop)];
  const heads = loops.map((each) => source.slice(each.loop.startIndex, each.body.startIndex).trimEnd());
  const names = nest.flatMap(({ named }) => named.map(text));
  const innermost = statementsOf(loops.at(-1)?.body).map(text);
  const plain = (type: string): string => type.replace(/\bconst\b/g, "").trim();
  return [
    ...states.map(({ name, type }) => `${plain(type)} ${name}[${height}];`),
    ...around([...known, ...states.map(({ name, value }) => `${name}[${turn}] = ${text(value)};`)]),
    ...heads.map((head, depth) => `${"  ".repeat(depth)}${head} {`),
    ...around([...known, ...names, ...innermost]).map((line) => `${"  ".repeat(heads.length)}${line}`),
    ...heads.map((_, depth) => `${"  ".repeat(heads.length - 1 - depth)}}`),
    ...around([...known, ...after.map(text)]),
  ];
}
