import { barrierKinds, lanes, pcFlags, warpLayout } from "../../layout";
import type { BarrierNumber, BarrierPlace } from "../../analyse/barrier-places";
import type { LaunchState } from "./launch-state";

/** One lane's request at a barrier. */
interface LaneRequest {
  readonly place: BarrierPlace;
  readonly id: number;
  readonly count: number;
}

const marks = pcFlags.barrier | pcFlags.gathering | pcFlags.parked;

/** The code block that a lane is in. A lane at a barrier continues in the block after the barrier's. */
export function codeAt(at: number): number {
  return at & pcFlags.barrier ? (at & ~marks) - 1 : at & ~marks;
}

/** A waiting lane's request; undefined when it waits at no barrier, or its operands can no longer be read. */
export function laneRequest(
  { view, kernel }: LaunchState,
  warp: number,
  lane: number,
): LaneRequest | undefined {
  const at = view.getInt32(warp + warpLayout.lanePc + 4 * lane, true);
  const place =
    at & pcFlags.barrier && at !== pcFlags.exited ? kernel.code.barriers.get(codeAt(at)) : undefined;
  const numberOf = (number: BarrierNumber): number =>
    "value" in number ? number.value : view.getInt32(warp + number.slot + 4 * lane, true);
  return place?.id && place.count
    ? { place, id: numberOf(place.id), count: numberOf(place.count) }
    : undefined;
}

/**
 * Merges the requests of divergent lanes that wait at `barrier` instructions without `.aligned`: together
 * they are one arrival of the warp, wherever each of them reached the barrier (PTX ISA section 9.7.13.1).
 * Returns false when a live lane does not wait, or two requests differ.
 */
export function joinRequests(state: LaunchState, warp: number): boolean {
  const { view } = state;
  const live = view.getInt32(warp + warpLayout.live, true);
  let first: LaneRequest | undefined;
  let bits = 0;
  for (let lane = 0; lane < lanes; lane += 1) {
    if (((live >>> lane) & 1) === 0) continue;
    const request = laneRequest(state, warp, lane);
    if (!request || request.place.aligned) return false;
    first ??= request;
    if (request.id !== first.id || request.count !== first.count || request.place.kind !== first.place.kind)
      return false;
    const { predicate, kind } = request.place;
    if (kind < barrierKinds.and) continue;
    if (!predicate) return false;
    const isSet = view.getInt32(warp + predicate.slot + 4 * lane, true) !== 0;
    if (isSet !== predicate.negated) bits |= 1 << lane;
  }
  if (!first) return false;
  view.setInt32(warp + warpLayout.barrierId, first.id, true);
  view.setInt32(warp + warpLayout.barrierCount, first.count, true);
  view.setInt32(warp + warpLayout.barrierKind, first.place.kind, true);
  view.setInt32(warp + warpLayout.barrierBits, bits, true);
  view.setInt32(warp + warpLayout.active, live, true);
  return true;
}

/** Writes the result of a barrier reduction to the destination register of each live lane of a warp. */
export function writeResult(state: LaunchState, warp: number, value: number): void {
  const { view } = state;
  const live = view.getInt32(warp + warpLayout.live, true);
  for (let lane = 0; lane < lanes; lane += 1) {
    if (((live >>> lane) & 1) === 0) continue;
    const result = laneRequest(state, warp, lane)?.place.result;
    if (result !== undefined) view.setInt32(warp + result + 4 * lane, value, true);
  }
}
