import type { Executed, ExecutedAccess, ExecutedInstruction } from "../../../timing/execution/executed";
import { addReuse } from "../../../timing/reuse";
import type { CodeBlock } from "../../analyse/blocks";
import type { MemorySite } from "../../emit/emitters/memory-site";
import type { ProgramInstruction } from "../../flatten/program";
import { blockLayout, siteLayout } from "../../layout";
import { classOf, flopsOf } from "../../opcodes/classes";
import { types } from "../../ptx/types";
import type { LaunchState } from "../state/launch-state";
import { reuseOf } from "./counters";

/** What ran, instruction by instruction, for a kernel that was compiled with counters. */
export function collectExecuted(state: LaunchState, blocks: number): Executed {
  const { code } = state.kernel;
  const records = recordsOf(state);
  const instructions = code.blocks.flatMap((block, number) => {
    const executions = executionsOf(state, number);
    return written(block).map((instruction) => ({
      ...placeOf(state, instruction),
      opcode: instruction.matched.instruction.opcode,
      class: classOf(instruction.matched),
      block: number,
      executions,
      ...tensorWork(instruction),
      ...fragmentOf(instruction),
      ...accessOf(instruction, records.get(instruction) ?? []),
      ...constantsOf(instruction, records.get(instruction) ?? []),
    }));
  });
  return { instructions, warps: blocks * state.plan.warpCount, blocks };
}

function written({ instructions, last }: CodeBlock): readonly ProgramInstruction[] {
  return last ? [...instructions, last] : instructions;
}

function executionsOf({ view, base, plan }: LaunchState, block: number): number {
  return Number(
    view.getBigUint64(base + plan.blocks + block * blockLayout.size + blockLayout.executions, true),
  );
}

type Place = Pick<ExecutedInstruction, "file" | "line" | "callers" | "shownFile" | "shownLine">;

function placeOf({ kernel }: LaunchState, { location }: ProgramInstruction): Place {
  const inner = kernel.code.lines.innermost(location);
  const shown = kernel.code.lines.of(location);
  return {
    file: inner?.file ?? "",
    line: inner?.line ?? 0,
    callers: kernel.code.lines.callers(location),
    shownFile: shown?.file ?? "",
    shownLine: shown?.line ?? 0,
  };
}

function tensorWork({
  matched,
}: ProgramInstruction): Pick<ExecutedInstruction, "tensorOperations" | "tensorType"> {
  const flops = flopsOf(matched);
  if (flops?.counter !== "tensorFlops") return {};
  // `wmma.mma` names the factors' type unless they are halves.
  const { name } = matched.types.a ?? matched.types.type ?? types.f16;
  return { tensorOperations: flops.operations, tensorType: name };
}

function fragmentOf({ matched }: ProgramInstruction): Pick<ExecutedInstruction, "elementBits"> {
  const { modifiers, types, instruction } = matched;
  const bits = instruction.opcode === "wmma" && modifiers["matrix"] ? types.type?.bits : undefined;
  return bits === undefined ? {} : { elementBits: bits };
}

/** A record of a memory instruction: code for whole warps and code for parts of them have one each. */
interface Record {
  readonly site: MemorySite;
  readonly read: (offset: number) => number;
}

function recordsOf(state: LaunchState): ReadonlyMap<ProgramInstruction, readonly Record[]> {
  const { view, base, plan, kernel } = state;
  const records = new Map<ProgramInstruction, Record[]>();
  for (const [index, site] of kernel.code.sites.entries()) {
    const at = base + plan.sites + index * siteLayout.size;
    const read = (offset: number): number => Number(view.getBigUint64(at + offset, true));
    records.set(site.instruction, [...(records.get(site.instruction) ?? []), { site, read }]);
  }
  return records;
}

function isFloatAtomic({ matched }: ProgramInstruction, { access }: MemorySite): boolean {
  return access === "atomic" && /^b?f\d/.test(matched.types.type?.name ?? "");
}

/** What loads from constant memory asked for. */
function constantsOf(
  instruction: ProgramInstruction,
  records: readonly Record[],
): Pick<ExecutedInstruction, "constants"> {
  if (instruction.matched.modifiers.space !== "const" || records.length === 0) return {};
  const sum = (offset: number): number => records.reduce((all, { read }) => all + read(offset), 0);
  return { constants: { requests: sum(siteLayout.requests), places: sum(siteLayout.globalPasses) } };
}

/** What all records of an instruction say; constants and parameters are no memory here. */
function accessOf(instruction: ProgramInstruction, records: readonly Record[]): { access?: ExecutedAccess } {
  const [first] = records;
  if (first === undefined || instruction.matched.modifiers.space === "const") return {};
  const sum = (offset: number): number => records.reduce((all, { read }) => all + read(offset), 0);
  const reuses = records.flatMap(({ read }) => reuseOf(read) ?? []);
  const [reuse] = reuses;
  return {
    access: {
      space: first.site.space,
      access: first.site.access,
      bytes: first.site.bytes,
      globalRequests: sum(siteLayout.requests),
      sharedRequests: sum(siteLayout.sharedRequests),
      localRequests: sum(siteLayout.locals),
      sectors: sum(siteLayout.sectors),
      idealSectors: sum(siteLayout.sectorsIdeal),
      lines: sum(siteLayout.lines),
      wavefronts: sum(siteLayout.wavefronts),
      localSectors: sum(siteLayout.localSectors),
      globalPasses: sum(siteLayout.globalPasses),
      sharedPasses: sum(siteLayout.sharedPasses),
      ...(isFloatAtomic(instruction, first.site) ? { isFloat: true as const } : {}),
      ...(reuse ? { reuse: reuses.slice(1).reduce(addReuse, reuse) } : {}),
    },
  };
}
