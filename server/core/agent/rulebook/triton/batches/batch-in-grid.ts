import { collapse, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { modelConstants } from "../../../../timing/gpu-model";
import {
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  outdented,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid, parameterEdit } from "../spread/programs";
import { asksForAxis, type BatchLoop, batchLoop, gridStatement } from "./batch-loop";
import { askedOfFirst } from "./turn-values";

/**
 * Launches a kernel once for all members of a batch, along one more axis of the grid, where the host launches
 * it for one after the other: the gaps between small launches cost more than the work.
 */
export const batchInGrid = defineRule("triton-batch-in-grid", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const batch = batchLoop(view);
  if (isNot(batch)) return batch;
  const times = timesOf(input);
  if (times < 2) return not("no-evidence", "the loop launches the kernel once", view.launch.call);
  const edits = batchedEdits(view, batch);
  const gap = modelConstants.launchGapNanoseconds * (times - 1);
  const gain = Math.min(1 - 1 / times, gap / Math.max(gap, input.bound.nanoseconds));
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, { ...facts, value: times, ideal: 1 }),
    gain,
  };
});

function timesOf({ launches = [] }: RuleInput): number {
  return launches.reduce((sum, { times }) => sum + times, 0);
}

function batchedEdits(view: TritonView, batch: BatchLoop): readonly TextEdit[] | RuleHold {
  const { launch, source } = view;
  if (view.tuned) return not("launch", "the autotuner chooses by the size of one launch", launch.call);
  const axes = axesFor(view, batch);
  if (isNot(axes)) return axes;
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (last === undefined || launch.grid === undefined)
    return not("unreadable", "the launch is not read", launch.call);
  const passed = passedEdits(view, batch, axes.first);
  if (isNot(passed)) return passed;
  const names = passed.strides.map(({ name }) => name).join(", ");
  const declared = names === "" ? undefined : parameterEdit(view, names);
  if (isNot(declared)) return declared;
  const first = firstStatement(view);
  const strides = passed.strides.map(({ name, value }) => `, ${name}=${value}`).join("");
  const lines = passed.lines.map((line) => `${line}\n${indentOf(source, first)}`).join("");
  return [
    ...hostEdits(view, batch),
    replaceNode(launch.grid, `(${axes.extents.join(", ")}${axes.extents.length === 1 ? "," : ""})`),
    ...passed.edits,
    { start: last.endIndex, end: last.endIndex, text: strides },
    ...(declared === undefined ? [] : [declared]),
    insertBefore(first, lines),
  ];
}

/** The launch without its loops, and what is left of them before and behind it. */
function hostEdits(view: TritonView, batch: BatchLoop): readonly TextEdit[] {
  const { source } = view;
  const { body } = batch;
  const [outer, statement] = [batch.turns[0]?.loop, view.launch.call.parent];
  if (outer === undefined || statement === null) return [];
  const indent = indentOf(source, outer);
  const columns = indentOf(source, statement).length - indent.length;
  const made = gridStatement(view);
  const isInLoop = made !== undefined && isInside(made, outer);
  const before = body.before.filter((text) => !isInLoop || text !== made.text);
  const checks = body.checks.length === 0 ? [] : [loopText(batch, body.checks, indent)];
  const opening = [...before, ...checks].map((text) => `${text}\n${indent}`).join("");
  const behind = body.behind.length === 0 ? "" : `\n${indent}${loopText(batch, body.behind, indent)}`;
  return [
    { start: outer.startIndex, end: statement.startIndex, text: opening },
    ...outdented(source, { start: statement.startIndex, end: statement.endIndex }, columns),
    { start: statement.endIndex, end: outer.endIndex, text: behind },
    ...(made === undefined || isInLoop ? [] : [withoutLine(source, made)]),
  ];
}

interface Axes {
  /** The axis of the outermost loop; the others follow. */
  readonly first: number;
  /** The grid of the one launch. */
  readonly extents: readonly string[];
}

/** One axis behind those that there are for each loop; the first one where all there is is one program. */
function axesFor(view: TritonView, { turns, body }: BatchLoop): Axes | RuleHold {
  const { launch } = view;
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const written = grid.extents.map((node) => collapse(askedOfFirst(body.names, node) ?? node.text));
  const counts = turns.map(({ count }) => count);
  const isFree = [0, 1, 2].every((axis) => !asksForAxis(view, axis));
  const single = isFree && written.every((text) => text === "1");
  const first = single ? 0 : written.length;
  const asked = turns.some((_, place) => asksForAxis(view, first + place));
  if (first + turns.length > 3 || asked || grid.chosen.length > 0)
    return not("limit", "the grid has no axis left that the host writes", launch.call);
  return { first, extents: single ? counts : [...written, ...counts] };
}

interface Passed {
  /** Edits of the arguments that are there. */
  readonly edits: readonly TextEdit[];
  /** What the kernel begins with. */
  readonly lines: readonly string[];
  /** New parameters, with what is passed for them. */
  readonly strides: readonly { readonly name: string; readonly value: string }[];
}

/** What a turn of the loop was is told by the number of the program. */
function passedEdits(view: TritonView, { turns, following }: BatchLoop, first: number): Passed | RuleHold {
  const library = libraryOf(view);
  const numberOf = (turn: BatchLoop["turns"][number]): string =>
    `${library}program_id(${first + turns.indexOf(turn)})`;
  const device = following.find((each) => each.view !== undefined)?.view?.base;
  let taken = view.source;
  const edits: TextEdit[] = [];
  const lines: string[] = [];
  const strides: { name: string; value: string }[] = [];
  for (const { parameter, node, ...of } of following) {
    if (of.view !== undefined) {
      edits.push(replaceNode(node, of.view.start));
      for (const { turn, dimension } of of.view.steps) {
        const name = freshName(taken, `${parameter}_stride`);
        taken += ` ${name} `;
        strides.push({ name, value: `${of.view.base}.stride(${dimension})` });
        lines.push(`${parameter} += ${numberOf(turn)}.to(${library}int64) * ${name}`);
      }
    } else if (of.same !== undefined) edits.push(replaceNode(node, of.same));
    else if (of.turn !== undefined) {
      edits.push(replaceNode(node, "0"));
      lines.push(`${parameter} = ${numberOf(of.turn)}`);
    } else if (of.number !== undefined) {
      const [turn] = turns;
      if (turn === undefined || device === undefined)
        return not("no-rewrite", `no tensor says where ${parameter} of all turns belongs`, node);
      const all = `torch.tensor([${of.number} for ${turn.head}], device=${device}.device)`;
      edits.push(replaceNode(node, all));
      lines.push(`${parameter} = ${library}load(${parameter} + ${numberOf(turn)})`);
    }
  }
  return { edits, lines, strides };
}

/** Statements of a turn under a loop of their own. */
function loopText({ turns }: BatchLoop, statements: readonly string[], indent: string): string {
  const [turn] = turns;
  return [`for ${turn?.head ?? ""}:`, ...statements.map((text) => `${indent}    ${text}`)].join("\n");
}

/** Where the kernel's own statements begin, behind its docstring. */
function firstStatement({ body }: TritonView): SyntaxNode {
  const statements = partsOf(body);
  const isText = (node: SyntaxNode): boolean => node.namedChildren[0]?.type === "string";
  return statements.find((statement) => !isText(statement)) ?? body;
}

function withoutLine(source: string, node: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", node.startIndex), end: node.endIndex, text: "" };
}
