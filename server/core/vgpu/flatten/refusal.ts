import { fullName } from "../opcodes/table";
import { MissingValueError } from "../wasm/code";
import type { ProgramInstruction } from "./program";

/** Carries a refusal from an emitter to `compileKernel`, which returns it as a value. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  constructor(
    readonly reason: string,
    readonly location: number,
  ) {
    super(reason);
  }
}

/** Ends code generation: the instruction has an operand or a combination that is not implemented. */
export function refuse(instruction: ProgramInstruction, detail?: string): never {
  const name = fullName(instruction.matched.instruction);
  throw new RefusalError(
    `refused: ${name}${detail === undefined ? "" : ` (${detail})`}`,
    instruction.location,
  );
}

/**
 * Runs the emitter of an instruction; code that lacks a value means that the instruction lacks an operand.
 */
export function emitWhole<Result>(instruction: ProgramInstruction, emit: () => Result): Result {
  try {
    return emit();
  } catch (thrown) {
    if (thrown instanceof MissingValueError) return refuse(instruction, "an operand is missing");
    throw thrown;
  }
}
