import * as z from "zod/mini";
import { objectOf } from "../base/shape";
import { type CounterName, counterNames, type KernelCounters, type ReuseCounters } from "./counters";
import type { MachineWork } from "./execution/machine-work";
import type { SectorReuse } from "./reuse";

/** Counters as a log of any version holds them: one that was not known then is 0. */
const sums = Object.fromEntries(counterNames.map((name) => [name, z._default(z.number(), 0)])) as Record<
  CounterName,
  z.ZodMiniDefault<z.ZodMiniNumber>
>;

const sectorReuse = objectOf<SectorReuse>()({
  first: z.number(),
  sameBlock: z.array(z.number()),
  otherBlocks: z.array(z.number()),
});

const machineWork = objectOf<MachineWork>()({
  instructions: z.number(),
  integer: z.number(),
  fp32: z.number(),
  fp64: z.number(),
  special: z.number(),
  sleptNanoseconds: z.number(),
  // Logs of earlier versions do not tell it.
  crossedBytes: z._default(z.number(), 0),
});

const reuse = {
  loadReuse: z.optional(sectorReuse),
  storeReuse: z.optional(sectorReuse),
  machine: z.optional(machineWork),
} satisfies Record<keyof ReuseCounters, z.ZodMiniType>;

export const countersShape: z.ZodMiniType<KernelCounters> = objectOf<KernelCounters>()({
  origin: z.enum(["virtual-gpu", "cubin", "ptxas", "ncu", "proton"]),
  lines: z.array(z.looseObject({ file: z.string(), line: z.number(), ...sums, ...reuse })),
  totals: z.looseObject({ ...sums, ...reuse }),
});
