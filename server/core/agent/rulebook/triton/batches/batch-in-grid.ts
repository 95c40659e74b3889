import { collapse, lineOf, partsOf } from "../../../../language/query";
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
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const axis = grid.extents.length;
  if (axis > 2 || asksForAxis(view, axis) || grid.chosen.length > 0 || launch.grid === undefined)
    return not("limit", "the grid has no axis left that the host writes", launch.call);
  const extents = [...grid.extents, batch.count].map(({ text }) => collapse(text));
  const { loop, following } = batch;
  const statement = launch.call.parent;
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (statement === null || last === undefined)
    return not("unreadable", "the launch is not read", launch.call);
  const library = libraryOf(view);
  let taken = source;
  const lines: string[] = [];
  const strides: { name: string; tensor: string }[] = [];
  for (const { parameter, tensor } of following) {
    if (tensor === undefined) {
      lines.push(`${parameter} = ${library}program_id(${axis})`);
      continue;
    }
    const name = freshName(taken, `${parameter}_stride`);
    taken += ` ${name} `;
    strides.push({ name, tensor });
    lines.push(`${parameter} += ${library}program_id(${axis}).to(${library}int64) * ${name}`);
  }
  const declared =
    strides.length === 0 ? [] : [parameterEdit(view, strides.map(({ name }) => name).join(", "))];
  const refused = declared.find(isNot);
  if (refused !== undefined) return refused;
  const first = firstStatement(view);
  const columns = indentOf(source, statement).length - indentOf(source, loop).length;
  const passed = strides.map(({ name, tensor }) => `, ${name}=${tensor}.stride(0)`).join("");
  const made = gridStatement(view);
  return [
    { start: loop.startIndex, end: statement.startIndex, text: "" },
    ...outdented(source, { start: statement.startIndex, end: statement.endIndex }, columns),
    ...(made === undefined ? [] : [withoutLine(source, made)]),
    replaceNode(launch.grid, `(${extents.join(", ")})`),
    // What a turn of the loop was is told by the number of the program.
    ...following.map(({ node, tensor }) => replaceNode(node, tensor ?? "0")),
    { start: last.endIndex, end: last.endIndex, text: passed },
    ...declared.flatMap((edit) => (isNot(edit) ? [] : [edit])),
    insertBefore(first, lines.map((line) => `${line}\n${indentOf(source, first)}`).join("")),
  ];
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
