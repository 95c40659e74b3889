import { at, last } from "../../../base/known";
import { compact, isInside, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { not, type RuleHold } from "../rule";
import { isCallOf, keyword, languageCalls, positional, type TritonView } from "./kernel";

/** One walk over a row: `for start in range(0, end, BLOCK):`, beginning with the offsets. */
export interface RowPass {
  readonly loop: SyntaxNode;
  readonly variable: string;
  readonly end: string;
  readonly block: string;
  readonly statements: readonly SyntaxNode[];
  /** Statements that only name a mask. */
  readonly masks: readonly SyntaxNode[];
}

/** Walks over the same row, one after the other. */
interface RowPasses {
  readonly passes: readonly [RowPass, ...RowPass[]];
  /**
   * How many statements at the beginning of each pass are the same in all, names of masks left out: the
   * offsets and at least one load.
   */
  readonly shared: number;
}

/**
 * The walks of a kernel when they all begin alike, with nothing in between that could change what is loaded;
 * else a guard's answer: then the later loads may not be taken from the first.
 */
export function rowPasses(view: TritonView): RowPasses | RuleHold {
  const passes = view.body.namedChildren.flatMap((node) => passOf(view, node) ?? []);
  const [first, ...others] = passes;
  const last = others.at(-1);
  if (first === undefined || last === undefined)
    return not("no-pattern", "the kernel does not walk over a row twice", view.line);
  const loops = view.body.descendantsOfType(["for_statement", "while_statement"]);
  const other = loops.find((loop) => !passes.some((pass) => pass.loop.id === loop.id));
  if (other !== undefined) return not("no-pattern", "a loop is no walk over the row", other);
  const odd = others.find((pass) => pass.end !== first.end || pass.block !== first.block);
  if (odd !== undefined) return not("no-pattern", "the walks have different bounds", odd.loop);
  const shared = sharedBeginning(passes);
  const prefix = withoutMasks(first).slice(0, shared);
  const loads = languageCalls(view, ["load"]).filter((call) => prefix.some((node) => isInside(call, node)));
  if (loads.length === 0) return not("no-pattern", "the walks do not begin with the same load", last.loop);
  const bare = loads.find((call) => keyword(call, "mask") === undefined);
  if (bare !== undefined) return not("no-pattern", "a load of the row has no mask", bare);
  if (!isSteady(view, passes, prefix))
    return not("dependence", "something that the load is made of changes in between", last.loop);
  const store = storeBefore(view, last);
  return store === undefined
    ? { passes: [first, ...others], shared }
    : not("aliasing", "memory is written before the last walk", store);
}

function passOf(view: TritonView, loop: SyntaxNode): RowPass | undefined {
  const bounds = boundsOf(loop);
  const body = loop.childForFieldName("body");
  if (bounds === undefined || body === null) return undefined;
  const statements = body.namedChildren;
  const commented = statements.some((node) => node.type === "comment");
  const masks = statements.filter(isMask);
  return isOffsets(view, statements[0], bounds) && !commented && usesOf(body, bounds.variable).length === 1
    ? { loop, ...bounds, statements, masks }
    : undefined;
}

/** `keep = columns < n`. */
function isMask(statement: SyntaxNode): boolean {
  const value = statement.namedChildren[0]?.childForFieldName("right");
  return isPlainAssignment(statement) && value?.type === "comparison_operator";
}

/** The statements of a walk but those that name a mask. */
export function withoutMasks({ statements, masks }: RowPass): readonly SyntaxNode[] {
  return statements.filter(({ id }) => !masks.some((mask) => mask.id === id));
}

/** `for variable in range(0, end, block)`, also with `tl.range` and its options. */
function boundsOf(loop: SyntaxNode): Pick<RowPass, "variable" | "end" | "block"> | undefined {
  const range = loop.type === "for_statement" ? loop.childForFieldName("right") : null;
  const variable = loop.childForFieldName("left");
  const callee = compact(range?.childForFieldName("function"));
  if (range?.type !== "call" || !/^(?:\w+\.)?range$/.test(callee)) return undefined;
  const [zero, end, block] = positional(range);
  const named = [variable, end, block].every((node) => node?.type === "identifier");
  return named && zero?.text === "0" && variable && end && block
    ? { variable: variable.text, end: end.text, block: block.text }
    : undefined;
}

/** `offsets = start + tl.arange(0, BLOCK)`. */
function isOffsets(
  view: TritonView,
  statement: SyntaxNode | undefined,
  { variable, block }: { readonly variable: string; readonly block: string },
): boolean {
  const value = statement?.namedChildren[0]?.childForFieldName("right");
  const [left, right] = [value?.childForFieldName("left"), value?.childForFieldName("right")];
  const isSpan = (node: SyntaxNode | null | undefined): boolean => {
    const [from, to] = node && isCallOf(view, node, "arange") ? positional(node) : [];
    return from?.text === "0" && to?.text === block;
  };
  return (left?.text === variable && isSpan(right)) || (right?.text === variable && isSpan(left));
}

/** Number of assignments to plain names that all passes begin with. */
function sharedBeginning(passes: readonly RowPass[]): number {
  const texts = passes.map((pass) =>
    withoutMasks(pass).map((node, position) =>
      position === 0 ? compact(node).replace(pass.variable, "") : masked(pass, compact(node)),
    ),
  );
  const [first = []] = texts;
  const own = withoutMasks(at(passes, 0));
  let shared = 0;
  while (
    shared < first.length &&
    isPlainAssignment(own[shared]) &&
    texts.every((each) => each[shared] === first[shared])
  )
    shared += 1;
  return shared;
}

/** True where no name of a mask means different things in two walks. */
function sameMasks(passes: readonly RowPass[]): boolean {
  const all = passes.flatMap(({ masks }) => masks.map((mask) => mask.namedChildren[0]));
  return all.every((one) =>
    all.every(
      (other) =>
        compact(one?.childForFieldName("left")) !== compact(other?.childForFieldName("left")) ||
        compact(one?.childForFieldName("right")) === compact(other?.childForFieldName("right")),
    ),
  );
}

/** A statement's text with the masks of its walk written out. */
function masked({ masks }: RowPass, text: string): string {
  const named = masks.map((mask) => mask.namedChildren[0]);
  return named.reduce((written, mask) => {
    const name = compact(mask?.childForFieldName("left"));
    return written.replace(new RegExp(`\\b${name}\\b`, "g"), compact(mask?.childForFieldName("right")));
  }, text);
}

function isPlainAssignment(statement: SyntaxNode | undefined): boolean {
  const assignment = statement?.namedChildren[0];
  return (
    statement?.type === "expression_statement" &&
    assignment?.type === "assignment" &&
    assignment.childForFieldName("left")?.type === "identifier"
  );
}

/**
 * True when neither what the shared statements give nor what they are made of is changed anywhere between the
 * first pass and the last.
 */
function isSteady(view: TritonView, passes: readonly RowPass[], prefix: readonly SyntaxNode[]): boolean {
  const [from, to] = [at(passes, 0).loop.startIndex, last(passes).loop.endIndex];
  const allowed = passes.flatMap((pass) => [
    ...withoutMasks(pass).slice(0, prefix.length),
    ...(sameMasks(passes) ? pass.masks : []),
  ]);
  const names = new Set(
    prefix.flatMap((node) => node.descendantsOfType("identifier").map((identifier) => identifier.text)),
  );
  return view.body.descendantsOfType(["assignment", "augmented_assignment"]).every((act) => {
    if (act.startIndex < from || act.endIndex > to || allowed.some((node) => isInside(act, node)))
      return true;
    return (act.childForFieldName("left")?.descendantsOfType("identifier") ?? []).every(
      (target) => !names.has(target.text),
    );
  });
}

/** A write to memory before the last pass: it might be what a later load reads. */
function storeBefore(view: TritonView, last: RowPass): SyntaxNode | undefined {
  return view.body
    .descendantsOfType("call")
    .filter((call) =>
      /\.(store|atomic_\w+|debug_barrier|inline_asm_elementwise)$/.test(
        compact(call.childForFieldName("function")),
      ),
    )
    .find((call) => call.startIndex <= last.loop.startIndex);
}
