import { siteCounters } from "../../../timing/counter-catalogue";
import {
  addCounter,
  byPlace,
  type CounterName,
  type KernelCounters,
  type LineCounters,
  type ReuseCounters,
  noCounters,
  sumCounters,
} from "../../../timing/counters";
import { sectorBytes } from "../../../timing/bound";
import { addMachineWork } from "../../../timing/execution/machine-work";
import { type SectorReuse, addReuse, reuseClasses } from "../../../timing/reuse";
import type { CodeBlock } from "../../analyse/blocks";
import { isPredicated } from "../../analyse/predication";
import type { ProgramInstruction } from "../../flatten/program";
import type { MemorySite } from "../../emit/emitters/memory-site";
import { blockLayout, siteLayout } from "../../layout";
import { classCounters, classOf, flopsOf } from "../../opcodes/classes";
import { emulationOf } from "../../opcodes/emulation";
import type { LaunchState } from "../state/launch-state";
import { sleepsOf } from "./sleeps";

type Sums = Record<CounterName, number> & { -readonly [Name in keyof ReuseCounters]: ReuseCounters[Name] };

/**
 * Adds up what the code counted, line by line. Instructions without line information count in the totals
 * only. `crossing`: instructions that touched memory of the host.
 */
export function collectCounters(state: LaunchState, crossing: ReadonlySet<MemorySite>): KernelCounters {
  const { code } = state.kernel;
  const lines = new Map<string, { readonly file: string; readonly line: number; readonly sums: Sums }>();
  const nowhere: Sums = noCounters();
  const of = (instruction: ProgramInstruction): Sums => {
    const place = code.lines.counted(instruction);
    if (!place) return nowhere;
    const key = `${place.file}\n${place.line}`;
    const known = lines.get(key) ?? { ...place, sums: noCounters() };
    lines.set(key, known);
    return known.sums;
  };
  const { view, base, plan } = state;
  const sleeps = sleepsOf(code.blocks);
  code.blocks.forEach((block, index) => {
    const at = base + plan.blocks + index * blockLayout.size;
    const read = (offset: number): number => Number(view.getBigUint64(at + offset, true));
    addBlock(
      block,
      {
        isPredicated: isPredicated(code.blocks, block),
        executions: read(blockLayout.executions),
        lanes: read(blockLayout.lanes),
        divergent: read(blockLayout.divergent),
        sleeps,
      },
      of,
    );
  });
  code.sites.forEach((site, index) => {
    const at = base + plan.sites + index * siteLayout.size;
    const sums = of(site.instruction);
    addSite(view, at, site, sums);
    if (!crossing.has(site)) return;
    const crossedBytes = Number(view.getBigUint64(at + siteLayout.sectors, true)) * sectorBytes;
    sums.machine = addMachineWork(sums.machine, { crossedBytes });
  });
  const sorted = [...lines.values()]
    .map(({ file, line, sums }): LineCounters => ({ file, line, ...sums }))
    .sort(byPlace);
  return { origin: "virtual-gpu", lines: sorted, totals: sumCounters([...sorted, nowhere]) };
}

interface BlockCounts {
  readonly isPredicated: boolean;
  readonly executions: number;
  readonly lanes: number;
  readonly divergent: number;
  readonly sleeps: ReadonlyMap<ProgramInstruction, number>;
}

/** Every instruction of a basic block runs as often as the block, with the lanes that are active there. */
function addBlock(
  block: CodeBlock,
  counts: BlockCounts,
  of: (instruction: ProgramInstruction) => Sums,
): void {
  const { executions, lanes, divergent, sleeps } = counts;
  for (const instruction of [...block.instructions, ...(block.last ? [block.last] : [])]) {
    const { matched } = instruction;
    const sums = of(instruction);
    addHidden(sums, instruction, { executions, sleeps });
    sums.instructions += executions;
    sums.threadInstructions += lanes;
    sums[classCounters[classOf(matched)]] += executions;
    const flops = flopsOf(matched);
    if (flops)
      sums[flops.counter] += flops.operations * (flops.counter === "tensorFlops" ? executions : lanes);
  }
  if (!block.last) return;
  const sums = of(block.last);
  const { kind } = block.terminator;
  const { flow } = block.last.matched.traits;
  if (kind === "barrier") sums.barriers += executions;
  else if (flow === "branch" || flow === "table") {
    sums.branches += executions;
    sums.divergentBranches += divergent;
    if (counts.isPredicated) sums.predicatedBranches += divergent;
  }
}

/** What the machine code does for an instruction beyond one of its own. */
function addHidden(
  sums: Sums,
  instruction: ProgramInstruction,
  { executions, sleeps }: Pick<BlockCounts, "executions" | "sleeps">,
): void {
  const emulated = emulationOf(instruction.matched);
  const sleptNanoseconds = sleeps.get(instruction);
  if (executions === 0 || (emulated === undefined && sleptNanoseconds === undefined)) return;
  const work = { ...emulated, ...(sleptNanoseconds !== undefined && { sleptNanoseconds }) };
  sums.machine = addMachineWork(sums.machine, work, executions);
}

function addSite(view: DataView, at: number, site: MemorySite, sums: Sums): void {
  const read = (offset: number): number => Number(view.getBigUint64(at + offset, true));
  const reuse = reuseOf(read);
  if (reuse && site.access === "load") sums.loadReuse = addReuse(sums.loadReuse, reuse);
  else if (reuse) sums.storeReuse = addReuse(sums.storeReuse, reuse);
  for (const [name, { slots, perLane }] of siteCounters[site.access]) {
    const counted = slots.reduce((sum, slot) => sum + read(siteLayout[slot]), 0);
    addCounter(sums, name, perLane === true ? counted / site.bytes : counted);
  }
}

/** Reuse of what a memory instruction touched, of its record; undefined where it touched no global memory. */
export function reuseOf(read: (offset: number) => number): SectorReuse | undefined {
  const reuse: SectorReuse = {
    first: read(siteLayout.reuseFirst),
    sameBlock: readClasses(read, siteLayout.reuseSame),
    otherBlocks: readClasses(read, siteLayout.reuseOthers),
  };
  return reuse.first > 0 || reuse.sameBlock.length > 0 || reuse.otherBlocks.length > 0 ? reuse : undefined;
}

/** Counts by class without the zeroes at the end. */
function readClasses(read: (offset: number) => number, offset: number): readonly number[] {
  const counts = Array.from({ length: reuseClasses }, (_, at) => read(offset + 8 * at));
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}
