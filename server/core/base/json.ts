/** JSON as a type: what crosses a process border or stands in the log. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** True for a plain JSON object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Why a text is no JSON. Later versions of V8 add the place once more, by line and column. */
export function jsonFault({ message }: SyntaxError): string {
  return message.replace(/ \(line \d+ column \d+\)$/, "");
}
