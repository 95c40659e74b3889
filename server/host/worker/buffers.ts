import type { Finding } from "../../core/kernel/verdict";
import type { ResolvedTensor } from "./case-shapes";
import type { RunRequest } from "./kernel-runner";

/** What outputs hold before a run: NaN for floating types (all bits set is NaN in each of them), a rare pattern for integers. */
export function poisoned(tensor: ResolvedTensor): Uint8Array {
  const isFloat = tensor.dtype.startsWith("float") || tensor.dtype === "bfloat16";
  return new Uint8Array(tensor.bytes).fill(isFloat ? 0xff : tensor.dtype === "bool" ? 1 : 0xa5);
}

/** Inputs that a run changed although they are no outputs. */
export function inputFindings(request: RunRequest, index: ReadonlyMap<string, number>, after: readonly Uint8Array[], file: string): readonly Finding[] {
  const outputs = new Set(request.shape.outputs.map((output) => output.name));
  const findings: Finding[] = [];
  for (const [position, input] of request.shape.inputs.entries()) {
    const before = request.inputs[position] ?? new Uint8Array();
    const now = after[index.get(input.name) ?? -1];
    if (outputs.has(input.name) || now === undefined || Buffer.compare(before, now) === 0) continue;
    const at = now.findIndex((byte, offset) => byte !== before[offset]);
    findings.push({ kind: "input-overwritten", file, line: 0, message: `the kernel wrote to its input ${input.name}, first at byte ${at}` });
  }
  return findings;
}
