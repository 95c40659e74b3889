import * as z from "zod/mini";
import { at } from "./known";
import { fail, type Outcome, succeed } from "./outcome";
import { likelyMeant } from "./text";

/*
 * Data from outside (a log, a spec file, an answer of another process) is checked against a schema before any
 * code reads a field of it. The schemas are those of zod/mini, a tenth of zod's size; it reports where a
 * value differs as data, from which the sentences here are made.
 */

/** A schema for each field of a type: the compiler asks for every one, optional fields included. */
export type Fields<Type> = { readonly [Key in keyof Type]-?: z.ZodMiniType<Type[Key]> };

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

/** What the JSON Schema says of a part besides its form: a description, a name for references, keywords. */
export const notes = z.registry<{
  readonly id?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}>();

/** The same part with a description; as a part of its own, so that it may be described elsewhere too. */
export function described<Part extends z.core.$ZodType>(
  part: Part,
  description: string,
): z.ZodMiniOptional<Part> {
  const same = z.optional(part);
  notes.add(same, { description });
  return same;
}

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

/** What a JSON text holds; undefined when it is no JSON or does not fit the schema. */
export function readJson<Type>(schema: z.ZodMiniType<Type>, text: string): Type | undefined {
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** Every place where a value differs from its schema; empty when it fits. */
export function shapeIssues(schema: z.ZodMiniType, value: unknown): readonly ShapeIssue[] {
  const read = schema.safeParse(value);
  return read.success ? [] : issuesOf(read.error, value);
}

/** One difference in the words of the schema itself. */
interface WordedIssue {
  /** Keys and indices. */
  readonly path: (string | number)[];
  readonly message: string;
  /** The last key has no meaning, whatever its value is. */
  readonly about?: "name";
}

/**
 * The value as its schema reads it, or every place where it differs. For schemas whose parts word their own
 * errors; of an object with an unknown field the words say what is known.
 */
export function readWorded<Type>(
  schema: z.ZodMiniType<Type>,
  value: unknown,
): Outcome<Type, readonly WordedIssue[]> {
  const read = schema.safeParse(value);
  if (read.success) return succeed(read.data);
  const issues = toldIssues(read.error.issues, value);
  return fail(
    issues.flatMap((issue) => {
      const path = issue.path as (string | number)[];
      if (issue.code !== "unrecognized_keys")
        return isMisspelt(issue, issues, value) ? [] : [{ path, message: issue.message }];
      return issue.keys.map((key) => ({
        path: [...path, key],
        about: "name" as const,
        message: `"${key}" has no meaning here; ${issue.message}`,
      }));
    }),
  );
}

/** Whether a field is missing since its name was misspelt, which is told of that name. */
function isMisspelt(
  { path }: z.core.$ZodIssue,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): boolean {
  const name = path.at(-1);
  const parent = path.slice(0, -1);
  if (typeof name !== "string" || valueAt(value, path) !== undefined) return false;
  return issues.some(
    (issue) =>
      issue.code === "unrecognized_keys" &&
      placeText(issue.path) === placeText(parent) &&
      issue.keys.some((key) => likelyMeant(key, [name]) !== undefined),
  );
}

function issuesOf(error: z.core.$ZodError, value: unknown): readonly ShapeIssue[] {
  return toldIssues(error.issues, value).map((issue) => ({
    kind: kindOf(issue, valueAt(value, issue.path)),
    text: issueText(issue, value),
    path: issue.path,
  }));
}

function kindOf(issue: z.core.$ZodIssue, found: unknown): ShapeIssue["kind"] {
  if (issue.code === "unrecognized_keys") return "unknown-field";
  return found === undefined || found === null ? "missing" : "form";
}

/** The issues that tell: of a union, those of the alternative that the value was meant as. */
function toldIssues(issues: readonly z.core.$ZodIssue[], value: unknown): readonly z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union") return [issue];
    const found = valueAt(value, issue.path);
    const meant = issue.errors
      .map((alternative) => toldIssues(alternative, found))
      .filter((alternative) => isMeant(alternative, found));
    const [first, ...others] = meant;
    if (first === undefined) return [issue];
    const least = others.reduce((best, next) => (weight(next) < weight(best) ? next : best), first);
    return least.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
}

/** Whether a value was meant as an alternative: of its kind and, as an object, with one field of it. */
function isMeant(issues: readonly z.core.$ZodIssue[], value: unknown): boolean {
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const isOther = issues.some((issue) => issue.code !== "unrecognized_keys" && issue.path.length === 0);
  if (issues.length === 0 || isOther || typeof value !== "object" || value === null) return false;
  return unknown.length < Object.keys(value).length;
}

function weight(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
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
