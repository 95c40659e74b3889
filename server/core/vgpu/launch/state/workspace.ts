import type { DeviceMemory } from "../../memory/device-memory";

/** Bytes of a grid's workspace: its size and its barrier, as cooperative_groups.h declares them. */
const workspaceBytes = 8;

const workspaces = new WeakMap<DeviceMemory, bigint>();

/**
 * Address of the workspace for the grid-wide barriers of a cooperative launch, reset for a new launch. The
 * kernel reads it from %envreg1 and %envreg2. One for each memory, since launches on one memory are
 * sequential.
 */
export function gridWorkspace(memory: DeviceMemory): bigint {
  const initial = new Uint8Array(workspaceBytes);
  initial[0] = workspaceBytes;
  const known = workspaces.get(memory);
  if (known !== undefined) {
    memory.write(known, initial);
    return known;
  }
  const address = memory.allocate("workspace of the grid", workspaceBytes, { initial });
  workspaces.set(memory, address);
  return address;
}
