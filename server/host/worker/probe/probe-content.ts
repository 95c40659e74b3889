import type { ProbeContent } from "../../../core/workload/probe/observation";
import type { DataType } from "../../../core/workload/spec";
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
/** Numbers of a ramp before it starts anew. */
const rampLength = 8192;
/** Of a spread, few enough that a short buffer has both ends. */
const spreadLength = 64;

/** The bytes that a roomy buffer is filled with, over and over. */
export function probeContent(dtype: DataType, content: ProbeContent): Uint8Array {
  if (content.kind === "constant") return scalarBytes(content.value, dtype);
  if (content.kind === "cycle")
    return new Uint8Array(Buffer.concat(content.values.map((value) => scalarBytes(value, dtype))));
  const count = content.kind === "ramp" ? rampLength : spreadLength;
  const step = content.kind === "ramp" ? content.step : 1 / (spreadLength - 0.5);
  return new Uint8Array(
    Buffer.concat(Array.from({ length: count }, (_, index) => scalarBytes(step * index, dtype))),
  );
}
