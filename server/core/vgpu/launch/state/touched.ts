import { addressWindows } from "../../layout";
import type { CompiledKernel } from "../../compile-kernel";
import type { Allocation } from "../../memory/device-memory";
import type { MemorySite } from "../../emit/emitters/memory-site";

/** Which allocations the instructions of a launch have read, and which they have written, by address. */
export interface TouchedAllocations {
  readonly read: ReadonlySet<bigint>;
  readonly written: ReadonlySet<bigint>;
}

/** Notes the allocations whose windows a launch's instructions ask for: each asks before its first access. */
export class TouchNotes implements TouchedAllocations {
  readonly read = new Set<bigint>();
  readonly written = new Set<bigint>();
  /** Which instructions have touched memory of the host. */
  readonly crossing = new Set<MemorySite>();
  private readonly ofHost: ReadonlySet<bigint>;

  constructor(allocations: readonly Allocation[]) {
    this.ofHost = new Set(allocations.filter(({ isOfHost }) => isOfHost).map(({ address }) => address));
  }

  /** `low`: where the window begins; those of other memory than allocations are left out. */
  note(low: bigint, site: MemorySite): void {
    if (low < addressWindows.global) return;
    if (site.access !== "store") this.read.add(low);
    if (site.access !== "load") this.written.add(low);
    if (this.ofHost.has(low)) this.crossing.add(site);
  }
}

/** Whether all that a kernel touches is noted: textures, surfaces and functions of the system ask nobody. */
export function notesTouched({ code }: CompiledKernel): boolean {
  return code.systemCalls.size === 0 && code.sites.every((site) => !site.instruction.matched.traits.asksHost);
}

/** What several parts of a launch have touched, if all of them tell. */
export function allTouched(
  parts: readonly (TouchedAllocations | undefined)[],
): TouchedAllocations | undefined {
  const [read, written] = [new Set<bigint>(), new Set<bigint>()];
  for (const part of parts) {
    if (!part) return undefined;
    for (const address of part.read) read.add(address);
    for (const address of part.written) written.add(address);
  }
  return { read, written };
}
