import type { BlockShape } from "../launch/block-shape";
import { formOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../language/cuda/body/scope";
import { enclosing, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, indentOf, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { isGlobalThreadIndex, isGridStride } from "../elements/item-loops";
import { formIn, type KernelView } from "../kernel";
import { blockTable } from "./block-table";
import { factorText, lineOf } from "./numbering";
import { type PointSpace, spaceOf } from "./point-space";
import { minus, plainType, plus } from "./tile-walk";

const LOOPS = ["for_statement", "while_statement", "do_statement"];

/**
 * Reads a kernel as work on the points of one row: one point a thread, or a loop in steps of the grid. The
 * second axis of the space has a single point.
 */
export function lineSpace(view: KernelView, block: BlockShape["sizes"]): PointSpace | RuleHold {
  const table = blockTable(view);
  if (isNot(table)) return table;
  if (block[1] * block[2] !== 1) return not("launch", `the block is ${block.join(" × ")}`, view.line);
  const loop = gridStrideLoop(view, block[0]);
  if (loop !== undefined) return loopSpace(view, loop, table.barrier);
  const numbering = lineOf(view, block);
  if (numbering === undefined)
    return not("no-pattern", "no variable numbers the points of the output", view.line);
  const space = spaceOf(view, numbering, table.barrier);
  return isNot(space) ? space : (leavesEarly(space.statements) ?? space);
}

/** `for (int i = thread's number in the grid; i < n; i += all threads)`. */
function gridStrideLoop(view: KernelView, threads: number): CountedLoop | undefined {
  return countedLoops(view.body).find(
    ({ loop, start, comparison, step }) =>
      loop.parent?.id === view.body.id &&
      comparison === "<" &&
      step.operator === "+" &&
      step.amount !== undefined &&
      isGlobalThreadIndex(formIn(view, start), threads) &&
      isGridStride(formIn(view, step.amount), threads),
  );
}

function loopSpace(
  view: KernelView,
  counted: CountedLoop,
  barrier: SyntaxNode | undefined,
): PointSpace | RuleHold {
  const { loop, body, variable, type, bound } = counted;
  if (barrier !== undefined && loop.startIndex < barrier.startIndex)
    return not("cooperation", "the threads of a block wait behind the loop", loop);
  const end = partsOf(view.body).at(-1);
  if (end?.id !== loop.id) return not("no-pattern", "something follows the loop over the points", loop);
  const statements = statementsOf(body);
  const held = leavesEarly(statements) ?? carriesOver(view, counted);
  if (held !== undefined) return held;
  const row = freshName(view.source, "onlyRow");
  const scope = {
    ...view.scope,
    meaning: (name: string) => (name === variable ? undefined : view.scope.meaning(name)),
  };
  return {
    axes: [
      { name: variable, type, start: 0, extent: factorText(bound) },
      { name: row, type: "int", start: 0, extent: "1" },
    ],
    definitions: [],
    guards: [],
    conditions: [],
    statements,
    kept: [],
    table: barrier !== undefined,
    region: { start: loop, end: loop },
    form: (node) => formOf(node, scope),
    dependsOn: (node, number) => usesOf(node, number).length > 0,
    linesFor: () => [],
  };
}

/** Statements that end a point's work in the middle. */
function leavesEarly(statements: readonly SyntaxNode[]): RuleHold | undefined {
  const inLoop = (node: SyntaxNode, ...kinds: string[]): boolean => {
    const outer = enclosing(node, ...LOOPS, ...kinds);
    return outer !== undefined && statements.some((statement) => isInside(outer, statement));
  };
  const found = statements
    .flatMap((node) =>
      node.descendantsOfType([
        ...["return_statement", "goto_statement", "continue_statement", "break_statement"],
      ]),
    )
    .find((node) => {
      if (node.type === "continue_statement") return !inLoop(node);
      return node.type !== "break_statement" || !inLoop(node, "switch_statement");
    });
  return found && not("no-pattern", "the work of a point ends in the middle", found);
}

/** Something that one point hands on to the next one of its thread, or the thread's own number. */
function carriesOver(view: KernelView, { loop, body, variable, bound }: CountedLoop): RuleHold | undefined {
  if (!isPure(bound)) return not("dependence", "the end of the points may change", bound);
  const own = new Set(
    body
      .descendantsOfType(["declaration"])
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const carried = changes(body).find(({ target }) => target.type === "identifier" && !own.has(target.text));
  if (carried !== undefined)
    return not("dependence", `${carried.target.text} is carried from one point to the next`, carried.act);
  const changed = changes(loop).find(({ target }) => target.text === variable && isInside(target, body));
  if (changed !== undefined) return not("dependence", `${variable} is changed`, changed.act);
  const other = body.descendantsOfType("identifier").find(({ text }) => /^(threadIdx|blockIdx)$/.test(text));
  return other && not("dependence", `${other.text} is used for more than the point`, other);
}

/** Names that a walk along a line of points introduces. */
export interface LineNames {
  /** The first point of the block's piece of the line. */
  readonly first: string;
  /** A thread's place in the piece. */
  readonly place: string;
}

export function lineNames(source: string, { axes: [across] }: PointSpace): LineNames {
  return { first: freshName(source, `${across.name}First`), place: freshName(source, "place") };
}

interface LineWalk {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly names: LineNames;
  /** Points of a piece. */
  readonly length: number;
  /** True where each block takes one piece, because it has no more points than that. */
  readonly once?: boolean;
  readonly declarations: readonly string[];
  /** Lines of the block for one piece; they end with a barrier where they use shared memory. */
  readonly piece: readonly string[];
}

/**
 * The kernel as a walk of each block over pieces of the line, the grid's blocks taking them in turn: right
 * for every grid, so that the launch may stay as it is.
 */
export function lineWalk({
  view,
  space,
  names,
  length,
  once = false,
  declarations,
  piece,
}: LineWalk): TextEdit {
  const { source } = view;
  const [at, across] = [freshName(source, "piece"), space.axes[0]];
  const type = plainType(across);
  const place = once ? "blockIdx.x" : at;
  const number = type === "int" ? place : `static_cast<${type}>(${place})`;
  const whole = [`const ${type} ${names.first} = ${number} * ${length}${plus(across)};`, ...piece];
  const head = `for (int ${at} = blockIdx.x; ${at} < (${across.extent}${minus(across)} + ${length - 1}) / ${length}; ${at} += gridDim.x) {`;
  const walk = once ? whole : [head, ...whole.map((line) => `  ${line}`), "}"];
  const lines = [...space.kept, ...declarations, ...walk];
  const { start, end } = space.region;
  return { start: start.startIndex, end: end.endIndex, text: lines.join(`\n${indentOf(source, start)}`) };
}

/** Lines that run `work` for each point of a piece. */
export function placeLines(
  { axes: [across], definitions, guards }: PointSpace,
  { first, place }: LineNames,
  {
    length,
    threads,
    work,
  }: { readonly length: number; readonly threads: number; readonly work: readonly string[] },
): readonly string[] {
  const inner = [...definitions, ...(guards.length === 0 ? work : guarded(guards, work))];
  return [
    `for (int ${place} = threadIdx.x; ${place} < ${length}; ${place} += ${threads}) {`,
    `  const ${plainType(across)} ${across.name} = ${first} + ${place};`,
    `  if (${across.name} < ${across.extent}) {`,
    ...inner.map((line) => `    ${line}`),
    "  }",
    "}",
  ];
}

function guarded(guards: readonly string[], work: readonly string[]): readonly string[] {
  return [`if (${guards.join(" && ")}) {`, ...work.map((line) => `  ${line}`), "}"];
}
