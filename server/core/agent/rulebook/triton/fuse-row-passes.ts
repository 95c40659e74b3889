import type { TextEdit } from "../edits";
import { editedTree, indentOf, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { lineOf } from "../syntax";
import type { TritonKernel } from "./kernel-source";
import { gridFollows, isMasked, launchConstant, tritonKernel } from "./kernel-source";
import type { RowPass } from "./row-passes";
import { rowPasses } from "./row-passes";

/**
 * Loads a row once and keeps it in registers where several loops walk it: the block becomes as long as the
 * row, so each loop would run once and its load would be the same as the first one's.
 */
export const fuseRowPasses = defineRule("triton-fuse-row-passes", (input, entry) => {
  const kernel = tritonKernel(input);
  const found = kernel !== undefined && isMasked(kernel.body) ? rowPasses(kernel) : undefined;
  const first = found?.passes[0];
  if (kernel === undefined || found === undefined || first === undefined) return [];
  const { launch } = kernel;
  const constant = launchConstant(launch, first.block);
  const keywordValue = launch.keywords.get(first.block);
  const length = launch.positional[kernel.parameters.findIndex((parameter) => parameter.name === first.end)];
  if (
    constant === undefined ||
    keywordValue === undefined ||
    length?.type !== "identifier" ||
    gridFollows(launch, first.block, constant.local)
  )
    return [];
  const loads = found.passes
    .slice(1)
    .flatMap((pass) => pass.statements.slice(0, found.shared))
    .map((node) => ({ line: lineOf(node), sectors: countsOf(input, node).globalLoadSectors }));
  const saved = loads.reduce((sum, load) => sum + load.sectors, 0);
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const { totals } = input.counters;
  if (worst === undefined || shareSaved(saved, totals.globalLoadSectors) < threshold(entry, "shareLeast"))
    return [];
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: 0,
  };
  const edits = [
    ...found.passes.map((pass, position) => straightened(kernel, pass, position === 0 ? 0 : found.shared)),
    replaceNode(keywordValue, `triton.next_power_of_2(${length.text})`),
  ];
  return [
    {
      tree: editedTree(input, edits),
      hypothesis: fillSentence(entry.hypothesis, { block: first.block, times: found.passes.length }),
      evidence: evidenceFor(entry, facts, { times: found.passes.length }),
      gain: gainOn(
        input,
        ["dram", "l2", "issue"],
        shareSaved(saved, totals.globalLoadSectors + totals.globalStoreSectors),
      ),
    },
  ];
});

/** The loop's body without the loop and without its first `skipped` statements. */
function straightened(kernel: TritonKernel, pass: RowPass, skipped: number): TextEdit {
  const [offsets] = pass.statements;
  const outer = indentOf(kernel.source, pass.loop);
  const inner = offsets === undefined ? outer : indentOf(kernel.source, offsets);
  const withoutStart = new RegExp(`\\b${pass.variable}\\s*\\+\\s*|\\s*\\+\\s*\\b${pass.variable}\\b`);
  const kept = pass.statements
    .map((node, position) => (position === 0 ? node.text.replace(withoutStart, "") : node.text))
    .slice(skipped);
  const lines = kept.map((text) =>
    text
      .split("\n")
      .map((line, row) => (row > 0 && line.startsWith(inner) ? outer + line.slice(inner.length) : line))
      .join("\n"),
  );
  return { start: pass.loop.startIndex, end: pass.loop.endIndex, text: lines.join(`\n${outer}`) };
}
