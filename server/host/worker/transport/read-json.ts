import { isJsonObject, type Json, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";

/**
 * Readers for what another process sent: each gives the value in its type or throws `worker-protocol` naming
 * the field.
 */
function wrong(field: string, expected: string): OperationalError {
  return new OperationalError("worker-protocol", {
    forUser: `the worker sent a message whose "${field}" is not ${expected}`,
    forModel: "the worker broke its protocol",
  });
}

export function objectIn(value: Json | undefined, field: string): JsonObject {
  if (!isJsonObject(value)) throw wrong(field, "an object");
  return value;
}

export function listIn(holder: JsonObject, field: string): readonly Json[] {
  const value = holder[field];
  if (!Array.isArray(value)) throw wrong(field, "a list");
  return value;
}

export function textIn(holder: JsonObject, field: string): string {
  const value = holder[field];
  if (typeof value !== "string") throw wrong(field, "a text");
  return value;
}

export function numberIn(holder: JsonObject, field: string): number {
  const value = holder[field];
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(field, "a number");
  return value;
}

/** A whole number of zero or more that a double holds exactly. */
export function countIn(holder: JsonObject, field: string): number {
  const value = numberIn(holder, field);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(field, "a whole number of zero or more");
  return value;
}

export function flagIn(holder: JsonObject, field: string): boolean {
  const value = holder[field];
  if (typeof value !== "boolean") throw wrong(field, "true or false");
  return value;
}
