import { at } from "../../../core/base/known";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { RunRequest } from "../evaluation/kernel-runner";
import type { LaunchJob } from "../gpu/virtual-gpu";
import type { CapturedLaunch, ReturnedTensor } from "./captured-launch";

/** Where the outputs of a run lay in the buffers of its host code, by their names. */
export type OutputPlaces = ReadonlyMap<string, ReturnedTensor>;

/**
 * The watched element as a byte of one of a launch's buffers; undefined where the launch does not have it. A
 * call numbers its buffers as the one before did.
 */
export function watchedByte(
  { watched, shape }: RunRequest,
  { buffers }: CapturedLaunch,
  places: OutputPlaces,
): LaunchJob["watched"] {
  if (watched === undefined) return undefined;
  const output = at(shape.outputs, watched.output);
  const place = places.get(output.name);
  if (place === undefined) return undefined;
  const buffer = buffers.findIndex(({ number }) => number === place.buffer);
  if (buffer < 0) return undefined;
  let [element, left] = [0, watched.element];
  for (const axis of [...place.shape.keys()].reverse()) {
    const size = at(place.shape, axis);
    element += (left % size) * at(place.strides, axis);
    left = Math.floor(left / size);
  }
  return { buffer, byte: place.offset + element * itemBytes[output.dtype] };
}
