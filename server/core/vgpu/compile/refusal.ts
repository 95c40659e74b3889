import { fullName } from "../opcodes/table";
import type { ProgramInstruction } from "./program";

/** Carries a refusal from an emitter to `compileKernel`, which returns it as a value. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  constructor(readonly reason: string, readonly location: number) {
    super(reason);
  }
}

/** Ends code generation: the instruction has an operand or a combination that is not implemented. */
export function refuse(instruction: ProgramInstruction, detail?: string): never {
  const name = fullName(instruction.matched.instruction);
  throw new RefusalError(`refused: ${name}${detail === undefined ? "" : ` (${detail})`}`, instruction.location);
}
