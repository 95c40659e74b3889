import { at } from "../../../../core/base/known";
import type { CapturedLaunch, CapturedPointer } from "../../../../core/workload/capture/captured";
import type { CompletedLaunch } from "./launch-effects";

/** What a launch can reach: allocations by its arguments, and variables of its module. */
export interface Reached {
  readonly pointers: readonly CapturedPointer[];
  /** Of the buffers that the pointers lie in. */
  readonly addresses: readonly bigint[];
  readonly variables: readonly (readonly [string, bigint])[];
}

/**
 * Through which arguments, and to which variables, the launches of each kernel store. What one launch leaves
 * as it was, another one may change, and storing what is there already is storing too.
 */
export class StoredPlaces {
  /** By the kernel's symbol: places in the parameter block, and names of variables. */
  private readonly kernels = new Map<string, Set<number | string>>();

  /** Where nothing is known of a launch, all that its arguments reach may have been stored to. */
  note(kernel: string, { pointers, addresses, variables }: Reached, { touched }: CompletedLaunch): void {
    const places = this.kernels.get(kernel) ?? new Set();
    this.kernels.set(kernel, places);
    for (const { at: place, buffer } of pointers)
      if (touched?.written.has(at(addresses, buffer)) !== false) places.add(place);
    for (const [name, address] of variables) if (touched?.written.has(address) === true) places.add(name);
  }

  /** The launch with what is known of its buffers and variables. */
  told(launch: CapturedLaunch): CapturedLaunch {
    const places = this.kernels.get(launch.kernel) ?? new Set();
    const isStored = (buffer: number): boolean =>
      launch.pointers.some((pointer) => pointer.buffer === buffer && places.has(pointer.at));
    return {
      ...launch,
      buffers: launch.buffers.map((buffer, index) => ({ ...buffer, stored: isStored(index) })),
      variables: launch.variables.map((variable) => ({ ...variable, stored: places.has(variable.name) })),
    };
  }
}
