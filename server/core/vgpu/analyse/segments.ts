import type { CodeBlock } from "./blocks";
import { type Liveness, hasBit, terminatorReads } from "./liveness";
import type { ProgramInstruction, ProgramOperand } from "../flatten/program";
import { isWarpWide, readsParameters, rolesOf } from "../flatten/roles";
import { isClusterSpace, isParameterSpace, isSharedSpace } from "../ptx/spaces";
import { type PtxType, isWide, registerType } from "../ptx/types";

/** A run of lane-by-lane instructions, or one warp-wide instruction. */
export type Segment =
  | {
      readonly kind: "lanes";
      readonly instructions: readonly ProgramInstruction[];
      /** Registers whose new values are needed after the segment. */
      readonly kept: ReadonlySet<number>;
      /**
       * Predicates that later guard something in this block: their lanes are gathered into a bit mask on the
       * way.
       */
      readonly bits: ReadonlySet<number>;
    }
  | { readonly kind: "warp"; readonly instruction: ProgramInstruction };

/** Loads that are done lane by lane with the arithmetic around them. */
export type LaneLoads = ReadonlySet<ProgramInstruction>;

/** Bytes of the longest load that is done lane by lane, and of its longest element. */
const longestLoad = 16;
const longestElement = 8;

/**
 * Loads that can be a part of the lanes' code: nothing is stored between them and what else is in their
 * segment, so that it does not matter which lanes come first. Left out are loads that lanes may wait on.
 */
export function findLaneLoads(
  blocks: readonly CodeBlock[],
  spins: ReadonlyMap<number, unknown>,
  registers: readonly PtxType[],
): LaneLoads {
  const found = new Set<ProgramInstruction>();
  blocks.forEach(({ instructions }, index) => {
    if (spins.has(index)) return;
    for (const instruction of instructions) if (isLaneLoad(instruction, registers)) found.add(instruction);
  });
  return found;
}

function isLaneLoad(instruction: ProgramInstruction, registers: readonly PtxType[]): boolean {
  const { family, modifiers, types: named } = instruction.matched;
  const [d, address] = instruction.operands;
  if (family !== "load" || readsParameters(instruction) || address?.kind !== "address") return false;
  const count = d?.kind === "vector" ? d.elements.length : 1;
  const bytes = named.type?.bytes ?? longestLoad;
  if (bytes > longestElement || bytes * count > longestLoad) return false;
  return hasLaneAddress(address.base, modifiers["space"], registers);
}

/** Other forms are rare; whoever emits a load for the whole warp says what is wrong with them. */
function hasLaneAddress(
  base: ProgramOperand,
  space: string | undefined,
  registers: readonly PtxType[],
): boolean {
  if (isParameterSpace(space) || isClusterSpace(space)) return false;
  if (space === "local") return base.kind === "register" || (base.kind === "place" && base.space === "local");
  if (base.kind === "place") return (base.space === "global") !== isSharedSpace(space);
  return base.kind === "register" && isWide(registerType(registers, base.register)) !== isSharedSpace(space);
}

/**
 * Cuts a block at its warp-wide instructions and finds out what each run of lane code has to leave behind.
 */
export function cutSegments(
  block: CodeBlock,
  index: number,
  { liveness, laneLoads }: { readonly liveness: Liveness; readonly laneLoads: LaneLoads },
): readonly Segment[] {
  const needed = new Set<number>();
  const bits = new Set<number>();
  const liveOut = liveness.liveOut[index];
  const segments: Segment[] = [];
  if (block.terminator.kind === "branch") bits.add(block.terminator.register);
  else for (const register of terminatorReads(block.terminator)) needed.add(register);
  let run: ProgramInstruction[] = [];
  const isLiveOut = (register: number): boolean => liveOut !== undefined && hasBit(liveOut, register);
  const closeRun = (): void => {
    if (run.length === 0) return;
    const [kept, gathered] = [new Set<number>(), new Set<number>()];
    run.reverse();
    for (const register of writtenBy(run)) {
      if (needed.has(register) || isLiveOut(register)) kept.add(register);
      if (bits.delete(register)) gathered.add(register);
    }
    segments.push({ kind: "lanes", instructions: run, kept, bits: gathered });
    for (const instruction of run) for (const register of rolesOf(instruction).reads) needed.add(register);
    run = [];
  };
  for (let at = block.instructions.length - 1; at >= 0; at -= 1) {
    const instruction = block.instructions[at];
    if (!instruction) continue;
    if (!isWarpWide(instruction) || laneLoads.has(instruction)) {
      run.push(instruction);
      continue;
    }
    closeRun();
    segments.push({ kind: "warp", instruction });
    const { writes, reads } = rolesOf(instruction);
    for (const register of writes) bits.delete(register);
    for (const register of reads) needed.add(register);
    if (instruction.guard) bits.add(instruction.guard.register);
  }
  closeRun();
  return segments.reverse();
}

function writtenBy(instructions: readonly ProgramInstruction[]): ReadonlySet<number> {
  const written = new Set<number>();
  for (const instruction of instructions)
    for (const register of rolesOf(instruction).writes) written.add(register);
  return written;
}
