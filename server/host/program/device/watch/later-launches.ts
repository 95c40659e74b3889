import type { CapturedLaunch } from "../../../../core/workload/capture/captured";
import { changedBytes } from "./recorded-launch";

/** The first launches of a kernel are no later ones. */
const fewest = 8;
/** A later launch that changes so many times as much as those before shows what these do not. */
const surelyMore = 4;

interface Later {
  readonly launch: CapturedLaunch;
  /** Equal for launches that are equal. */
  readonly key: string;
  /** Bytes. */
  readonly changed: number;
}

/**
 * Of each kernel one of its later launches, where it changes far more than the first ones, which are
 * recorded: fields are zero in the first steps of a simulation, and a search begins with one node.
 */
export class LaterLaunches {
  private readonly counts = new Map<string, number>();
  private readonly kept = new Map<string, Later>();

  /** Call once for each launch of a kernel: whether it is to be looked at, as the 8th, 16th and so on. */
  isNext(kernel: string): boolean {
    const count = (this.counts.get(kernel) ?? 0) + 1;
    this.counts.set(kernel, count);
    return count >= fewest && Number.isInteger(Math.log2(count));
  }

  /** Those that are kept, one of a kernel at most. */
  launches(): readonly CapturedLaunch[] {
    return [...this.kept.values()].map(({ launch }) => launch);
  }

  /** With launches that are recorded, by their key: equal ones count as this one but for the first. */
  with(recorded: ReadonlyMap<string, CapturedLaunch>): readonly CapturedLaunch[] {
    const later = [...this.kept.values()].map(({ launch, key }) => {
      const equal = recorded.get(key)?.count ?? 2;
      return { ...launch, count: Math.max(1, equal - 1) };
    });
    const keys = new Set([...this.kept.values()].map(({ key }) => key));
    const first = [...recorded].map(([key, launch]) => (keys.has(key) ? { ...launch, count: 1 } : launch));
    return [...later, ...first];
  }

  /** `first`: the launches of its kernel that are recorded. */
  note(key: string, launch: CapturedLaunch, first: readonly CapturedLaunch[]): void {
    const changed = changedBytes(launch);
    const known = this.kept.get(launch.kernel)?.changed ?? Math.max(0, ...first.map(changedBytes));
    if (changed >= surelyMore * Math.max(1, known)) this.kept.set(launch.kernel, { launch, key, changed });
  }
}
