import * as z from "zod/mini";
import { isJsonObject, type Json, jsonFault, type JsonObject } from "../../base/json";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ToolArguments, ToolDefinition } from "./tool";

/**
 * Reads what the model wrote as arguments. The problem is a text for the model: what is wrong and what was
 * expected.
 */
export function readArguments(raw: string, definition: ToolDefinition): Outcome<ToolArguments, string> {
  const parsed = readObject(raw);
  if (!parsed.ok) return fail(`${parsed.problem} ${expectation(definition)}`);
  // A null stands for what is left out.
  const given = Object.fromEntries(Object.entries(parsed.value).filter(([, value]) => value !== null));
  const read = shapeOf(definition).safeParse(given);
  if (read.success) return succeed(read.data);
  const faults = read.error.issues.map(({ message }) => message);
  return fail(`Bad arguments: ${faults.join(", ")}. ${expectation(definition)}`);
}

/** Arguments that somebody else checks: one JSON object. */
export function readObject(raw: string): Outcome<JsonObject, string> {
  const parsed = parseJson(raw.trim() === "" ? "{}" : raw);
  if (!parsed.ok) return fail(`The arguments are not valid JSON (${parsed.problem}).`);
  return isJsonObject(parsed.value) ? succeed(parsed.value) : fail("The arguments must be one JSON object.");
}

/** The schema of a tool's arguments, from the definition that the model reads. */
function shapeOf({ parameters: { properties, required } }: ToolDefinition): z.ZodMiniType<ToolArguments> {
  const fields = Object.entries(properties).map(([name, { type }]) => {
    const isText = type === "string";
    const words = ({ input }: z.core.$ZodRawIssue): string =>
      input === undefined
        ? `"${name}" is missing`
        : `"${name}" must be ${isText ? "a string" : "a whole number"}`;
    const field: z.ZodMiniType<string | number> = isText
      ? z.string({ error: words })
      : z.int({ error: words });
    return [name, required.includes(name) ? field : z.exactOptional(field)] as const;
  });
  return z.strictObject(Object.fromEntries(fields), {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((name) => `"${name}" is not known`).join(", ")
        : "must be an object",
  });
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
    return fail(thrown instanceof SyntaxError ? jsonFault(thrown) : String(thrown));
  }
}
