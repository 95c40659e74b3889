import { addressWindows } from "../../layout";
import type { CompiledKernel } from "../../compile-kernel";
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

  /** `low`: where the window begins; those of other memory than allocations are left out. */
  note(low: bigint, access: MemorySite["access"]): void {
    if (low < addressWindows.global) return;
    if (access !== "store") this.read.add(low);
    if (access !== "load") this.written.add(low);
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
