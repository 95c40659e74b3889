import { itemBytes } from "../../../core/workload/item-bytes";
import type { RunRequest } from "../evaluation/kernel-runner";
import * as z from "zod/mini";
import { at } from "../../../core/base/known";
import type { Json, JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { countIn, listIn, objectIn, textIn, readAnswer } from "../transport/read-json";
import type { KernelCode, TritonStage } from "../../../core/ports/evaluator";
import { type HostCalls, noHostCalls } from "../../../core/timing/host/host-calls";
import type { TorchOperation } from "../../../core/timing/torch-work";
import type { JobArgument, LaunchJob } from "../gpu/virtual-gpu";

/**
 * A launch that a candidate process made, read from its message. Nothing in it is believed beyond its form.
 */
export interface CapturedLaunch {
  readonly name: string;
  readonly ptx: string;
  /** What Triton made on the way to PTX, where the run asked for it. */
  readonly stages?: KernelCode["stages"];
  readonly grid: readonly [number, number, number];
  readonly warps: number;
  readonly sharedBytes: number;
  readonly clusters: number;
  /** Pointers refer to positions in `buffers`. */
  readonly arguments: readonly JobArgument[];
  /** The candidate's numbers of its buffers, and their contents as the host code left them. */
  readonly buffers: readonly CapturedBuffer[];
  /** A probe wants to know how far they are read. */
  readonly touched: boolean;
}

export interface CapturedBuffer {
  readonly number: number;
  /** The parameter that points into it, the first of several. */
  readonly parameter: string;
  readonly bytes: Uint8Array;
  /** `torch.empty` gave it out, and nothing was stored to it yet. */
  readonly unwritten: boolean;
}

/** Throws `worker-protocol` for a message that is no launch. */
export function readLaunch(params: JsonObject, frames: readonly Uint8Array[]): CapturedLaunch {
  const numbers = listIn(params, "buffers").map(Number);
  const names = listIn(params, "names").map(String);
  const unwritten = new Set(listIn(params, "unwritten").map(Number));
  const [ptx, ...contents] = frames;
  if (ptx === undefined || contents.length !== numbers.length || new Set(numbers).size !== numbers.length)
    throw new OperationalError("worker-protocol", {
      forUser: "a launch came without its buffers",
    });
  const [x = 1, y = 1, z = 1] = listIn(params, "grid").map(Number);
  if (![x, y, z].every((size) => Number.isSafeInteger(size) && size >= 0))
    throw new OperationalError("worker-protocol", {
      forUser: "a launch came with a grid that is not three whole numbers",
    });
  return {
    name: textIn(params, "name"),
    ptx: Buffer.from(ptx).toString("utf8"),
    ...("ir" in params ? { stages: stagesIn(objectIn(params["ir"], "ir")) } : {}),
    grid: [x, y, z],
    warps: countIn(params, "warps"),
    sharedBytes: countIn(params, "shared"),
    clusters: countIn(params, "clusters"),
    arguments: listIn(params, "arguments").map((each) => readArgument(objectIn(each, "argument"), numbers)),
    buffers: numbers.map((number, position) => ({
      number,
      parameter: nameIn(names[position]),
      bytes: at(contents, position),
      unwritten: unwritten.has(number),
    })),
    touched: params["touched"] === true,
  };
}

const tritonStages: readonly TritonStage[] = ["ttir", "ttgir", "llir"];

function stagesIn(texts: JsonObject): CapturedLaunch["stages"] {
  return Object.fromEntries(
    tritonStages.flatMap((stage) => (stage in texts ? [[stage, textIn(texts, stage)]] : [])),
  );
}

/** A name that can stand in a message. */
function nameIn(text = ""): string {
  return /^\w[\w[\]. ]{0,80}$/.test(text) ? text : "?";
}

function readArgument(value: JsonObject, numbers: readonly number[]): JobArgument {
  if ("bytes" in value)
    return {
      kind: "scalar",
      bytes: new Uint8Array(Buffer.from(textIn(value, "bytes"), "hex")),
    };
  const buffer = numbers.indexOf(countIn(value, "buffer"));
  if (buffer < 0)
    throw new OperationalError("worker-protocol", {
      forUser: "a launch names a buffer that it does not send",
    });
  return { kind: "pointer", buffer, offset: countIn(value, "offset") };
}

/** What the entry returned: a view of a buffer. */
export interface ReturnedTensor {
  readonly buffer: number;
  readonly offset: number;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** In elements. */
  readonly strides: readonly number[];
}

const returned = z.looseObject({
  buffer: z.int().check(z.minimum(0)),
  offset: z.int().check(z.minimum(0)),
  dtype: z.string(),
  shape: z.array(z.int().check(z.minimum(0))),
  strides: z.array(z.int()),
});

/** Throws `worker-protocol` for what is no view, one with a stride too few for its axes included. */
export function readReturned(value: JsonObject): ReturnedTensor {
  const view = readAnswer(returned, value, "a returned tensor");
  if (view.strides.length !== view.shape.length)
    throw new OperationalError("worker-protocol", {
      forUser: `the worker returned a tensor of ${view.shape.length} axes with ${view.strides.length} strides`,
    });
  return view;
}

/** The elements of a view, row major; undefined when it leaves its buffer. */
export function gather(memory: Uint8Array, view: ReturnedTensor, itemBytes: number): Uint8Array | undefined {
  const count = view.shape.reduce((product, size) => product * size, 1);
  const packed = view.strides.every(
    (stride, axis) =>
      at(view.shape, axis) <= 1 ||
      stride === view.shape.slice(axis + 1).reduce((product, size) => product * size, 1),
  );
  if (packed)
    return view.offset + count * itemBytes <= memory.byteLength
      ? memory.slice(view.offset, view.offset + count * itemBytes)
      : undefined;
  const result = new Uint8Array(count * itemBytes);
  const index = view.shape.map(() => 0);
  for (let element = 0; element < count; element += 1) {
    const place =
      view.offset + itemBytes * index.reduce((sum, each, axis) => sum + each * at(view.strides, axis), 0);
    if (place < 0 || place + itemBytes > memory.byteLength) return undefined;
    result.set(memory.subarray(place, place + itemBytes), element * itemBytes);
    for (let axis = index.length - 1; axis >= 0; axis -= 1) {
      const next = at(index, axis) + 1;
      index[axis] = next;
      if (next < at(view.shape, axis)) break;
      index[axis] = 0;
    }
  }
  return result;
}

/** An operation of torch as the candidate's process tells it. */
export function readOperation(told: Json): TorchOperation {
  const record = objectIn(told, "work");
  const amount = (field: string): number => countIn(record, field);
  return {
    name: textIn(record, "name"),
    calls: amount("calls"),
    bytes: amount("bytes"),
    flops: amount("flops"),
    halfFlops: amount("halfFlops"),
  };
}

/** What host code asked of the GPU beside work, as the candidate's process tells it. Memory is torch's. */
export function readHostCalls(told: JsonObject): HostCalls {
  const record = objectIn(told["hostCalls"], "hostCalls");
  const copies = (way: "toHost" | "toDevice"): HostCalls["toHost"] => {
    const counted = objectIn(record[way], way);
    return { calls: countIn(counted, "calls"), bytes: countIn(counted, "bytes") };
  };
  return {
    ...noHostCalls,
    ...{ toHost: copies("toHost"), toDevice: copies("toDevice"), waits: countIn(record, "waits") },
  };
}

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
