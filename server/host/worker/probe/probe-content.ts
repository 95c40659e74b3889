import type { ProbeContent, RecordContent } from "../../../core/workload/probe/observation";
import type { DataType } from "../../../core/workload/spec";
import { itemBytes } from "../../../core/workload/item-bytes";
import { scalarBytes } from "../evaluation/case-shapes";

/** Bytes of a roomy buffer. */
export const roomBytes = 2 * 1024 * 1024;
/**
 * What a launch's buffers are tried with in turn, while it goes beyond them: most need little, and filling
 * takes time.
 */
export const rooms = [640 * 1024, roomBytes, 16 * 1024 * 1024] as const;
/** How many of them lie before the address that the code gets. */
export const haloBytes = 256 * 1024;
/** Numbers of a ramp before it starts anew: many for places where rows begin, which go up to the last row. */
const rampLength = 8192;
/** Of a spread, few enough that a short buffer has both ends. */
const spreadLength = 64;

/** The bytes that a roomy buffer is filled with, over and over. */
export function probeContent(dtype: DataType, content: ProbeContent): Uint8Array {
  if (content.kind === "record") return recordBytes(content);
  if (content.kind === "ramp" && /^u?int32$/.test(dtype)) return longRamp(content.step);
  return new Uint8Array(Buffer.concat(numbersOf(content).map((value) => scalarBytes(value, dtype))));
}

/** So long that the address that the code gets is that of its start. */
function longRamp(step: number): Uint8Array {
  const numbers = Uint32Array.from({ length: haloBytes / itemBytes.int32 }, (_, index) => step * index);
  return new Uint8Array(numbers.buffer);
}

function numbersOf(content: RecordContent["whole"]): readonly number[] {
  if (content.kind === "constant") return [content.value];
  if (content.kind === "cycle") return content.values;
  const count = content.kind === "ramp" ? rampLength : spreadLength;
  const step = content.kind === "ramp" ? content.step : 1 / (spreadLength - 0.5);
  return Array.from({ length: count }, (_, index) => step * index);
}

/** Turned round so that a structure begins at the address that the code gets. */
function recordBytes({ byteLength, fields, whole }: RecordContent): Uint8Array {
  const numbers = numbersOf(whole);
  const bytes = new Uint8Array(numbers.length * byteLength);
  for (const [index, number] of numbers.entries())
    for (const { at, value = number, dtype } of fields)
      bytes.set(scalarBytes(value, dtype), index * byteLength + at);
  const before = haloBytes % bytes.length;
  return new Uint8Array(
    Buffer.concat([bytes.subarray(bytes.length - before), bytes.subarray(0, -before || undefined)]),
  );
}
