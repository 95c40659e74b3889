import type { Triple } from "../../../core/vgpu/index";
import { known } from "../../../core/base/known";
import type { Outcome } from "../../../core/base/outcome";
import type { DeviceCode } from "../../../core/ports/entry-programs";
import type { DeviceProblem } from "../device/statuses";
import type { AddedModule, Device } from "../device/device";
import { LoadedModule, registersOf } from "../device/loaded-module";
import * as wire from "../protocol/messages";
import { type Answer, answer, done, failed, type Handlers, written } from "./answers";

/**
 * Modules, launches of their kernels, and how many blocks fit. `code`: what runs in place of every module
 * that the program brings.
 */
export function moduleHandlers(
  device: Device,
  code: () => DeviceCode | undefined = () => undefined,
): Handlers<"load" | "link" | "launch" | "occupancy"> {
  const given = (own: () => Outcome<LoadedModule, DeviceProblem>): Outcome<LoadedModule, DeviceProblem> => {
    const instead = code();
    return instead === undefined ? own() : LoadedModule.load(instead.ptx, instead.cubin);
  };
  return {
    load: (reader) => {
      const { ptx, cubin } = wire.readLoadRequest(reader);
      return answer(device.add(given(() => LoadedModule.load(ptx, cubin))), contentOf);
    },
    link: (reader) => {
      const { parts, cubin } = wire.readLinkRequest(reader);
      return answer(device.add(given(() => LoadedModule.link(parts, cubin))), contentOf);
    },
    launch: (reader) => launch(device, wire.readLaunchRequest(reader)),
    occupancy: (reader) => {
      const { module, kernel, threads, dynamicSharedBytes } = wire.readOccupancyRequest(reader);
      const blocks = device.occupancy({ module, name: kernel }, { threads, dynamicSharedBytes });
      return answer(blocks, (count) => written(wire.writeOccupancyReply, { blocks: count }));
    },
  };
}

function launch(device: Device, { grid, block, flags, cluster, ...request }: wire.LaunchRequest): Answer {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const prepared = device.prepare({
    ...request,
    grid: tripleOf(grid),
    block: tripleOf(block),
    cooperative: has(wire.launchFlags.cooperative),
    counted: has(wire.launchFlags.counted),
    sampled: has(wire.launchFlags.sampled),
    breaksWhenRefused: has(wire.launchFlags.breaksWhenRefused),
    triton: has(wire.launchFlags.triton),
    programmatic: has(wire.launchFlags.programmatic),
    largeClusters: has(wire.launchFlags.largeClusters),
    ...(cluster.x > 0 && { cluster: tripleOf(cluster) }),
  });
  return prepared.ok ? { ...done(), afterwards: prepared.value } : failed(prepared.problem);
}

function tripleOf({ x, y, z }: wire.Triple): Triple {
  return [x, y, z];
}

/** What a program learns of a module: its kernels and its variables. */
function contentOf({ handle, module, addresses }: AddedModule): Uint8Array {
  return written(wire.writeModuleContent, {
    module: handle,
    kernels: [...module.kernels.values()].map((kernel) => ({
      name: kernel.name,
      sharedBytes: kernel.staticSharedBytes,
      localBytes: kernel.localBytes,
      registers: registersOf(kernel),
      maxThreads: kernel.maxThreads,
      parameters: kernel.parameters.map(({ offset, size }) => ({ offset, bytes: size })),
    })),
    variables: [...addresses].map(([name, address]) => {
      const { size, space } = known(module.ptx.variables.get(name), "a variable that has an address");
      return { name, address, bytes: size, isConstant: space === "const" ? 1 : 0 };
    }),
  });
}
