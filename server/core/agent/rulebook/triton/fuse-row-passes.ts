import type { SyntaxNode } from "../../../language/tree";
import { compact, lineOf } from "../../../language/query";
import { editedTree, indentOf, replaceNode, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { gridFollows, launchConstant, tritonKernel, type TritonView, unmaskedAccess } from "./kernel";
import { type RowPass, rowPasses, withoutMasks } from "./row-passes";

/**
 * Loads a row once and keeps it in registers where several loops walk it: the block becomes as long as the
 * row, so each loop would run once and its load would be the same as the first one's.
 */
export const fuseRowPasses = defineRule("triton-fuse-row-passes", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const unmasked = unmaskedAccess(view);
  if (unmasked !== undefined) return unmasked;
  const found = rowPasses(view);
  if (isNot(found)) return found;
  const { passes, shared } = found;
  const [first] = passes;
  const { launch } = view;
  const keywordValue = launch.keywords.get(first.block);
  const constant = launchConstant(view, first.block);
  if (constant === undefined || keywordValue === undefined)
    return not("launch", `${first.block} is computed at the launch`, launch.call);
  const length = launch.positional[view.parameters.findIndex(({ name }) => name === first.end)];
  if (length === undefined || !isSteadyLength(length))
    return not("launch", `the launch passes no plain length for ${first.end}`, launch.call);
  if (gridFollows(view, first.block, constant.local))
    return not("launch", `the grid follows ${first.block}`, launch.call);
  const loads = passes
    .slice(1)
    .flatMap((pass) => withoutMasks(pass).slice(0, shared))
    .map((node) => ({ line: lineOf(node), sectors: countsOf(input, node).globalLoadSectors }));
  const saved = loads.reduce((sum, load) => sum + load.sectors, 0);
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const { totals } = input.counters;
  if (worst === undefined || shareSaved(saved, totals.globalLoadSectors) < threshold(entry, "shareLeast"))
    return not("no-evidence", "the later walks load few sectors", worst?.line ?? view.line);
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: 0,
  };
  const edits = [
    ...passes.map((pass, position) => straightened(view, { pass, first }, position === 0 ? 0 : shared)),
    replaceNode(keywordValue, `triton.next_power_of_2(${length.text})`),
  ];
  const both = totals.globalLoadSectors + totals.globalStoreSectors;
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { block: first.block, times: passes.length }),
    evidence: evidenceFor(entry, facts, { times: passes.length }),
    gain: gainOn(input, ["dram", "l2", "issue"], shareSaved(saved, both)),
  };
});

/** A name, `x.shape[1]`, `x.size(1)`: worth the same each time. */
function isSteadyLength(node: SyntaxNode): boolean {
  return (
    ["identifier", "attribute", "subscript"].includes(node.type) ||
    /^\w+\.(?:size|numel)\([\w-]*\)$/.test(node.text)
  );
}

/** The loop's body without the loop, its first `skipped` statements and the masks of the first. */
function straightened(
  view: TritonView,
  { pass, first }: { readonly pass: RowPass; readonly first: RowPass },
  skipped: number,
): TextEdit {
  const [offsets] = pass.statements;
  const outer = indentOf(view.source, pass.loop);
  const inner = offsets === undefined ? outer : indentOf(view.source, offsets);
  const withoutStart = new RegExp(`\\b${pass.variable}\\s*\\+\\s*|\\s*\\+\\s*\\b${pass.variable}\\b`);
  const repeated = pass === first ? [] : pass.masks.filter((mask) => isNamedIn(first, mask));
  const gone = [...withoutMasks(pass).slice(0, skipped), ...repeated];
  const kept = pass.statements.flatMap((node, position) => {
    if (gone.some(({ id }) => id === node.id)) return [];
    return [position === 0 ? node.text.replace(withoutStart, "") : node.text];
  });
  const lines = kept.map((text) =>
    text
      .split("\n")
      .map((line, row) => (row > 0 && line.startsWith(inner) ? outer + line.slice(inner.length) : line))
      .join("\n"),
  );
  return { start: pass.loop.startIndex, end: pass.loop.endIndex, text: lines.join(`\n${outer}`) };
}

function isNamedIn(first: RowPass, mask: SyntaxNode): boolean {
  return first.masks.some((own) => compact(own) === compact(mask));
}
