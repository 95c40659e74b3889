import { compact, isInside, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { isCallOf, languageCalls, maskOf, positional, type TritonView } from "../kernel";
import { type Dependences, dependencesOf } from "../spread/dependence";

/** One walk over a row in blocks: a `for` or a `while` from 0 to its end. */
export interface Walk {
  readonly loop: SyntaxNode;
  readonly end: string;
  readonly block: string;
  /** What the walk does in each turn, without the step of a `while`. */
  readonly statements: readonly SyntaxNode[];
  /** Where the turn's position stands: `start`, or `i * BLOCK`, each a term of a sum with the lanes. */
  readonly positions: readonly SyntaxNode[];
}

/** All loops of a kernel, as walks over one row. */
export interface Walks {
  readonly walks: readonly [Walk, Walk, ...Walk[]];
  readonly of: Dependences;
}

/** The walks of a kernel that go over the same row in the same steps; else a guard's answer. */
export function walksOf(view: TritonView): Walks | RuleHold {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const found = view.body.namedChildren.flatMap((node) => walkOf(view, of, node) ?? []);
  const [first, second, ...others] = found;
  if (first === undefined || second === undefined)
    return not("no-pattern", "the kernel does not walk over a row twice", view.line);
  const loops = view.body.descendantsOfType(["for_statement", "while_statement"]);
  const other = loops.find((loop) => !found.some((walk) => walk.loop.id === loop.id));
  if (other !== undefined) return not("no-pattern", "a loop is no walk over the row", other);
  const odd = found.find((walk) => walk.end !== first.end || walk.block !== first.block);
  if (odd !== undefined) return not("no-pattern", "the walks have different bounds", odd.loop);
  const bare = languageCalls(view, ["load", "store"]).find(
    (call) => positional(call).some((part) => of(part).lanes) && maskOf(view, call) === undefined,
  );
  if (bare !== undefined)
    return not("no-pattern", "an access has no mask, so a longer block would reach past the end", bare);
  const store = storeBefore(view, found.at(-1) ?? second);
  if (store !== undefined) return not("aliasing", "memory is written before the last walk", store);
  return { walks: [first, second, ...others], of };
}

function walkOf(view: TritonView, of: Dependences, loop: SyntaxNode): Walk | undefined {
  const head = headOf(view, loop);
  const body = loop.childForFieldName("body");
  if (head === undefined || body === null) return undefined;
  const { end, block, variable, counts } = head;
  const all = body.namedChildren;
  const statements = loop.type === "for_statement" ? all : all.slice(0, -1);
  const uses = statements.flatMap((statement) => usesOf(statement, variable));
  const positions = uses.flatMap((use) => positionOf(of, use, counts ? block : undefined) ?? []);
  const plain = !statements.some((statement) => statement.type === "comment");
  return plain && positions.length === uses.length && uses.length > 0
    ? { loop, end, block, statements, positions }
    : undefined;
}

/** A loop from 0 to an end in steps of a block. */
export interface Head {
  readonly variable: string;
  readonly end: string;
  readonly block: string;
  /** True where the variable counts blocks. */
  readonly counts: boolean;
  /** The range of a `for`. */
  readonly range?: SyntaxNode;
  /** The 0 that a `while` begins with, and the block that it steps by. */
  readonly start?: SyntaxNode;
  readonly step?: SyntaxNode;
}

export function headOf(view: TritonView, loop: SyntaxNode): Head | undefined {
  return loop.type === "for_statement" ? countedHead(loop) : whileHead(view, loop);
}

/** `range(0, end, BLOCK)`, `range(cdiv(end, BLOCK))`, also of `tl` and with its options. */
function countedHead(loop: SyntaxNode): Head | undefined {
  const [variable, range] = [loop.childForFieldName("left"), loop.childForFieldName("right")];
  if (variable?.type !== "identifier" || range?.type !== "call") return undefined;
  if (!/^(?:\w+\.)?range$/.test(compact(range.childForFieldName("function")))) return undefined;
  const given = positional(range);
  const [first] = given;
  const rest = given.length > 1 && first?.text === "0" ? given.slice(1) : given;
  const [end, block] = rest;
  if (rest.length === 2 && given.length === 3)
    return headFrom(variable, { end, block, counts: false, range });
  const divides = /(^|\.)cdiv$/.test(compact(end?.childForFieldName("function")));
  if (rest.length !== 1 || end === undefined || !divides) return undefined;
  const [of, by] = positional(end);
  return headFrom(variable, { end: of, block: by, counts: true, range });
}

interface Bounds {
  readonly end: SyntaxNode | undefined;
  readonly block: SyntaxNode | undefined;
  readonly counts: boolean;
  readonly range?: SyntaxNode;
  readonly start?: SyntaxNode;
  readonly step?: SyntaxNode;
}

function headFrom(variable: SyntaxNode, { end, block, ...nodes }: Bounds): Head | undefined {
  return end?.type === "identifier" && block?.type === "identifier"
    ? { variable: variable.text, end: end.text, block: block.text, ...nodes }
    : undefined;
}

/** `c = 0`, `while c < end:`, and `c += BLOCK` as the last statement. */
function whileHead(view: TritonView, loop: SyntaxNode): Head | undefined {
  const condition = loop.type === "while_statement" ? loop.childForFieldName("condition") : null;
  const last = partsOf(loop.childForFieldName("body")).at(-1);
  const [variable, end] = partsOf(condition);
  const step = partsOf(last)[0];
  const block = (step?.type === "augmented_assignment" && step.childForFieldName("right")) || undefined;
  if (variable?.type !== "identifier" || end === undefined) return undefined;
  const { text } = variable;
  if (compact(condition) !== `${text}<${end.text}` || compact(step) !== `${text}+=${compact(block)}`)
    return undefined;
  const before = partsOf(view.body)
    .filter((statement) => statement.endIndex <= loop.startIndex && usesOf(statement, text).length > 0)
    .at(-1);
  const start = partsOf(before)[0]?.childForFieldName("right");
  return compact(before) === `${text}=0` && start && block
    ? headFrom(variable, { end, block, counts: false, start, step: block })
    : undefined;
}

/**
 * The position that a use of the variable stands for, where it is added to the lanes and does nothing else.
 */
function positionOf(of: Dependences, use: SyntaxNode, block: string | undefined): SyntaxNode | undefined {
  const position = block === undefined ? use : productOf(use, block);
  let sum = position?.parent;
  while (sum?.parent && isSum(sum.parent)) sum = sum.parent;
  const terms = sum && isSum(sum) ? operands(sum, "+") : [];
  return terms.some((term) => of(term).lanes) ? position : undefined;
}

/** `i * BLOCK`. */
function productOf(use: SyntaxNode, block: string): SyntaxNode | undefined {
  const product = use.parent?.type === "binary_operator" ? use.parent : undefined;
  const factors = product === undefined ? [] : operands(product, "*");
  return factors.length === 2 && factors.some(({ text }) => text === block) ? product : undefined;
}

function isSum(node: SyntaxNode): boolean {
  const plus = node.type === "binary_operator" && node.childForFieldName("operator")?.text === "+";
  return plus || node.type === "parenthesized_expression";
}

/**
 * A write to memory before the last walk, which a later load might read; one that ends the program is none.
 */
function storeBefore(view: TritonView, last: Walk): SyntaxNode | undefined {
  return view.body.descendantsOfType("call").find((call) => {
    const callee = compact(call.childForFieldName("function"));
    if (!/\.(store|atomic_\w+|debug_barrier|inline_asm_elementwise)$/.test(callee)) return false;
    return call.startIndex <= last.loop.startIndex && !endsProgram(view, call);
  });
}

/** In a condition whose branch returns. */
function endsProgram(view: TritonView, call: SyntaxNode): boolean {
  const branch = view.body.descendantsOfType("block").findLast((block) => isInside(call, block));
  return branch !== undefined && partsOf(branch).at(-1)?.type === "return_statement";
}
