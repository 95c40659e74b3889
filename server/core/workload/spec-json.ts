import { isJsonObject, type Json, type JsonObject } from "../base/json";
import type { SizeExpression } from "./spec";

/** Where something stands in a spec file. */
export type SpecPath = (string | number)[];

export interface PathProblem {
  readonly path: SpecPath;
  readonly message: string;
}

/** Takes a problem; decoding goes on with a stand-in. */
export type Report = (path: SpecPath, message: string) => void;

/** Reports every entry whose name has no meaning. */
export function onlyKnown(value: JsonObject, path: SpecPath, names: readonly string[], report: Report): void {
  for (const name of Object.keys(value))
    if (!names.includes(name))
      report(
        [...path, name],
        `"${name}" has no meaning here; known are ${names.filter((item) => item !== "$schema").join(", ")}`,
      );
}

/** A text, or undefined for anything else. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text that is not empty. */
export function string(value: Json, path: SpecPath, expected: string, report: Report): string {
  if (typeof value === "string" && value !== "") return value;
  report(path, `${expected} was expected`);
  return "";
}

/** A whole number or an expression over sizes. */
export function size(value: Json | undefined, path: SpecPath, report: Report): SizeExpression {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  report(path, 'a size was expected: a whole number or an expression such as "ceil_div(n, 32)"');
  return 1;
}

/** An array; an empty one after a report. */
export function list(
  value: Json | undefined,
  path: SpecPath,
  expected: string,
  report: Report,
): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  report(
    path,
    `"${String(path.at(-1))}" ${value === undefined ? "is missing" : "has the wrong form"}: ${expected} was expected`,
  );
  return [];
}

/** An object; an empty one after a report. */
export function object(
  value: Json | undefined,
  path: SpecPath,
  expected: string,
  report: Report,
): JsonObject {
  if (isJsonObject(value)) return value;
  report(
    path,
    `"${String(path.at(-1))}" ${value === undefined ? "is missing" : "has the wrong form"}: ${expected} was expected`,
  );
  return {};
}

/** One of these words; undefined after a report. */
export function oneOf<Value extends string>(
  value: Json | undefined,
  values: readonly Value[],
  path: SpecPath,
  report: Report,
): Value | undefined {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) report(path, `"${String(path.at(-1))}" must be one of ${values.join(", ")}`);
  return found;
}
