import type { CompiledKernel } from "../../../../core/vgpu/index";
import type {
  CapturedBuffer,
  CapturedLaunch,
  CapturedVariable,
} from "../../../../core/workload/capture/captured";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import { addressesIn } from "./launch-pointers";
import type { Reached } from "./stored-places";

/** A launch that is being recorded, with copies of what it may change. */
export class RecordedLaunch {
  private readonly begun: CapturedLaunch;

  /** To be made before the launch runs. */
  constructor(
    private readonly store: DeviceStore,
    launch: DeviceLaunch,
    kernel: CompiledKernel,
    private readonly reached: Reached,
  ) {
    const buffers = reached.addresses.map((address): CapturedBuffer => {
      const before = store.memory.read(address);
      const untouched = !store.touched.has(address);
      return { before, after: undefined, untouched, addresses: addressesIn(store, before), stored: false };
    });
    const variables = reached.variables.map(([name, address]): CapturedVariable => ({
      ...{ name, before: store.memory.read(address), after: undefined, stored: false },
    }));
    this.begun = { ...withoutContents(launch, kernel, reached), buffers, variables };
  }

  /** The launch with what it has left. */
  end(warpInstructions: number): CapturedLaunch {
    const { begun, reached } = this;
    const places = reached.variables.map(([, address]) => address);
    const buffers = this.changed(begun.buffers, reached.addresses);
    return { ...begun, warpInstructions, buffers, variables: this.changed(begun.variables, places) };
  }

  private changed<Part extends { readonly before: Uint8Array }>(
    parts: readonly Part[],
    addresses: readonly bigint[],
  ): readonly (Part & { readonly after: Uint8Array | undefined })[] {
    return addresses.flatMap((address, index) => {
      const part = parts[index];
      const now = this.store.memory.read(address);
      return part ? [{ ...part, after: Buffer.compare(now, part.before) === 0 ? undefined : now }] : [];
    });
  }
}

const nothing = new Uint8Array();

/** A launch with its arguments, and buffers of which nothing was looked at. */
export function withoutContents(
  launch: DeviceLaunch,
  kernel: CompiledKernel,
  { pointers, addresses }: Pick<Reached, "pointers" | "addresses">,
): CapturedLaunch {
  return {
    kernel: launch.kernel,
    grid: launch.grid,
    block: launch.block,
    dynamicSharedBytes: launch.dynamicSharedBytes,
    // A copy: the parameters are a view of the request.
    parameters: new Uint8Array(launch.parameters),
    layout: kernel.parameters.map(({ offset, size }) => ({ offset, size })),
    pointers,
    buffers: addresses.map(() => ({
      ...{ before: nothing, after: undefined, untouched: true, addresses: 0, stored: false },
    })),
    variables: [],
    count: 1,
    where: launch.where,
    triton: launch.triton,
    warpInstructions: 0,
  };
}

/** Whether a launch has left anything else than it found. */
export function hasChanged({ buffers, variables }: CapturedLaunch): boolean {
  return [...buffers, ...variables].some(({ after }) => after !== undefined);
}

/** Bytes of the contents before and after. */
export function bytesOf({ buffers, variables }: CapturedLaunch): number {
  return [...buffers, ...variables].reduce(
    (sum, { before, after }) => sum + before.byteLength + (after?.byteLength ?? 0),
    0,
  );
}

/** How many bytes a launch has left other than it found them. */
export function changedBytes({ buffers, variables }: CapturedLaunch): number {
  let changed = 0;
  for (const { before, after } of [...buffers, ...variables])
    after?.forEach((byte, place) => {
      if (byte !== before[place]) changed += 1;
    });
  return changed;
}
