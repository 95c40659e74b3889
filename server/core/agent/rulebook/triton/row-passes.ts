import type { RuleNode } from "../rule";
import { compact, isInside, usesOf } from "../syntax";
import type { TritonKernel } from "./kernel-source";
import { keyword, languageCalls } from "./kernel-source";

/** One walk over a row: `for start in range(0, end, BLOCK):`, beginning with the offsets. */
export interface RowPass {
  readonly loop: RuleNode;
  readonly variable: string;
  readonly end: string;
  readonly block: string;
  readonly statements: readonly RuleNode[];
}

/** Walks over the same row, one after the other. */
export interface RowPasses {
  readonly passes: readonly RowPass[];
  /**
   * How many statements at the beginning of each pass are the same in all: the offsets, masks and at least
   * one load.
   */
  readonly shared: number;
}

/**
 * The walks of a kernel when they all begin alike, with nothing in between that could change what is loaded.
 * Undefined else: then the later loads may not be taken from the first.
 */
export function rowPasses(kernel: TritonKernel): RowPasses | undefined {
  const passes = kernel.body.namedChildren.flatMap((node) => passOf(node) ?? []);
  const [first] = passes;
  const last = passes.at(-1);
  if (first === undefined || last === undefined || passes.length < 2) return undefined;
  if (kernel.body.descendantsOfType(["for_statement", "while_statement"]).length !== passes.length)
    return undefined;
  if (passes.some((pass) => pass.end !== first.end || pass.block !== first.block)) return undefined;
  const shared = sharedBeginning(passes);
  const prefix = first.statements.slice(0, shared);
  const loads = languageCalls(kernel.body, ["load"]).filter((call) =>
    prefix.some((node) => isInside(call, node)),
  );
  if (loads.length === 0 || loads.some((call) => keyword(call, "mask") === undefined)) return undefined;
  return isSteady(kernel, passes, prefix) && storesComeLast(kernel, last) ? { passes, shared } : undefined;
}

function passOf(loop: RuleNode): RowPass | undefined {
  if (loop.type !== "for_statement") return undefined;
  const range = loop.childForFieldName("right");
  const steps =
    range?.type === "call" && compact(range.childForFieldName("function")) === "range"
      ? (range.childForFieldName("arguments")?.namedChildren ?? [])
      : [];
  const [variable, body] = [loop.childForFieldName("left"), loop.childForFieldName("body")];
  const [zero, end, block] = steps;
  if (
    variable?.type !== "identifier" ||
    !body ||
    zero?.text !== "0" ||
    end?.type !== "identifier" ||
    block?.type !== "identifier"
  )
    return undefined;
  const statements = body.namedChildren;
  const value = statements[0]?.namedChildren[0]?.childForFieldName("right");
  const arange = `tl.arange(0,${block.text})`;
  const isOffsets = [`${variable.text}+${arange}`, `${arange}+${variable.text}`].includes(compact(value));
  if (
    !isOffsets ||
    statements.some((node) => node.type === "comment") ||
    usesOf(body, variable.text).length !== 1
  )
    return undefined;
  return { loop, variable: variable.text, end: end.text, block: block.text, statements };
}

/** Number of assignments to plain names that all passes begin with. */
function sharedBeginning(passes: readonly RowPass[]): number {
  const texts = passes.map((pass) =>
    pass.statements.map((node, position) =>
      position === 0 ? compact(node).replace(pass.variable, "") : compact(node),
    ),
  );
  const [first = []] = texts;
  let shared = 0;
  while (
    shared < first.length &&
    isPlainAssignment(passes[0]?.statements[shared]) &&
    texts.every((each) => each[shared] === first[shared])
  )
    shared += 1;
  return shared;
}

function isPlainAssignment(statement: RuleNode | undefined): boolean {
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
function isSteady(kernel: TritonKernel, passes: readonly RowPass[], prefix: readonly RuleNode[]): boolean {
  const [from, to] = [passes[0]?.loop.startIndex ?? 0, passes.at(-1)?.loop.endIndex ?? 0];
  const allowed = passes.flatMap((pass) => pass.statements.slice(0, prefix.length));
  const names = new Set(
    prefix.flatMap((node) => node.descendantsOfType("identifier").map((identifier) => identifier.text)),
  );
  return kernel.body.descendantsOfType(["assignment", "augmented_assignment"]).every((act) => {
    if (act.startIndex < from || act.endIndex > to || allowed.some((node) => isInside(act, node)))
      return true;
    return (act.childForFieldName("left")?.descendantsOfType("identifier") ?? []).every(
      (target) => !names.has(target.text),
    );
  });
}

/** True when nothing is written to memory before the last pass: it might be what a later load reads. */
function storesComeLast(kernel: TritonKernel, last: RowPass): boolean {
  const stores = kernel.body
    .descendantsOfType("call")
    .filter((call) =>
      /^tl\.(store|atomic_\w+|debug_barrier|inline_asm_elementwise)$/.test(
        compact(call.childForFieldName("function")),
      ),
    );
  return stores.every((call) => call.startIndex > last.loop.startIndex);
}
