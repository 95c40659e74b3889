import { addressWindow, type CompiledKernel } from "../../../../core/vgpu/index";
import type { CapturedPointer } from "../../../../core/workload/capture/captured";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";

export const addressBytes = 8;

/** Addresses among a launch's parameters, and the allocations that they lie in, each once. */
interface LaunchPointers {
  readonly pointers: readonly CapturedPointer[];
  readonly addresses: readonly bigint[];
}

/** Every aligned word of the parameters that is an address of a live allocation. */
export function pointersOf(
  store: DeviceStore,
  { parameters }: DeviceLaunch,
  kernel: CompiledKernel,
): LaunchPointers {
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const pointers: CapturedPointer[] = [];
  const addresses: bigint[] = [];
  for (const { offset, size } of kernel.parameters) {
    for (let at = offset; at + addressBytes <= offset + size; at += addressBytes) {
      const address = view.getBigUint64(at, true);
      const found = store.memory.find(address);
      if (found === undefined || found.freed) continue;
      if (!addresses.includes(found.address)) addresses.push(found.address);
      pointers.push({
        at,
        buffer: addresses.indexOf(found.address),
        offset: Number(address - found.address),
      });
    }
  }
  return { pointers, addresses };
}

/** How many aligned words of a content are addresses of live allocations. */
export function addressesIn(store: DeviceStore, content: Uint8Array): number {
  const { base, bytes } = addressWindow;
  const words = new BigUint64Array(
    content.slice(0, content.byteLength - (content.byteLength % addressBytes)).buffer,
  );
  let found = 0;
  for (const word of words) {
    if (word < base || word >= base + bytes) continue;
    if (store.sizeAt(word) > 0) found += 1;
  }
  return found;
}
