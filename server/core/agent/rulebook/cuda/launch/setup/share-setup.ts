import { lineOf } from "../../../../../language/query";
import { editedTree, indentOf, replaceNode, type TextEdit } from "../../../edits";
import { evidenceFor, gainOn, shareSaved, targetGpu } from "../../../evidence";
import { waveOf } from "../../../../../timing/bound";
import { isNot, not } from "../../../rule";
import { sumCounters } from "../../../../../timing/counters";
import { defineRule, fillSentence, threshold } from "../../../rule-table";
import { cudaKernel } from "../../kernel";
import { rowOfThreads } from "../block-shape";
import { factorOf, gridEdits } from "../grid-edit";
import { type PreparedWork, preparedWork } from "./prepared-work";

/**
 * Lets a block that loads a table for itself do the work of several blocks with it: as many blocks as the GPU
 * has room for at the same time, and a loop over the grid behind the table.
 */
export const shareSetup = defineRule("cuda-share-setup", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const work = preparedWork(view, block.sizes[0]);
  if (isNot(work)) return work;
  const { setup } = work;
  const [first, until] = [lineOf(setup[0] ?? view.body), (setup.at(-1) ?? view.body).endPosition.row + 1];
  const lines = input.counters.lines.filter(
    ({ file, line }) => file === input.file && line >= first && line <= until,
  );
  const { globalLoadRequests: value } = sumCounters(lines);
  const launch = input.launches?.find(({ threadsPerBlock }) => threadsPerBlock === block.sizes[0]);
  if (launch === undefined) return not("launch", "it is not known how many blocks are launched", view.line);
  const most = waveOf(launch, targetGpu(input));
  if (launch.blocks < most * threshold(entry, "waves"))
    return not(
      "no-evidence",
      `${launch.blocks} blocks prepare little more often than the GPU has room for`,
      first,
    );
  const share = shareSaved(value, input.counters.totals.globalLoadRequests);
  if (share < threshold(entry, "share"))
    return not("no-evidence", "what blocks prepare is little beside their work", first);
  const ideal = Math.round((value * most) / launch.blocks);
  const gain = gainOn(
    input,
    ["l1", "l2", "dram", "shared", "latency", "issue"],
    share * (1 - most / launch.blocks),
  );
  const grid = gridEdits(input, view, ([x]) => [
    `${factorOf(x)} < ${most} ? ${factorOf(x)} : ${most}`,
    "1",
    "1",
  ]);
  if (isNot(grid)) return { ...grid, gain };
  const facts = { file: input.file, line: first, counter: "globalLoadRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [...overTheGrid(view.source, work, block.sizes[0]), ...grid]),
    hypothesis: fillSentence(entry.hypothesis, { most }),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, { blocks: launch.blocks }),
    gain,
  };
});

/** The work of a thread as a loop over the grid, in place of the condition that ends it. */
function overTheGrid(source: string, work: PreparedWork, threads: number): readonly TextEdit[] {
  const { guard, held, end, last } = work;
  const { type, name, value, declaration } = work.number;
  const head = `for (${type} ${name} = ${value.text}; ${name} < ${end.text}; ${name} += ${threads} * gridDim.x) `;
  if (held !== undefined) return [{ start: declaration.startIndex, end: held.startIndex, text: head }];
  const indent = indentOf(source, declaration);
  return [
    replaceNode(declaration, `${head}{`),
    { start: declaration.endIndex, end: guard.endIndex, text: "" },
    ...indented(source, { start: guard.endIndex, end: last.endIndex }, indent),
    { start: last.endIndex, end: last.endIndex, text: `\n${indent}}` },
  ];
}

/** Blanks in front of the lines that begin in a range. */
function indented(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
  blanks: string,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = source.indexOf("\n", start); at >= 0 && at < end; at = source.indexOf("\n", at + 1))
    if (!/^\r?\n|^#/.test(source.slice(at + 1))) edits.push({ start: at + 1, end: at + 1, text: blanks });
  return edits;
}
