import { existsSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const casesFolder = join(dirname(fileURLToPath(import.meta.url)), "..", "cases");

/** Text of an input of test/cases. */
export function readCase(path: string): string {
  return readFileSync(join(casesFolder, path), "utf8");
}

/** Compares the whole value with the JSON file of the case; UPDATE_CASES=1 writes the file instead. */
export function expectCase(path: string, value: unknown): void {
  expectCaseText(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The same for a whole text. */
export function expectCaseText(path: string, text: string): void {
  const file = join(casesFolder, path);
  if (process.env["UPDATE_CASES"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const expected = existsSync(file)
    ? readFileSync(file, "utf8")
    : `${path} is missing: run the test once with UPDATE_CASES=1 and read what it wrote`;
  expect(text).toBe(expected);
}
