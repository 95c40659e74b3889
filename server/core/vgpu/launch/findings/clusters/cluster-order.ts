import { lanes, staticLayout, warpLayout } from "../../../layout";
import { join } from "../knowledge";
import type { Releases } from "../releases";
import type { LaunchState } from "../../state/launch-state";
import { FarAccesses } from "./far-accesses";
import type { WarpClocks } from "../warp-clocks";

/** Happens-before by the barriers of clusters. `place`: what stands for a barrier; no address. */
export class ClusterOrder {
  readonly far: FarAccesses;

  constructor(
    private readonly state: LaunchState,
    private readonly clocks: WarpClocks,
    private readonly releases: Releases,
  ) {
    this.far = new FarAccesses(state);
  }

  /** A warp arrives: what it and its block know is released there. */
  arrive(warp: number, place: number): void {
    const { clocks, releases } = this;
    const block = clocks.blockOf(warp);
    const known = clocks.knownOf(warp).slice(0, this.state.plan.warpCount);
    releases.release(block, place, {
      known,
      warp: clocks.read(warp, warpLayout.warpIndex),
      interval: clocks.read(warp, warpLayout.interval),
    });
    const all = new Uint32Array(lanes);
    join(all, known);
    const before = releases.withinAt(block, place);
    if (before) join(all, before);
    releases.releaseWithin(block, place, all.slice(0, known.length));
    clocks.tick(warp);
  }

  /** A warp goes on behind the barrier, and knows what was released there. */
  leave(warp: number, place: number): void {
    const { clocks, releases } = this;
    const block = clocks.blockOf(warp);
    const within = releases.withinAt(block, place);
    if (within) clocks.join(warp, within);
    if (releases.acquire(block, place)) clocks.write(this.state.base, staticLayout.acquired, 1);
    clocks.tick(warp);
  }
}
