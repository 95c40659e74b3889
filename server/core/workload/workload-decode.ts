import { isJsonObject, type Json, type JsonObject } from "../base/json";
import type { Distribution, KernelSpec, PlainDistribution, ProgramSpec, ShapeCase } from "./spec";
import type { Report, SpecPath } from "./spec-json";

/** The distributions that are a word, in the order in which messages name them. */
export const plainDistributions: readonly PlainDistribution[] = [
  "normal",
  "uniform",
  "zero-one",
  "integers",
  "positive",
  "sorted",
  "permutation",
];

/** What each distribution with figures holds besides its kind, and which of it may be left out. */
const figured: Readonly<
  Record<string, { readonly needs: readonly string[]; readonly may?: readonly string[] }>
> = {
  range: { needs: ["low", "high"], may: ["sorted"] },
  skewed: { needs: ["low", "high", "exponent"] },
  offsets: { needs: ["total"] },
  constant: { needs: ["value"] },
  recorded: { needs: [] },
};

/** The distribution of an input; paths of problems are relative to it. */
export function decodeDistribution(value: Json, report: Report): Distribution {
  const word = plainDistributions.find((each) => each === value);
  if (word !== undefined) return word;
  const kind = isJsonObject(value) ? value["kind"] : undefined;
  const form = typeof kind === "string" && Object.hasOwn(figured, kind) ? figured[kind] : undefined;
  if (!isJsonObject(value) || form === undefined) {
    report(
      [],
      `"distribution" must be one of ${plainDistributions.join(", ")}, or an object whose "kind" is one of ${Object.keys(figured).join(", ")}`,
    );
    return "normal";
  }
  for (const name of form.needs)
    if (!isFigure(value[name], name))
      report([name], `"${name}" must be a number or an expression over the sizes`);
  for (const name of Object.keys(value))
    if (![...form.needs, ...(form.may ?? []), "kind"].includes(name))
      report([name], `"${name}" has no meaning for "${String(kind)}"`);
  if (value["sorted"] !== undefined && typeof value["sorted"] !== "boolean")
    report(["sorted"], '"sorted" is true or false');
  return value as unknown as Distribution;
}

/** Bounds may name sizes; exponents and constants are numbers. */
function isFigure(value: Json | undefined, name: string): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" && value.trim() !== "" && name !== "exponent" && name !== "value";
}

/** What a shape holds besides its sizes. */
export function decodeCase(
  found: JsonObject,
  path: SpecPath,
  report: Report,
): Omit<ShapeCase, "sizes" | "heldOut"> {
  const { values, recorded, results, weight } = found;
  if (weight !== undefined && (typeof weight !== "number" || !(weight > 0)))
    report([...path, "weight"], '"weight" must be a number above zero');
  return {
    ...(values === undefined
      ? {}
      : {
          values: decodeRecord(values, [...path, "values"], { report, expected: "a number", is: isNumber }),
        }),
    ...hashes("recorded", recorded, path, report),
    ...hashes("results", results, path, report),
    ...(typeof weight === "number" ? { weight } : {}),
  };
}

function hashes(
  name: "recorded" | "results",
  value: Json | undefined,
  path: SpecPath,
  report: Report,
): { readonly [Name in typeof name]?: Readonly<Record<string, string>> } {
  if (value === undefined) return {};
  const form = { report, expected: "the sha256 of a recording", is: isHash };
  return { [name]: decodeRecord(value, [...path, name], form) };
}

interface RecordForm<Value extends Json> {
  readonly report: Report;
  readonly expected: string;
  readonly is: (value: Json) => value is Value;
}

function decodeRecord<Value extends Json>(
  value: Json,
  path: SpecPath,
  { report, expected, is }: RecordForm<Value>,
): Readonly<Record<string, Value>> {
  if (!isJsonObject(value)) {
    report(path, `"${String(path.at(-1))}" must be an object: NAME → ${expected}`);
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (is(each)) return [[name, each] as const];
      report([...path, name], `"${name}" must be ${expected}`);
      return [];
    }),
  );
}

function isNumber(value: Json): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isHash(value: Json): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

type Origins = NonNullable<KernelSpec["origins"]>;

const origins = ["recorded", "probed", "inferred", "guessed"] as const;

function isOrigin(value: Json): value is Origins[string] {
  return origins.some((each) => each === value);
}

/** Provenance by path. */
export function decodeOrigins(value: Json, report: Report): Origins {
  return decodeRecord(value, ["origins"], { report, expected: `one of ${origins.join(", ")}`, is: isOrigin });
}

/** The program whose launches are the cases. */
export function decodeProgram(value: Json, report: Report): ProgramSpec {
  const empty = { file: "", arguments: [], compileOptions: [] };
  if (!isJsonObject(value) || typeof value["file"] !== "string" || value["file"] === "") {
    report(["program"], '"program" must be { "file": FILE, "arguments": [ … ], "compileOptions": [ … ] }');
    return empty;
  }
  for (const name of Object.keys(value))
    if (!Object.hasOwn(empty, name)) report(["program", name], `"${name}" has no meaning here`);
  const words = (name: "arguments" | "compileOptions"): readonly string[] => {
    const given = value[name] ?? [];
    if (Array.isArray(given) && given.every((each): each is string => typeof each === "string")) return given;
    report(["program", name], `"${name}" must be an array of words`);
    return [];
  };
  return { file: value["file"], arguments: words("arguments"), compileOptions: words("compileOptions") };
}
