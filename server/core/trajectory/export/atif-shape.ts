import * as z from "zod/mini";
import { known, mustGet } from "../../base/known";
import { type ShapeIssue, shapeIssues } from "../../base/shape";
import schema from "./atif-schema.json";

/** Where a value does not have the shape that the format gives it. */
export interface ShapeProblem {
  readonly rule: "shape-type" | "shape-required" | "shape-unknown-key";
  readonly message: string;
}

const primitives: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ["string", z.string()],
  ["integer", z.int()],
  ["number", z.number()],
  ["boolean", z.boolean()],
  ["object", z.looseObject({})],
]);

/**
 * The schemas of the format's objects, by the names in atif-schema.json; keys that are not there are refused.
 */
const objects: ReadonlyMap<string, z.ZodMiniType> = new Map(
  Object.entries(schema.shapes).map(([name, fields]) => [
    name,
    z.strictObject(Object.fromEntries(Object.entries(fields).map(([key, type]) => [key, fieldType(type)]))),
  ]),
);

/**
 * `string|ContentPart[]!` as a schema. Without `!` a field may be left out, and `null` counts as left out.
 */
function fieldType(type: string): z.ZodMiniType {
  const alternatives = type.replace("!", "").split("|").map(singleType);
  const [only] = alternatives;
  const value = alternatives.length === 1 ? known(only, "the type of a field") : z.union(alternatives);
  return type.endsWith("!") ? value : z.optional(z.nullable(value));
}

function singleType(type: string): z.ZodMiniType {
  if (type.endsWith("[]")) return z.array(singleType(type.slice(0, -2)));
  // Shapes name each other, and themselves.
  return primitives.get(type) ?? z.lazy(() => mustGet(objects, type));
}

const rules = {
  missing: "shape-required",
  "unknown-field": "shape-unknown-key",
  form: "shape-type",
} as const;

/** Checks a value against a shape of the schema, with all that it holds. */
export function checkShape(value: unknown, shape: string): readonly ShapeProblem[] {
  const issues: readonly ShapeIssue[] = shapeIssues(mustGet(objects, shape), value);
  return issues.map(({ kind, text }) => ({ rule: rules[kind], message: text }));
}
