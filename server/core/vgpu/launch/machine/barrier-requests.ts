import { barrierKinds, lanes, pcFlags, warpLayout } from "../../layout";
import type { BarrierNumber, BarrierPlace } from "../../analyse/barrier-places";
import type { Machine } from "./machine";

/** What one lane asks of the barrier that it waits at. */
interface LaneRequest {
  readonly place: BarrierPlace;
  readonly id: number;
  readonly count: number;
}

const marks = pcFlags.barrier | pcFlags.gathering | pcFlags.parked;

/**
 * The request of a lane that waits at a barrier; undefined when it waits at none, or at one whose number
 * cannot be read again.
 */
export function laneRequest({ view, kernel }: Machine, warp: number, lane: number): LaneRequest | undefined {
  const at = view.getInt32(warp + warpLayout.lanePc + 4 * lane, true);
  const place =
    at & pcFlags.barrier && at !== pcFlags.exited ? kernel.code.barriers.get((at & ~marks) - 1) : undefined;
  const numberOf = (number: BarrierNumber): number =>
    "value" in number ? number.value : view.getInt32(warp + number.slot + 4 * lane, true);
  return place?.id && place.count
    ? { place, id: numberOf(place.id), count: numberOf(place.count) }
    : undefined;
}

/**
 * Lanes of one warp that wait at a barrier at different places: each waits for all of its warp that have not
 * exited, wherever they come to the barrier, and all count as one arrival of the warp (PTX ISA section
 * 9.7.13.1, `barrier` without `.aligned`). Makes one request of them; false when they do not ask for the
 * same.
 */
export function joinRequests(machine: Machine, warp: number): boolean {
  const { view } = machine;
  const live = view.getInt32(warp + warpLayout.live, true);
  let first: LaneRequest | undefined;
  let bits = 0;
  for (let lane = 0; lane < lanes; lane += 1) {
    if (((live >>> lane) & 1) === 0) continue;
    const request = laneRequest(machine, warp, lane);
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

/** Writes the result of a barrier reduction to every lane of a warp, each at its own place. */
export function writeResult(machine: Machine, warp: number, value: number): void {
  const { view } = machine;
  const live = view.getInt32(warp + warpLayout.live, true);
  for (let lane = 0; lane < lanes; lane += 1) {
    if (((live >>> lane) & 1) === 0) continue;
    const result = laneRequest(machine, warp, lane)?.place.result;
    if (result !== undefined) view.setInt32(warp + result + 4 * lane, value, true);
  }
}
