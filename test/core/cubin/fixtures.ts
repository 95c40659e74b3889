import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Cubin, readCubin } from "../../../server/core/cubin";

/**
 * Cubins that are kept as files, so that the reader is tested where no CUDA toolkit is. `fixture.cu` in a
 * folder /tmp/fixture was compiled by `nvcc -ptx -lineinfo -arch=compute_75` and `ptxas -lineinfo
 * -arch=sm_NN` of CUDA 13.0; `triton.sm_80.cubin` is the softmax sample as Triton 3 compiles it.
 */
export const fixtureNames = ["fixture.sm_75", "fixture.sm_90", "fixture.sm_120", "triton.sm_80"] as const;

export const cubinCases = join(import.meta.dirname, "../../cases/cubin");

export function fixturePath(name: string): string {
  return join(cubinCases, `${name}.cubin`);
}

export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)));
}

/** Reads and fails the test with the problem's text. */
export function readKnown(bytes: Uint8Array): Cubin {
  const outcome = readCubin(bytes);
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.value;
}
