import { isJsonObject, type JsonObject } from "../../base/json";
import schema from "./atif-schema.json";

/** Where a value does not have the shape that the format gives it. */
export interface ShapeProblem {
  readonly rule: "shape-type" | "shape-required" | "shape-unknown-key";
  readonly message: string;
}

const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = schema.shapes;

const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  object: isJsonObject,
};

/** Checks a value against a shape of the schema, with all that it holds. `null` counts as left out. */
export function checkShape(value: unknown, shape: string, path = "document"): readonly ShapeProblem[] {
  if (!isJsonObject(value)) return [{ rule: "shape-type", message: `${path} is no ${shape} object` }];
  const fields = shapes[shape] ?? {};
  const problems: ShapeProblem[] = Object.keys(value)
    .filter((key) => !Object.hasOwn(fields, key))
    .map((key) => ({ rule: "shape-unknown-key", message: `${path}.${key} is no field of ${shape}` }));
  for (const [key, type] of Object.entries(fields))
    problems.push(...checkField(value, { key, type, path: `${path}.${key}` }));
  return problems;
}

function checkField(
  owner: JsonObject,
  field: { readonly key: string; readonly type: string; readonly path: string },
): readonly ShapeProblem[] {
  const value = Object.hasOwn(owner, field.key) ? owner[field.key] : undefined;
  const required = field.type.endsWith("!");
  if (value === undefined || value === null)
    return required ? [{ rule: "shape-required", message: `${field.path} is missing` }] : [];
  const alternatives = field.type
    .replace("!", "")
    .split("|")
    .map((type) => checkType(value, type, field.path));
  return (
    alternatives.find((problems) => problems.length === 0) ??
    alternatives.at(Array.isArray(value) ? -1 : 0) ??
    []
  );
}

function checkType(value: unknown, type: string, path: string): readonly ShapeProblem[] {
  if (type.endsWith("[]")) {
    if (!Array.isArray(value)) return [{ rule: "shape-type", message: `${path} is no array` }];
    return value.flatMap((item, index) => checkType(item, type.slice(0, -2), `${path}[${index}]`));
  }
  const primitive = primitives[type];
  if (!primitive) return checkShape(value, type, path);
  return primitive(value) ? [] : [{ rule: "shape-type", message: `${path} is no ${type}` }];
}
