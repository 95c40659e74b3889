import { type Json, isJsonObject } from "../../base/json";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ToolArguments, ToolDefinition } from "./tool";

/**
 * Reads what the model wrote as arguments. The problem is a text for the model: what is wrong and what was
 * expected.
 */
export function readArguments(raw: string, definition: ToolDefinition): Outcome<ToolArguments, string> {
  const parsed = parseJson(raw.trim() === "" ? "{}" : raw);
  if (!parsed.ok)
    return fail(`The arguments are not valid JSON (${parsed.problem}). ${expectation(definition)}`);
  const { value: object } = parsed;
  if (!isJsonObject(object)) return fail(`The arguments must be one JSON object. ${expectation(definition)}`);
  const { properties, required } = definition.parameters;
  const given: Record<string, string | number> = {};
  const faults: string[] = required
    .filter((name) => object[name] === undefined || object[name] === null)
    .map((name) => `"${name}" is missing`);
  for (const [name, value] of Object.entries(object)) {
    const parameter = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!parameter) faults.push(`"${name}" is not known`);
    else if (value !== null && !isOf(parameter.type, value))
      faults.push(`"${name}" must be ${parameter.type === "string" ? "a string" : "a whole number"}`);
    else if (typeof value === "string" || typeof value === "number") given[name] = value;
  }
  return faults.length === 0
    ? succeed(given)
    : fail(`Bad arguments: ${faults.join(", ")}. ${expectation(definition)}`);
}

function isOf(type: "string" | "integer", value: Json): boolean {
  return type === "string" ? typeof value === "string" : Number.isSafeInteger(value);
}

function expectation(definition: ToolDefinition): string {
  const { properties, required } = definition.parameters;
  const names = Object.entries(properties).map(
    ([name, { type }]) => `"${name}": ${type}${required.includes(name) ? "" : " (may be left out)"}`,
  );
  return `${definition.name} expects {${names.join(", ")}}.`;
}

/** JSON.parse as an outcome. */
export function parseJson(text: string): Outcome<Json, string> {
  try {
    return succeed(JSON.parse(text) as Json);
  } catch (thrown) {
    return fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
