import { collapse, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { languageCalls, tritonKernel, type TritonView } from "../kernel";
import { multiprocessorsText } from "../multiprocessors";
import { headOf } from "../passes/walks";
import { extentsOfGrid } from "../spread/programs";
import { carriedThrough } from "./carried-sums";
import { headEdits, partsText, programsOf, stepEdits, unitHead } from "./dealt-turns";
import { sumsInParts } from "./parts/sums-in-parts";
import { apartEdits } from "./split-apart";
import { dependsOn, storedSums } from "./stored-sums";

/**
 * A few programs that each walk a long loop: its turns are dealt out to several programs, whose sums are put
 * together by atomic additions.
 */
export const splitLoop = defineRule("triton-split-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const programs = programsOf(input);
  const most = targetGpu(input).multiprocessors;
  if (programs === undefined || programs >= most)
    return not("no-evidence", "every multiprocessor has a program", view.launch.call);
  const loops = partsOf(view.body).filter(({ type }) => /^(?:for|while)_statement$/.test(type));
  const [loop] = loops;
  if (loop === undefined) return not("no-pattern", "the kernel has no loop to share", view.line);
  const gain = 1 - programs / most;
  const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: programs, ideal: most });
  const short = Object.values(input.spec.outputs).some(({ dtype }) => dtype.endsWith("float16"));
  const edits =
    loops.length > 1
      ? severalLoops(loops)
      : splitEdits(view, {
          loop,
          most: threshold(entry, "partsMost"),
          numbers: threshold(entry, "numbersMost"),
          blocks: threshold(entry, "blocksMost"),
          turns: threshold(entry, "turnsLeast"),
          multiprocessors: most,
          short,
        });
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

function severalLoops([, second]: readonly SyntaxNode[]): RuleHold {
  return not("dependence", "a second loop needs what the first one made", second ?? 1);
}

interface Shared {
  readonly loop: SyntaxNode;
  /** Parts of a loop, at most. */
  readonly most: number;
  /** Parts that a second kernel puts together, at most: of numbers, and of blocks. */
  readonly numbers: number;
  readonly blocks: number;
  /** Turns for each of these parts, at least. */
  readonly turns: number;
  /** Of the GPU that was judged for. */
  readonly multiprocessors: number;
  /** True where a result has elements of 16 bits. */
  readonly short: boolean;
}

function sharedEdits(
  view: TritonView,
  { loop, most, multiprocessors, short }: Shared,
): readonly TextEdit[] | RuleHold {
  const head = headOf(view, loop) ?? unitHead(loop);
  if (head === undefined)
    return not("no-rewrite", "the loop does not go from 0 in steps of 1 or of a block", loop);
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const numbered = languageCalls(view, ["program_id", "num_programs"]).length > 0;
  const single = !numbered && grid.extents.every(({ text }) => text === "1");
  const axis = single ? 0 : grid.extents.length;
  if (axis > 2) return not("limit", "the grid has three dimensions already", view.launch.call);
  const carried = carriedThrough(view, loop);
  if (isNot(carried)) return carried;
  const { sums } = carried;
  const others = single ? [] : grid.extents.map(({ text }) => collapse(text));
  const extents = [...others, partsText(others, most, multiprocessorsText(view, multiprocessors))];
  const text = extents.length === 1 ? `(${extents.join()},)` : `(${extents.join(", ")})`;
  const steps = carried.steps.flatMap((step) => stepEdits(view, { loop, step, axis }));
  const dealt = [...headEdits(view, head, axis), ...steps];
  const after = view.tuned ? runsSeveralTimes(view) : storedSums(view, loop, { sums, short });
  if (!isNot(after)) return [...dealt, ...after, replaceNode(grid.tuple, text)];
  const dependsOnSums = (node: SyntaxNode): boolean => dependsOn(view, node, sums);
  const apart = apartEdits(view, { loop, sums, dealt, grid: text, dependsOnSums });
  return isNot(apart) ? after : apart;
}

/** Additions to the result, memory for the sums of all parts, or memory for each part. */
function splitEdits(view: TritonView, shared: Shared): readonly TextEdit[] | RuleHold {
  const added = sharedEdits(view, shared);
  if (!isNot(added)) return added;
  const parts = sumsInParts(view, shared.loop, shared);
  // What holds the shorter way back tells most where neither is open.
  return isNot(parts) && /^(?:unreadable|no-pattern)$/.test(parts.because) ? added : parts;
}

function runsSeveralTimes({ line }: TritonView): RuleHold {
  return not("launch", "the autotuner runs the kernel several times, and each run would add", line);
}
