import * as z from "zod/mini";
import { at } from "./known";
import { fail, type Outcome, succeed } from "./outcome";

/*
 * Data from outside (a log, a spec file, an answer of another process) is checked against a schema before any
 * code reads a field of it. The schemas are those of zod/mini, a tenth of zod's size; it reports where a
 * value differs as data, from which the sentences here are made.
 */

/** A schema for each field of a type: the compiler asks for every one, optional fields included. */
type Fields<Type> = { readonly [Key in keyof Type]-?: z.ZodMiniType<Type[Key]> };

/**
 * The schema of an object. Fields that the type does not have pass through: a newer version may write them.
 */
export function objectOf<Type>(): <Given extends Fields<Type>>(
  fields: Given,
) => z.ZodMiniObject<Given, z.core.$loose> {
  return (fields) => z.looseObject(fields);
}

/**
 * Any number, NaN and the infinities included: a log notes those beside its line. `z.number()` takes finite
 * ones.
 */
export const anyNumber = z.custom<number>((value) => typeof value === "number");

/** One difference between a value and its schema. */
export interface ShapeIssue {
  readonly kind: "missing" | "unknown-field" | "form";
  /** `hunks[2].file: expected text, found 7`. */
  readonly text: string;
  /** Where it stands: keys and indices. */
  readonly path: readonly PropertyKey[];
}

/** The value as its schema reads it, or the first place where it differs: the text of a `ShapeIssue`. */
export function readShape<Type>(schema: z.ZodMiniType<Type>, value: unknown): Outcome<Type, string> {
  const read = schema.safeParse(value);
  return read.success ? succeed(read.data) : fail(at(issuesOf(read.error, value), 0).text);
}

/** Every place where a value differs from its schema; empty when it fits. */
export function shapeIssues(schema: z.ZodMiniType, value: unknown): readonly ShapeIssue[] {
  const read = schema.safeParse(value);
  return read.success ? [] : issuesOf(read.error, value);
}

function issuesOf(error: z.core.$ZodError, value: unknown): readonly ShapeIssue[] {
  return error.issues.map((given) => {
    const issue = deepest(given);
    return {
      kind: kindOf(issue, valueAt(value, issue.path)),
      text: issueText(issue, value),
      path: issue.path,
    };
  });
}

function kindOf(issue: z.core.$ZodIssue, found: unknown): ShapeIssue["kind"] {
  if (issue.code === "unrecognized_keys") return "unknown-field";
  return found === undefined || found === null ? "missing" : "form";
}

/** The issue that tells most: of a union, that of the alternative which came furthest. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [deepest(first)]));
  const furthest = inner.reduce<z.core.$ZodIssue | undefined>(
    (best, next) => (next.path.length > (best?.path.length ?? 0) ? next : best),
    undefined,
  );
  return furthest === undefined ? issue : { ...furthest, path: [...issue.path, ...furthest.path] };
}

function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  const place = placeText(issue.path);
  return `${place === "" ? "" : `${place}: `}${whatIsWrong(issue, valueAt(value, issue.path))}`;
}

function whatIsWrong(issue: z.core.$ZodIssue, found: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${typeNames[issue.expected] ?? issue.expected}, found ${foundText(found)}`;
    case "invalid_value":
      return `expected ${issue.values.map((choice) => JSON.stringify(choice)).join(" or ")}, found ${foundText(found)}`;
    case "unrecognized_keys":
      return `there is no field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "too_small":
      return `expected ${String(issue.minimum)} or more, found ${foundText(found)}`;
    case "too_big":
      return `expected ${String(issue.maximum)} or less, found ${foundText(found)}`;
    default:
      return `${foundText(found)} is not what belongs here`;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** `hunks[2].file`. */
function placeText(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => {
      if (typeof key === "number") return `[${key}]`;
      return at === 0 ? String(key) : `.${String(key)}`;
    })
    .join("");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    value,
  );
}

const shownCharacters = 40;

function foundText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
