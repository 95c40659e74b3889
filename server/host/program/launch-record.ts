import { modelledBound, type LaunchProfile } from "../../core/kernel/bound";
import { mergeCounters, type KernelCounters } from "../../core/kernel/counters";
import { modelConstants, type GpuModel } from "../../core/kernel/gpu-model";
import type { ModelledBound } from "../../core/kernel/verdict";
import type { LoadedModule } from "./loaded-module";
import type { DeviceLaunch } from "./launch-checks";
import type { KernelProfile } from "./report";

interface Record {
  readonly counters: KernelCounters;
  readonly launches: number;
  readonly bound: ModelledBound;
  readonly facts: KernelProfile["facts"];
}

/** Counters of all launches that were counted, by kernel, and the time that they would take by the model. */
export class LaunchRecord {
  private readonly kernels = new Map<string, Record>();
  private modelled = 0;

  constructor(private readonly gpu: GpuModel) {}

  /** Nanoseconds of all counted launches, one after the other. */
  get modelledNanoseconds(): number {
    return this.modelled;
  }

  /** `footprintBytes`: see `LaunchProfile`. */
  add(launch: DeviceLaunch, counted: { readonly module: LoadedModule; readonly counters: KernelCounters; readonly footprintBytes: number }): void {
    const { module, counters, footprintBytes } = counted;
    const facts = module.kernels.get(launch.kernel);
    const product = (sizes: readonly number[]): number => sizes.reduce((result, size) => result * size, 1);
    const profile: LaunchProfile = {
      counters: counters.totals, blocks: product(launch.grid), threadsPerBlock: product(launch.block), registersPerThread: facts?.machine?.registers ?? 0,
      sharedBytes: (facts?.staticSharedBytes ?? 0) + launch.dynamicSharedBytes, footprintBytes,
    };
    // Whole nanoseconds, so that the same launch takes the same time whatever ran before.
    const bound = modelledBound([profile], this.gpu);
    this.modelled += Math.round(bound.nanoseconds);
    const known = this.kernels.get(launch.kernel);
    this.kernels.set(launch.kernel, {
      counters: known ? mergeCounters([known.counters, counters]) : counters,
      launches: (known?.launches ?? 0) + 1,
      bound: known ? oneAfterTheOther(known.bound, bound) : bound,
      facts: known?.facts ?? (facts?.machine ? [facts.machine] : []),
    });
  }

  list(): readonly KernelProfile[] {
    return [...this.kernels].map(([kernel, record]) => ({ kernel, ...record }));
  }
}

/** What `modelledBound` says of launches together, from their bounds: a program may launch a kernel a million times. */
function oneAfterTheOther(before: ModelledBound, next: ModelledBound): ModelledBound {
  const gap = modelConstants.launchGapNanoseconds;
  const terms: { [name: string]: number } = { ...before.terms, launch: (before.terms["launch"] ?? 0) + gap };
  for (const [name, value] of Object.entries(next.terms)) terms[name] = (terms[name] ?? 0) + value;
  const [binding] = Object.entries(terms).reduce((most, each) => (each[1] > most[1] ? each : most));
  return { gpu: before.gpu, nanoseconds: before.nanoseconds + gap + next.nanoseconds, terms, binding };
}
