import { type Outcome, succeed } from "../base/outcome";
import { type CubinProblem, type PlacedInstruction, readMachineCode } from "../cubin/index";
import type { CodeRow } from "./row";

/**
 * The machine code of a kernel by its mangled name: operation, bytes that each lane moves, and how the
 * compiler scheduled it. Operands are not decoded; the PTX of the same line names them.
 */
export function machineRows(cubin: Uint8Array, symbol: string): Outcome<readonly CodeRow[], CubinProblem> {
  const code = readMachineCode(cubin, symbol);
  if (!code.ok) return code;
  return succeed(
    code.value.instructions.map((instruction) => ({
      text: instructionText(instruction),
      places: [{ file: instruction.file, line: instruction.line }],
    })),
  );
}

const alwaysTrue = 7;

function instructionText({ offset, operation, predicate, ...rest }: PlacedInstruction): string {
  const { width, control, target } = rest;
  const guard =
    predicate.register === alwaysTrue ? "" : `@${predicate.negated ? "!" : ""}P${predicate.register} `;
  const parts = [
    `${guard}${operation.name}`,
    ...(width > 0 ? [`${width} bytes a lane`] : []),
    ...(target === undefined ? [] : [`to ${address(target)}`]),
    ...(control.stall > 1 ? [`stalls ${control.stall}`] : []),
    ...(control.waits.length > 0 ? [`waits for ${control.waits.map((board) => `B${board}`).join(" ")}`] : []),
    ...(control.written === undefined ? [] : [`result by B${control.written}`]),
    ...(control.read === undefined ? [] : [`operands read by B${control.read}`]),
  ];
  return `${address(offset)} ${parts.join(", ")}`;
}

function address(offset: number): string {
  return offset.toString(16).padStart(4, "0");
}
