import type { CodeBlock } from "./blocks";
import { type Liveness, hasBit, terminatorReads } from "./liveness";
import type { ProgramInstruction } from "../flatten/program";
import { isWarpWide, rolesOf } from "../flatten/roles";

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

/**
 * Cuts a block at its warp-wide instructions and finds out what each run of lane code has to leave behind.
 */
export function cutSegments(block: CodeBlock, liveness: Liveness, index: number): readonly Segment[] {
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
    if (!isWarpWide(instruction)) {
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
