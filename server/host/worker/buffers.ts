import type { Finding } from "../../core/kernel/verdict";
import { itemBytes, type ResolvedTensor } from "./case-shapes";
import type { RunRequest } from "./kernel-runner";

/**
 * What outputs hold before a run: a rare pattern that in floating types is NaN. In those of two bytes and more it is another NaN than that of
 * unwritten shared memory (all bits set), which a kernel may have copied.
 */
export function poisoned(tensor: ResolvedTensor): Uint8Array {
  const isFloat = tensor.dtype.includes("float");
  const size = itemBytes[tensor.dtype];
  const bytes = new Uint8Array(tensor.bytes);
  if (!isFloat || size === 1) return bytes.fill(isFloat ? 0xff : tensor.dtype === "bool" ? 1 : 0xa5);
  return bytes.map((_, index) => (index % size === size - 1 ? 0xff : index % size === size - 2 ? 0xf5 : 0xa5));
}

/** Elements of an output that still hold the pattern: the kernel never wrote them. One finding for each output, naming the first. */
export function unwritten(tensor: ResolvedTensor, content: Uint8Array, file: string): readonly Finding[] {
  if (tensor.dtype === "bool" || tensor.bytes === 0) return [];
  const count = tensor.shape.reduce((product, size) => product * size, 1);
  const size = itemBytes[tensor.dtype];
  const pattern = poisoned({ ...tensor, bytes: size });
  if (!Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(Buffer.from(pattern))) return [];
  const isUntouched = (element: number): boolean => Buffer.compare(content.subarray(element * size, (element + 1) * size), pattern) === 0;
  const untouched = Array.from({ length: count }, (_, element) => element).filter(isUntouched);
  const [first] = untouched;
  // An integer may be equal to the pattern by its value; only where it is frequent it is no accident.
  if (first === undefined || (tensor.dtype.includes("int") && untouched.length < 2 + count / 64)) return [];
  return [{ kind: "never-written", file, line: 0, message: `${untouched.length} of ${count} elements of ${tensor.name} were never written, the first is element ${first}` }];
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
