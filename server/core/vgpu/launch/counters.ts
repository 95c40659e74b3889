import { type CounterName, type KernelCounters, type LineCounters, noCounters, sumCounters } from "../../kernel/counters";
import type { CodeBlock } from "../compile/blocks";
import type { MemorySite } from "../compile/warp-emitter";
import { blockLayout, siteLayout } from "../layout";
import type { Machine } from "./machine";

type Sums = Record<CounterName, number>;

/** Adds up what the code counted, line by line. Instructions without line information count in the totals only. */
export function collectCounters(machine: Machine): KernelCounters {
  const { code } = machine.kernel;
  const lines = new Map<string, { readonly file: string; readonly line: number; readonly sums: Sums }>();
  const nowhere: Sums = noCounters();
  const of = (location: number): Sums => {
    const place = code.lines.of(location);
    if (!place) return nowhere;
    const key = `${place.file}\n${place.line}`;
    const known = lines.get(key) ?? { ...place, sums: noCounters() };
    lines.set(key, known);
    return known.sums;
  };
  const { view, base, layout } = machine;
  code.blocks.forEach((block, index) => {
    const at = base + layout.blocks + index * blockLayout.size;
    const read = (offset: number): number => Number(view.getBigUint64(at + offset, true));
    addBlock(block, { executions: read(blockLayout.executions), lanes: read(blockLayout.lanes), divergent: read(blockLayout.divergent) }, of);
  });
  code.sites.forEach((site, index) => addSite(view, base + layout.sites + index * siteLayout.size, site, of(site.instruction.location)));
  const sorted = [...lines.values()].map(({ file, line, sums }): LineCounters => ({ file, line, ...sums }))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  return { origin: "virtual-gpu", lines: sorted, totals: sumCounters([...sorted, nowhere]) };
}

interface BlockCounts {
  readonly executions: number;
  readonly lanes: number;
  readonly divergent: number;
}

/** Every instruction of a basic block runs as often as the block, with the lanes that are active there. */
function addBlock(block: CodeBlock, counts: BlockCounts, of: (location: number) => Sums): void {
  const { executions, lanes, divergent } = counts;
  for (const { location, matched } of [...block.instructions, ...(block.last ? [block.last] : [])]) {
    const sums = of(location);
    sums.instructions += executions;
    sums.threadInstructions += lanes;
    if ((matched.family === "matrix-multiply" || matched.family === "multiply-fragments")) sums.tensorInstructions += executions;
  }
  if (!block.last) return;
  const sums = of(block.last.location);
  const { kind } = block.terminator;
  if (kind === "barrier") sums.barriers += executions;
  else if (block.last.matched.family.startsWith("branch")) {
    sums.branches += executions;
    sums.divergentBranches += divergent;
  }
}

function addSite(view: DataView, at: number, site: MemorySite, sums: Sums): void {
  const read = (offset: number): number => Number(view.getBigUint64(at + offset, true));
  const requests = read(siteLayout.requests);
  const bytes = read(siteLayout.bytes);
  sums.localRequests += read(siteLayout.locals);
  if (site.access === "atomic") {
    sums.atomics += requests + read(siteLayout.wavefrontsIdeal);
    return;
  }
  sums.sharedWavefronts += read(siteLayout.wavefronts);
  sums.sharedWavefrontsIdeal += read(siteLayout.wavefrontsIdeal);
  sums.sharedConflictWays = Math.max(sums.sharedConflictWays, view.getInt32(at + siteLayout.ways, true));
  sums.globalBytesRequested += bytes;
  if (site.access === "load") {
    sums.globalLoadRequests += requests;
    sums.globalLoadSectors += read(siteLayout.sectors);
    sums.globalLoadSectorsIdeal += read(siteLayout.sectorsIdeal);
  } else {
    sums.globalStoreRequests += requests;
    sums.globalStoreSectors += read(siteLayout.sectors);
    sums.globalStoreSectorsIdeal += read(siteLayout.sectorsIdeal);
  }
}
