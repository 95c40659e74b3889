import * as z from "zod/mini";
import { isJsonObject, type Json, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { readShape } from "../../../core/base/shape";

/*
 * What another process sent is checked against a schema before anything is made of it. Each reader gives the
 * value in its type, or throws `worker-protocol` naming the field, what was expected there and what was
 * found.
 */

const object = z.custom<JsonObject>(isJsonObject);
const list = z.array(z.custom<Json>((value) => value !== undefined));
/** A whole number of zero or more that a double holds exactly. */
const count = z.int().check(z.minimum(0));

/** A value as its schema reads it; `what` names it in the error. */
export function readAnswer<Type>(schema: z.ZodMiniType<Type>, value: Json | undefined, what: string): Type {
  const read = readShape(schema, value);
  if (read.ok) return read.value;
  throw new OperationalError("worker-protocol", {
    forUser: `the worker sent a message that cannot be read: ${what}: ${read.problem}`,
    forModel: "the worker broke its protocol",
  });
}

export function objectIn(value: Json | undefined, field: string): JsonObject {
  return readAnswer(object, value, field);
}

export function listIn(holder: JsonObject, field: string): readonly Json[] {
  return readAnswer(list, holder[field], field);
}

export function textIn(holder: JsonObject, field: string): string {
  return readAnswer(z.string(), holder[field], field);
}

export function numberIn(holder: JsonObject, field: string): number {
  return readAnswer(z.number(), holder[field], field);
}

export function countIn(holder: JsonObject, field: string): number {
  return readAnswer(count, holder[field], field);
}

export function flagIn(holder: JsonObject, field: string): boolean {
  return readAnswer(z.boolean(), holder[field], field);
}
