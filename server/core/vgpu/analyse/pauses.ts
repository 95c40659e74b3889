import { at } from "../../base/known";
import { isWide, registerType } from "../ptx/types";
import type { Program, ProgramInstruction, ProgramOperand, ProgramStep } from "../flatten/program";
import { readsParameters, rolesOf } from "../flatten/roles";

/**
 * Which pointers a value may come from: one bit for each parameter of eight bytes (32 and 33 share theirs
 * with 0 and 1, and so on).
 */
type Origins = number;

const anywhere: Origins = -1;

/**
 * A program of Triton's, with pauses. Triton writes a program for a whole block and lets several warps load
 * one element where a block has more threads than elements; only one of them stores it. On a GPU all warps
 * have loaded before the first of them stores, in practice, while here they run one after the other: a warp
 * pauses before it changes, in place, memory that was loaded from since the last barrier.
 */
export function withPauses(program: Program): Program {
  const origins = originsOf(program);
  const steps: ProgramStep[] = [];
  let loaded: Origins = 0;
  for (const step of program.steps) {
    if (step.kind === "instruction") {
      const { instruction } = step;
      const { access, flow } = instruction.matched.traits;
      const from = reachesGlobal(instruction) ? addressOf(instruction, origins) : 0;
      if (flow === "barrier") loaded = 0;
      else if (access === "load" || access === "copy") loaded |= from;
      else if ((access === "store" || access === "update") && (from & loaded) !== 0) {
        steps.push({ kind: "pause" });
        loaded = 0;
      }
    }
    steps.push(step);
  }
  return { ...program, steps };
}

function reachesGlobal({ matched: { modifiers } }: ProgramInstruction): boolean {
  return (modifiers["space"] ?? "global") === "global";
}

/** What the address of an access may come from. */
function addressOf({ operands }: ProgramInstruction, origins: Int32Array): Origins {
  return operands.reduce(
    (found, operand) => (operand.kind === "address" ? found | originOf(operand.base, origins) : found),
    0,
  );
}

function originOf(operand: ProgramOperand, origins: Int32Array): Origins {
  return operand.kind === "register" ? at(origins, operand.register) : 0;
}

/**
 * Triton's own programs need two or three passes; a text made so that every pass adds one register is not
 * worth more.
 */
const mostPasses = 32;

/**
 * For each register what it may hold an address of; registers are written in several places, so that it grows
 * until it stays.
 */
function originsOf({ steps, registers }: Program): Int32Array {
  const origins = new Int32Array(registers.length);
  const instructions = steps.flatMap((step) => (step.kind === "instruction" ? [step.instruction] : []));
  let passes = 0;
  for (let changes = true; changes; passes += 1) {
    if (passes === mostPasses) return origins.fill(anywhere);
    changes = false;
    for (const instruction of instructions) {
      const { writes, reads } = rolesOf(instruction);
      for (const register of writes) {
        // An address has eight bytes.
        if (!isWide(registerType(registers, register))) continue;
        const found = at(origins, register) | resultOf(instruction, reads, origins);
        changes ||= found !== origins[register];
        origins[register] = found;
      }
    }
  }
  return origins;
}

function resultOf(instruction: ProgramInstruction, reads: readonly number[], origins: Int32Array): Origins {
  const { access } = instruction.matched.traits;
  const [, from] = instruction.operands;
  if (
    access === "load" &&
    readsParameters(instruction) &&
    from?.kind === "address" &&
    from.base.kind === "place"
  )
    return 1 << ((from.base.offset + from.offset) >> 3);
  if (access === "load" || access === "update") return anywhere;
  return reads.reduce<Origins>((found, register) => found | at(origins, register), 0);
}
