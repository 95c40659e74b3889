import { lanes } from "../../layout";
import { sinkBytes } from "./launch-plan";
import type { LaunchState } from "./launch-state";

/** Linear address for a lane's suppressed access: zeroes for a load, unread room for a store or an atomic. */
export function sinkAt(state: LaunchState, lane: number, access: "load" | "store" | "atomic"): number {
  const sink = state.base + state.plan.sink + lane * sinkBytes;
  if (access === "load") return sink;
  const target = sink + lanes * sinkBytes;
  new Uint8Array(state.view.buffer, target, sinkBytes).fill(0);
  return target;
}
