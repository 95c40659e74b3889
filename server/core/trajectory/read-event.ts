import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "../base/json";
import { readShape } from "../base/shape";
import type { Actor, EventType, SessionEvent } from "./events";
import { eventShapes } from "./event-shapes";
import { withNumbers } from "./storable";

/** One line without a word on what its data holds. Fields that this version does not know pass through. */
const envelope = z.looseObject({
  v: z.number(),
  seq: z.int(),
  id: z.string(),
  ts: z.string(),
  mono_us: z.number(),
  type: z.string(),
  actor: z.custom<Actor>(isJsonObject),
  branch: z.string(),
  data: z.custom<JsonObject>(isJsonObject),
  blobs: z.optional(z.array(z.string())),
  unrepresentable: z.optional(
    z.array(z.looseObject({ pointer: z.string(), reason: z.enum(["NaN", "Infinity", "-Infinity"]) })),
  ),
  prev: z.string(),
});

function isKnownType(type: string): type is EventType {
  return Object.hasOwn(eventShapes, type);
}

/**
 * The event that a parsed line of a log holds; undefined when it is no envelope at all. An event of a type
 * that this version does not know, or with data that its type cannot hold, comes as `unread`: whoever
 * switches over the types passes over it, and never meets half of an event.
 */
export function readEvent(value: unknown): SessionEvent | undefined {
  const read = readShape(envelope, value);
  if (!read.ok) return undefined;
  const { type, data, ...rest } = read.value;
  if (!isKnownType(type)) return { ...rest, v: 1, type: "unread", data: { type, content: data } };
  const shape: z.ZodMiniType = eventShapes[type];
  const known = readShape(shape, withNumbers(data, rest.unrepresentable ?? []));
  if (!known.ok)
    return { ...rest, v: 1, type: "unread", data: { type, content: data, fault: known.problem } };
  return { ...rest, type, data: known.value } as SessionEvent;
}
