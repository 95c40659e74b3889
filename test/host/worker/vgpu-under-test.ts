import { assetPath } from "../../../server/host/assets";
import { VirtualGpuPool } from "../../../server/host/worker/gpu/virtual-gpu-pool";

/** The virtual GPU's thread as the product ships it; before-tests.mjs makes it of the sources at hand. */
export function bundledThread(): string {
  return assetPath("vgpu-thread.js");
}

/** The thread of a program's device, likewise. */
export function bundledDeviceThread(): string {
  return assetPath("device-thread.js");
}

export function virtualGpu(): VirtualGpuPool {
  return new VirtualGpuPool(bundledThread());
}
