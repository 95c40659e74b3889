import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { firstSource } from "../../../server/core/workload/begin/first-source";
import { evaluateSizeExpression } from "../../../server/core/workload/size-expression";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import schema from "../../../server/protocol/kernel-spec.schema.json";
import { projectRoot } from "../../architecture/project";

const fitsSchema = new Ajv({ allowUnionTypes: true }).compile(schema);

const page = readFileSync(join(projectRoot, "docs/kernel-spec.md"), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map(([, text = ""]) => text);
const examples = blocksOf("json");

/** Words in backticks outside of the examples. */
const named = new Set(
  [...page.replace(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => [
    code,
    ...(code.startsWith("{") ? (code.match(/[A-Za-z]+(?=")/g) ?? []) : []),
  ]),
);

/** Names of properties, choices and constants, wherever they stand in a schema. */
function wordsOf(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, inside]) => {
    if (key === "properties")
      return Object.entries(inside as object).flatMap(([name, each]) => [name, ...wordsOf(each)]);
    if (key === "enum") return (inside as readonly unknown[]).map(String);
    return key === "const" ? [String(inside)] : wordsOf(inside);
  });
}

/** Fields and words that the examples use. */
function usedWords(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  const names = Array.isArray(part) ? [] : Object.keys(part);
  return [...names, ...Object.values(part).flatMap(usedWords)];
}

test("the page has its examples", () => {
  expect(examples.length).toBe(12);
});

test.each(examples.map((text) => [/"kernel": "([^"]+)"/.exec(text)?.[1] ?? text, text]))(
  "the example %s is a spec that is read and fits the schema",
  (_, text) => {
    const read = parseKernelSpec(text);
    expect(read.ok ? [] : read.problem).toEqual([]);
    expect(fitsSchema(parse(text)), JSON.stringify(fitsSchema.errors)).toBe(true);
  },
);

test("every property and every choice of the schema is named on the page", () => {
  const words = [...new Set(wordsOf(schema))];
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word) => !named.has(word) && !named.has(`"${word}"`))).toEqual([]);
});

test("an example uses every property of the schema but the name of the schema", () => {
  const used = new Set(examples.flatMap((text) => usedWords(parse(text))));
  const properties = [...new Set(wordsOf(withoutChoices(schema)))];
  expect(properties.filter((name) => !used.has(name))).toEqual(["$schema"]);
});

test("the page's size expressions have the values that it states", () => {
  const lines = blocksOf("text").flatMap((text) => text.split("\n"));
  const found = lines.map((line) => {
    const [expression = ""] = line.split(/ = (?=-?\d+$)/);
    const outcome = evaluateSizeExpression(expression, { n: 1000, k: 48 });
    return `${expression} = ${outcome.ok ? outcome.value : outcome.problem.message}`;
  });
  expect(found).toEqual(lines);
});

/** The schema without its choices and constants. */
function withoutChoices(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part, (key, inside: unknown) => (key === "enum" || key === "const" ? undefined : inside)),
  ) as unknown;
}

test("the last example begins with the source that stands below it", () => {
  const read = parseKernelSpec(examples.at(-1) ?? "");
  expect(read.ok && firstSource(read.value)).toEqual({ ok: true, value: `${blocksOf("cuda").at(-1)}\n` });
});
