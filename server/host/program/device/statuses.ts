import type { KernelFinding } from "../../../core/vgpu/index";
import { statuses } from "../protocol/messages";

/** Why a request was not done. */
export interface DeviceProblem {
  readonly status: number;
  readonly message: string;
}

/** What a GPU's context breaks with when a kernel does this (CUDA Runtime API, "cudaError"). */
export function statusOfFault({ kind, message }: KernelFinding): number {
  switch (kind) {
    case "out-of-bounds":
    case "use-after-free":
    case "read-only-write":
      return statuses.illegalAddress;
    case "misaligned":
      return statuses.misalignedAddress;
    case "endless-loop":
      return statuses.launchTimeout;
    case "invalid-launch":
      return statuses.invalidValue;
    case "trap":
      return message.startsWith("assertion failed") ? statuses.assertion : statuses.launchFailure;
    default:
      return statuses.launchFailure;
  }
}
