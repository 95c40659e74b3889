import { collapse, lineOf, partsOf } from "../../../../language/query";
import { editedTree, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule } from "../../rule-table";
import { tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { extentsOfGrid, parameterEdit } from "../spread/programs";
import { asksForAxis, type BatchLoop, batchLoop } from "./batch-loop";
import { firstStatement, unlooped, withoutGrid } from "./host-text";
import { launchedOnce, timesOf } from "./launched-once";
import { passedForTurns } from "./passed";
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
  const { gain, evidence } = launchedOnce(input, entry, { line: lineOf(view.launch.call), times });
  if (isNot(edits)) return { ...edits, gain };
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis: entry.hypothesis, evidence, gain };
});

function batchedEdits(view: TritonView, batch: BatchLoop): readonly TextEdit[] | RuleHold {
  const { launch, source } = view;
  if (view.tuned) return not("launch", "the autotuner chooses by the size of one launch", launch.call);
  const axes = axesFor(view, batch);
  if (isNot(axes)) return axes;
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (last === undefined || launch.grid === undefined)
    return not("unreadable", "the launch is not read", launch.call);
  const library = libraryOf(view);
  const passed = passedForTurns(view, batch, {
    numberOf: (turn) => `${library}program_id(${axes.first + batch.turns.indexOf(turn)})`,
    nameOf: (parameter) => parameter,
  });
  if (isNot(passed)) return passed;
  const names = passed.strides.map(({ name }) => name).join(", ");
  const declared = names === "" ? undefined : parameterEdit(view, names);
  if (isNot(declared)) return declared;
  const first = firstStatement(view);
  const strides = passed.strides.map(({ name, value }) => `, ${name}=${value}`).join("");
  const lines = passed.lines.map((line) => `${line}\n${indentOf(source, first)}`).join("");
  return [
    ...unlooped(view, batch, withoutGrid(view, batch)),
    replaceNode(launch.grid, `(${axes.extents.join(", ")}${axes.extents.length === 1 ? "," : ""})`),
    ...passed.edits,
    { start: last.endIndex, end: last.endIndex, text: strides },
    ...(declared === undefined ? [] : [declared]),
    insertBefore(first, lines),
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
