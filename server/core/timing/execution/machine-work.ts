/** Work of the machine code that no counter of PTX instructions shows; warp instructions and nanoseconds. */
export interface MachineWork {
  /**
   * Machine instructions that stand for PTX instructions a GPU does not have, beyond the one that is counted.
   */
  readonly instructions: number;
  /** Those of them that keep a pipe busy. */
  readonly integer: number;
  readonly fp32: number;
  readonly fp64: number;
  readonly special: number;
  /** Time that warps were told to sleep, added up. */
  readonly sleptNanoseconds: number;
  /** Bytes, in whole sectors, that kernels read and write in the host's memory. */
  readonly crossedBytes: number;
}

export const noMachineWork: MachineWork = {
  instructions: 0,
  integer: 0,
  fp32: 0,
  fp64: 0,
  special: 0,
  sleptNanoseconds: 0,
  crossedBytes: 0,
};

/** The names of all of its parts. */
const machineWorkNames = Object.keys(noMachineWork) as readonly (keyof MachineWork)[];

/** So many times a part, on top of a sum. */
export function addMachineWork(
  sum: MachineWork | undefined,
  part: Partial<MachineWork>,
  times = 1,
): MachineWork {
  const before = sum ?? noMachineWork;
  const added = machineWorkNames.map((name) => [name, before[name] + (part[name] ?? 0) * times]);
  return Object.fromEntries(added) as Record<keyof MachineWork, number>;
}
