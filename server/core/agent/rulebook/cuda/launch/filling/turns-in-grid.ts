import type { CountedLoop } from "../../../../../language/cuda/body/loops";
import { compact, lineOf } from "../../../../../language/query";
import { editedTree, type TextEdit } from "../../../edits";
import { countsOf, evidenceFor, targetGpu } from "../../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { dealtEdits } from "../../sums/split-turns";
import { blocksForEach } from "../asked-grid";
import { launchedBlocks } from "../block-shape";
import { freeAxis } from "../dealt-turns";
import { factorOf, gridEdits, onlyLaunch } from "../grid-edit";
import { independentTurns } from "./independent-turns";

/** More blocks would have too few turns each. */
const mostParts = 64;
const warp = 32;

/**
 * Deals the turns of a long loop out to more blocks along another axis of the grid, where no turn needs what
 * another one makes and the blocks at hand leave much of the GPU idle.
 */
export const turnsInGrid = defineRule("cuda-turns-in-grid", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const blocks = launchedBlocks(input, view);
  const most = targetGpu(input).multiprocessors;
  if (blocks === undefined) return not("no-evidence", "how many blocks are launched is not known", view.line);
  if (blocks > threshold(entry, "blocksMost") * most)
    return not("no-evidence", `${blocks} blocks keep the GPU busy`, view.line);
  const loop = independentTurns(view);
  if (isNot(loop)) return loop;
  const warps = Math.max(1, blocks * Math.ceil((input.launches?.[0]?.threadsPerBlock ?? warp) / warp));
  if (countsOf(input, loop.loop).instructions / warps < threshold(entry, "instructionsEach"))
    return not("no-evidence", "the loop is too short to be split", loop.loop);
  const each = threshold(entry, "blocksEach");
  const gain = 1 - blocks / (each * most);
  const edits = dealt(input, view, { loop, each });
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value: blocks, ideal: each * most }),
    gain,
  };
});

interface Work {
  readonly loop: CountedLoop;
  /** Blocks for each multiprocessor. */
  readonly each: number;
}

function dealt(input: RuleInput, view: KernelView, { loop, each }: Work): readonly TextEdit[] | RuleHold {
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const { grid } = launch;
  const axis = freeAxis(view, (free) => (grid[free === "y" ? 1 : 2]?.text ?? "1") !== "1");
  if (typeof axis !== "string") return not("dependence", `${compact(axis)} is used`, axis);
  const tiles = grid.flatMap(({ text }) => (text === "1" ? [] : [factorOf(text)])).join(" * ");
  const parts = blocksForEach({ input, view, launch, each }, tiles === "" ? "1" : tiles, mostParts);
  if (isNot(parts)) return parts;
  const more = gridEdits(input, view, ([x, y, z]) =>
    axis === "y" ? [x, parts.text, z] : [x, y, parts.text],
  );
  return isNot(more) ? more : [...parts.edits, ...more, ...dealtEdits(loop, axis)];
}
