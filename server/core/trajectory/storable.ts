import { invariant } from "../base/assert";
import type { Json, JsonObject } from "../base/json";
import { isJsonObject } from "../base/json";

/** A number that JSON has no form for: it stands as `null` in the line, and this says what it was. */
interface Unrepresentable {
  /** JSON pointer into `data` (RFC 6901). */
  readonly pointer: string;
  readonly reason: "NaN" | "Infinity" | "-Infinity";
}

interface Storable {
  readonly data: JsonObject;
  readonly unrepresentable: readonly Unrepresentable[];
}

/**
 * Makes event data fit for the log: every string goes through `redact`, a `bigint` beyond 2^53 becomes a
 * string (readers would round it; a number is a double already, whole or not, and stays one), NaN and the
 * infinities become null with a reason, keys without a value are left out.
 */
export function toStorable(data: object, redact: (text: string) => string): Storable {
  const unrepresentable: Unrepresentable[] = [];
  const convert = (value: unknown, pointer: string): Json => {
    switch (typeof value) {
      case "string":
        return redact(value);
      case "boolean":
        return value;
      case "number":
        if (!Number.isFinite(value)) {
          unrepresentable.push({ pointer, reason: String(value) as Unrepresentable["reason"] });
          return null;
        }
        return value;
      case "bigint":
        return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
      case "object":
        if (value === null) return null;
        if (Array.isArray(value))
          return value.map((item, index) => convert(item ?? null, `${pointer}/${index}`));
        return convertEntries(value, pointer, convert, redact);
      default:
        invariant(false, `a ${typeof value} cannot stand in the log (${pointer})`);
    }
  };
  const converted = convert(data, "");
  invariant(isJsonObject(converted), "event data is an object");
  return { data: converted, unrepresentable };
}

function convertEntries(
  value: object,
  pointer: string,
  convert: (value: unknown, pointer: string) => Json,
  redact: (text: string) => string,
): JsonObject {
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) entries.push([redact(key), convert(item, `${pointer}/${escaped(key)}`)]);
  }
  // Object.fromEntries defines own properties, so a key like __proto__ stays plain data.
  return Object.fromEntries(entries);
}

/**
 * Event data with the numbers that JSON has no form for put back in their places; the inverse of
 * `toStorable`.
 */
export function withNumbers(data: JsonObject, unrepresentable: readonly Unrepresentable[]): JsonObject {
  if (unrepresentable.length === 0) return data;
  const numbers = new Map(unrepresentable.map(({ pointer, reason }) => [pointer, Number(reason)]));
  const restore = (value: Json, pointer: string): unknown => {
    if (value === null) return numbers.get(pointer) ?? null;
    if (Array.isArray(value)) return value.map((item: Json, index) => restore(item, `${pointer}/${index}`));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, restore(item, `${pointer}/${escaped(key)}`)]),
    );
  };
  return restore(data, "") as JsonObject;
}

/** A key as a part of a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
