import { formatName, readableName } from "../../../../core/base/symbols/symbol-name";
import type { Outcome } from "../../../../core/base/outcome";
import type { ChildWork } from "../../../../core/vgpu/index";
import type { Rectangle } from "../../protocol/messages";
import { Transfers } from "../../service/transfers";
import type { DeviceContext } from "../context";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import type { KernelFacts } from "../loaded-module";
import type { DeviceProblem } from "../statuses";

/** Grids within grids (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", nesting depth). */
const deepestLaunch = 24;
/** Shared memory of a block that a launch may ask for unless the kernel was allowed more. */
const usualSharedBytes = 48 * 1024;

/** Who does what a kernel has ordered. */
export interface Follower {
  readonly context: DeviceContext;
  /** Runs a launch with all that it orders itself. */
  readonly launch: (child: DeviceLaunch) => void;
}

interface Ground extends Follower {
  readonly store: DeviceStore;
  readonly factsOf: (kernel: string) => KernelFacts | undefined;
}

/**
 * Does what a kernel has ordered: in the order of the calls, and then what is for the tail. A fault, the
 * kernel's own or that of one that it has launched, ends it.
 */
export function followOrders(parent: DeviceLaunch, ordered: readonly ChildWork[], on: Ground): void {
  if (ordered.length === 0 || on.context.problem) return;
  const nesting = (parent.nesting ?? 0) + 1;
  if (nesting > deepestLaunch) {
    const name = formatName(readableName(parent.kernel));
    const message = `kernels launch kernels ${deepestLaunch} deep, the most that a GPU takes: what ${name} launches is left out`;
    on.context.tell(message, parent.where);
    return;
  }
  const inOrder = [...ordered.filter(({ isTail }) => !isTail), ...ordered.filter(({ isTail }) => isTail)];
  for (const work of inOrder) {
    if (work.kind === "launch") on.launch({ ...childLaunch(parent, work, on.factsOf(work.kernel)), nesting });
    else {
      const moved = moveMemory(on.store, work, parent.where);
      if (!moved.ok) on.context.tell(`a kernel's ${work.kind}: ${moved.problem.message}`, parent.where);
    }
    if (on.context.problem) return;
  }
}

/** A kernel's launch as one of the program's. `facts`: of the launched kernel. */
function childLaunch(
  parent: DeviceLaunch,
  { kernel, grid, block, dynamicSharedBytes, parameters }: Extract<ChildWork, { kind: "launch" }>,
  facts: KernelFacts | undefined,
): DeviceLaunch {
  const dynamicSharedLimit = usualSharedBytes - (facts?.staticSharedBytes ?? 0);
  return {
    ...parent,
    kernel,
    grid,
    block,
    dynamicSharedBytes,
    dynamicSharedLimit,
    cooperative: false,
    parameters,
  };
}

/** The number of cudaMemcpyDeviceToDevice: kernels have no other copies. */
const onDevice = 3;

/** Copies or fills as a kernel has ordered it. */
function moveMemory(
  store: DeviceStore,
  work: Exclude<ChildWork, { kind: "launch" }>,
  where: string,
): Outcome<null, DeviceProblem> {
  const transfers = new Transfers(store);
  const row = (address: bigint): Rectangle => ({
    address,
    pitch: work.bytes,
    width: work.bytes,
    height: 1,
  });
  return work.kind === "copy"
    ? transfers.copy(row(work.to), row(work.from), { direction: onDevice, where })
    : transfers.fill(row(work.to), work.value & 0xff, 1, where);
}
