import { enclosing, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import { isCallOf, languageCalls, maskOf, positional, type TritonView } from "../kernel";
import { type Dependences, isInLoop, reducing } from "./dependence";

/** A dimension that the blocks of a kernel get beside the one that they have. */
interface Dimension {
  readonly view: TritonView;
  readonly of: Dependences;
  /** How long it is, in the kernel's words. */
  readonly length: string;
  /** The name of the mask that says which of its elements are there. */
  readonly live: string;
  /** Whether it stands before the dimension that is there, as rows stand before columns. */
  readonly first: boolean;
  /** True where blocks have no other dimension: the kernel works on single elements. */
  readonly alone: boolean;
}

/** Subscripts that turn a block of one dimension into one of two. */
export function subscriptsOf(first: boolean): { readonly added: string; readonly lanes: string } {
  return first ? { added: "[:, None]", lanes: "[None, :]" } : { added: "[None, :]", lanes: "[:, None]" };
}

/** The edits that give blocks, reductions, sums and accesses of a kernel the dimension. */
export function dimensionEdits(dimension: Dimension): readonly TextEdit[] | RuleHold {
  const { view } = dimension;
  const sums = sumEdits(dimension);
  if (!isEdits(sums)) return sums;
  const accesses = accessEdits(dimension);
  if (!isEdits(accesses)) return accesses;
  const summed = sums.map(({ start }) => start);
  const blocks = blockEdits(dimension).filter(({ start }) => !summed.includes(start));
  const reductions = languageCalls(view, reducing).map((call) => reductionEdit(call, dimension.first));
  return [...sums, ...accesses, ...blocks, ...reductions];
}

function isEdits(found: readonly TextEdit[] | RuleHold): found is readonly TextEdit[] {
  return Array.isArray(found);
}

/** `tl.arange(…)`, and `tl.zeros((BLOCK,), …)` that is no sum of what differs along the dimension. */
function blockEdits({ view, of, first }: Dimension): readonly TextEdit[] {
  const { lanes } = subscriptsOf(first);
  return languageCalls(view, ["arange", "zeros", "full"]).flatMap((call) => {
    const filled = !isCallOf(view, call, "arange");
    if (filled && (elementsOf(call) === undefined || sumOf(view, of, call) !== undefined)) return [];
    return [{ start: call.endIndex, end: call.endIndex, text: lanes }];
  });
}

/** The length of `tl.zeros((BLOCK,), …)`; undefined for a block of one element. */
function elementsOf(call: SyntaxNode): SyntaxNode | undefined {
  const [shape] = positional(call);
  const [only] = partsOf(shape);
  return only === undefined || only.text === "1" ? undefined : only;
}

/** The name that a block is given to, where it comes to differ along the dimension. */
function sumOf(view: TritonView, of: Dependences, value: SyntaxNode): SyntaxNode | undefined {
  const assignment = value.parent;
  if (assignment?.type !== "assignment" || assignment.childForFieldName("right")?.id !== value.id)
    return undefined;
  const name = assignment.childForFieldName("left");
  const grows = name?.type === "identifier" && of(name).programs && isGivenInLoop(view, name.text);
  return grows ? name : undefined;
}

function isGivenInLoop({ body }: TritonView, name: string): boolean {
  return givenAt(body, name).some(isInLoop);
}

function givenAt(body: SyntaxNode, name: string): readonly SyntaxNode[] {
  return body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => act.childForFieldName("left")?.text === name);
}

const number = /^-?\(?(?:[\d.]+(?:e[-+]?\d+)?|float\(["']-?inf["']\))\)?$/;

/** What a loop changes has one shape from the beginning. */
function sumEdits(dimension: Dimension): readonly TextEdit[] | RuleHold {
  const { view, of } = dimension;
  const edits: TextEdit[] = [];
  for (const act of view.body.descendantsOfType("assignment")) {
    const [name, value] = [act.childForFieldName("left"), act.childForFieldName("right")];
    if (isInLoop(act) || name?.type !== "identifier" || !value) continue;
    const grows = of(name).programs && !of(value).programs && isGivenInLoop(view, name.text);
    const edit = grows ? shapedFrom(dimension, name, value) : undefined;
    if (grows && edit === undefined)
      return not("no-rewrite", `${name.text} begins as something that is no number`, act);
    if (edit !== undefined) edits.push(edit);
  }
  return edits;
}

/** `tl.zeros((BLOCK,), …)` or a number, in the shape that the sum comes to have. */
function shapedFrom(
  { view, of, length, first, alone }: Dimension,
  name: SyntaxNode,
  value: SyntaxNode,
): TextEdit | undefined {
  const pair = (across: string): string => {
    if (alone) return `(${length},)`;
    return first ? `(${length}, ${across})` : `(${across}, ${length})`;
  };
  const filled = isCallOf(view, value, "zeros") || isCallOf(view, value, "full");
  const [shape] = filled ? positional(value) : [];
  if (shape !== undefined) return replaceNode(shape, pair(elementsOf(value)?.text ?? "1"));
  const library = libraryOf(view);
  return number.test(value.text.replace(/\s/g, "")) && !of(name).lanes
    ? replaceNode(value, `${library}full(${pair("1")}, ${value.text}, ${library}float32)`)
    : undefined;
}

/** The name before members of `triton.language`, with its dot. */
export function libraryOf(view: TritonView): string {
  const [call] = languageCalls(view, ["load", "store", "program_id"]);
  const owner = fieldText(call?.childForFieldName("function"), "object");
  return owner === "" ? "tl." : `${owner}.`;
}

/** `tl.sum(x, 0)` → `tl.sum(x, axis=1, keep_dims=True)`. */
function reductionEdit(call: SyntaxNode, first: boolean): TextEdit {
  const given = call.childForFieldName("arguments");
  const [value] = positional(call);
  const start = value?.endIndex ?? call.endIndex - 1;
  const end = (given?.endIndex ?? call.endIndex) - 1;
  return { start, end, text: `, axis=${first ? 1 : 0}, keep_dims=True` };
}

/** Accesses that differ along the dimension are masked by it. */
function accessEdits({ view, of, live }: Dimension): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const calls = view.body.descendantsOfType("call").filter((call) => isAccess(view, call));
  for (const call of calls) {
    const [address] = positional(call);
    if (address === undefined) return not("unreadable", "an access names its address", call);
    const writes = !isCallOf(view, call, "load");
    if (!of(address).programs && writes)
      return not("dependence", "all programs store to the same place", call);
    if (!of(address).programs) continue;
    if (writes && call.parent?.type !== "expression_statement")
      return not("dependence", "what the atomic returns is used", call);
    edits.push(...maskedBy(view, call, live));
  }
  return edits;
}

function isAccess(view: TritonView, call: SyntaxNode): boolean {
  const callee = call.childForFieldName("function");
  const member = fieldText(callee, "attribute");
  return /^(load|store|atomic_\w+)$/.test(member) && view.model.names.isLanguage(callee, member);
}

/** The access with one more condition in its mask. */
export function maskedBy(view: TritonView, call: SyntaxNode, live: string): readonly TextEdit[] {
  const mask = maskOf(view, call);
  const last = partsOf(call.childForFieldName("arguments")).at(-1);
  if (mask !== undefined)
    return [
      { start: mask.startIndex, end: mask.startIndex, text: "(" },
      { start: mask.endIndex, end: mask.endIndex, text: `) & ${live}` },
    ];
  return last === undefined ? [] : [{ start: last.endIndex, end: last.endIndex, text: `, mask=${live}` }];
}

/** The statement of the kernel's own level that a node stands in. */
export function topStatement({ body }: TritonView, node: SyntaxNode): SyntaxNode | undefined {
  return partsOf(body).find((statement) => isInside(node, statement));
}

/** The statement around a node. */
export function statementAround(node: SyntaxNode): SyntaxNode | undefined {
  return enclosing(node, "expression_statement", "return_statement");
}
