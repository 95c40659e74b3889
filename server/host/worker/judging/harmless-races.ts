import { at } from "../../../core/base/known";
import type { Finding } from "../../../core/judge/verdict";
import type { Ran } from "../evaluation/failed-run";
import type { KernelSession, RunRequest } from "../evaluation/kernel-runner";

interface RightRun {
  /** A run whose values are right. */
  readonly run: Ran;
  readonly request: Pick<RunRequest, "shape" | "inputs" | "signal">;
  readonly session: KernelSession;
  /** The kernel as its user brought it: no other one may race where it does not. */
  readonly original: KernelSession;
}

/**
 * Races that nothing comes of: a thread reads what another one writes meanwhile, whichever of the two values
 * it gets (frontiers that all threads set to the same level, flags). They are none of a kernel's faults where
 * the user's own kernel has such ones, too, and with the blocks in the opposite order every byte is the same.
 */
export class HarmlessRaces {
  /** Pairs of places that were seen to do no harm between blocks: within a block they do none either. */
  private readonly known = new WeakMap<KernelSession, Set<string>>();

  /** The harmless ones among the findings of a run. */
  async among({ run, request, session, original }: RightRun): Promise<readonly Finding[]> {
    const races = run.findings.filter(isOfReader);
    if (races.length === 0) return [];
    if (session !== original && !(await isRacing(original, request))) return [];
    const known = this.known.get(session) ?? new Set();
    this.known.set(session, known);
    const between = races.filter(isBetweenBlocks);
    if (between.length > 0) {
      const reversed = await session.run({ ...request, ...unwatched, order: "descending" });
      if (reversed.kind !== "ran" || !areEqual(run.outputs, reversed.outputs)) return [];
    }
    for (const race of between) known.add(placesOf(race));
    return races.filter((race) => known.has(placesOf(race)));
  }
}

const unwatched = { counters: false, detectors: false } as const;

async function isRacing(original: KernelSession, request: RightRun["request"]): Promise<boolean> {
  const run = await original.run({ ...request, ...unwatched, detectors: true });
  return run.kind === "ran" && run.findings.some(isOfReader);
}

/** Whether one side reads: of two that write different values the last one wins, in whatever order. */
function isOfReader({ kind, message, other }: Finding): boolean {
  return kind === "global-race" && (other?.access === "read" || / reads \d/.test(message));
}

function isBetweenBlocks({ block, other }: Finding): boolean {
  return block !== undefined && other?.block !== undefined && block.join() !== other.block.join();
}

function placesOf({ file, line, other }: Finding): string {
  return [`${file}:${line}`, `${other?.file ?? ""}:${other?.line ?? 0}`].sort().join(" ");
}

function areEqual(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.every((bytes, index) => Buffer.compare(bytes, at(others, index)) === 0);
}
