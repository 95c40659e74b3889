import { compact, operands, partsOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { languageCalls, launchValue, onlyAssignment, positional, type TritonView } from "./kernel";
import { isAxis } from "./spread/programs";

/** Loops that take the turns of a program and of every so many programs behind it. */
export interface GridWalks {
  readonly loops: readonly SyntaxNode[];
  /** How many turns there are, in the words of the host; undefined where the kernel computes it. */
  readonly turns: string | undefined;
}

/**
 * The loops of a kernel that does the same with any number of programs along its only axis: nothing but where
 * loops begin and how far they step depends on a program's number, or on how many programs there are.
 */
export function gridWalks(view: TritonView): GridWalks | undefined {
  const numbers = languageCalls(view, ["program_id", "num_programs"]);
  if (numbers.length === 0 || numbers.some((call) => !isAxis(call, 0))) return undefined;
  const heads = view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .flatMap((loop) => headOf(view, loop) ?? []);
  const known = heads.flatMap(({ parts }) => parts.map(({ id }) => id));
  const all = numbers.every((call) =>
    usesIn(view, call).every((use) => known.includes(use.id) || isBegun(view, use)),
  );
  const [first] = heads;
  if (!all || first === undefined) return undefined;
  const same = heads.every(({ end, block }) => end.text === first.end.text && block === undefined);
  const parameter = view.parameters.find(({ name }) => name === first.end.text);
  const turns = same && parameter !== undefined ? launchValue(view, parameter.name)?.text : undefined;
  return { loops: heads.map(({ loop }) => loop), turns };
}

interface Head {
  readonly loop: SyntaxNode;
  /** Where a program's number and the number of programs stand in it. */
  readonly parts: readonly SyntaxNode[];
  readonly end: SyntaxNode;
  /** By what a program's number is multiplied. */
  readonly block?: string | undefined;
}

function headOf(view: TritonView, loop: SyntaxNode): Head | undefined {
  return loop.type === "for_statement" ? rangeHead(view, loop) : whileHead(view, loop);
}

/** `for i in range(tl.program_id(0), n, tl.num_programs(0))`, with names or without. */
function rangeHead(view: TritonView, loop: SyntaxNode): Head | undefined {
  const range = loop.childForFieldName("right");
  const callee = range?.type === "call" ? compact(range.childForFieldName("function")) : "";
  if (!range || !/^(?:\w+\.)?range$/.test(callee)) return undefined;
  const [start, end, step] = positional(range);
  const first = start && numberIn(view, start, "program_id");
  const each = step && numberIn(view, step, "num_programs");
  return end && first && each && first.block === each.block
    ? { loop, parts: [first.number, each.number], end, block: first.block }
    : undefined;
}

interface Factor {
  readonly number: SyntaxNode;
  readonly block: string | undefined;
}

/** `tl.program_id(0)`, `tl.program_id(0) * BLOCK`. */
function numberIn(view: TritonView, node: SyntaxNode, member: string): Factor | undefined {
  const factors = operands(node, "*");
  const number = factors.find((factor) => means(view, factor, member));
  const [block, ...more] = factors.filter(({ id }) => id !== number?.id);
  return number === undefined || more.length > 0 ? undefined : { number, block: block?.text };
}

/** `i = tl.program_id(0)`, `while i < n:`, and `i += tl.num_programs(0)` at its end. */
function whileHead(view: TritonView, loop: SyntaxNode): Head | undefined {
  const condition = loop.childForFieldName("condition");
  const [variable, end] = partsOf(condition);
  const step = partsOf(partsOf(loop.childForFieldName("body")).at(-1))[0];
  const by = step?.type === "augmented_assignment" ? step.childForFieldName("right") : undefined;
  if (variable?.type !== "identifier" || !end || !by || !means(view, by, "num_programs")) return undefined;
  const { text } = variable;
  const walks = compact(condition) === `${text}<${end.text}` && compact(step) === `${text}+=${compact(by)}`;
  return walks && begunAs(view, text) !== undefined ? { loop, parts: [by], end } : undefined;
}

/** True for `tl.program_id(0)` or a name of it. */
function means(view: TritonView, node: SyntaxNode, member: string): boolean {
  const value =
    node.type === "identifier" ? onlyAssignment(view.body, node.text)?.childForFieldName("right") : node;
  return languageCalls(view, [member]).some(({ id }) => id === value?.id);
}

/** Where a call's value is used: itself, or the uses of the name that it is given to. */
function usesIn(view: TritonView, call: SyntaxNode): readonly SyntaxNode[] {
  const { parent } = call;
  const name = parent?.type === "assignment" ? parent.childForFieldName("left") : undefined;
  if (name?.type !== "identifier" || onlyAssignment(view.body, name.text)?.id !== parent?.id) return [call];
  return usesOf(view.body, name.text).filter(({ id }) => id !== name.id);
}

/** The value that the counter of a `while` begins with, where it is a program's number. */
function begunAs({ body }: TritonView, name: string): SyntaxNode | undefined {
  const given = body
    .descendantsOfType(["assignment", "augmented_assignment", "for_statement"])
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  const [first] = given;
  const value = first?.type === "assignment" ? first.childForFieldName("right") : undefined;
  return given.length === 2 && /\.program_id\(/.test(compact(value)) ? (value ?? undefined) : undefined;
}

/** True for the number with which the counter of a `while` over the grid begins. */
function isBegun(view: TritonView, use: SyntaxNode): boolean {
  const name = use.parent?.type === "assignment" ? use.parent.childForFieldName("left")?.text : undefined;
  const loops = view.body.descendantsOfType("while_statement");
  return (
    name !== undefined &&
    begunAs(view, name)?.id === use.id &&
    loops.some((loop) => partsOf(loop.childForFieldName("condition"))[0]?.text === name)
  );
}
