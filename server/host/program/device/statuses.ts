import type { KernelFinding } from "../../../core/vgpu/index";

/** Numbers of `cudaError_t` that the device answers with. */
export const statuses = {
  success: 0,
  invalidValue: 1,
  memoryAllocation: 2,
  invalidConfiguration: 9,
  invalidFilterSetting: 26,
  invalidDeviceFunction: 98,
  invalidImage: 200,
  illegalAddress: 700,
  launchOutOfResources: 701,
  launchTimeout: 702,
  assertion: 710,
  misalignedAddress: 716,
  launchFailure: 719,
  cooperativeLaunchTooLarge: 720,
  notSupported: 801,
} as const;

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
