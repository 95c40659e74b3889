import { expect, test } from "vitest";
import { misspeltNames } from "../../../server/core/workload/spec-text/misspelt";
import { parseKernelSpec } from "../../../server/core/workload/spec-parse";
import { good } from "./spec-under-test";

const whole = JSON.stringify(good, null, 2);

/** The text after all mends, the last one first. */
function mended(text: string): string {
  return [...misspeltNames(text)].reverse().reduce((rest, { mend: { changes } }) => {
    const [{ offset, length, text: put } = { offset: 0, length: 0, text: "" }] = changes;
    return rest.slice(0, offset) + put + rest.slice(offset + length);
  }, text);
}

test.each([
  ["an entry that is needed", '"outputs"', '"ouputs"'],
  ["an entry that may be left out", '"block"', '"blok"'],
  ["a type of data", '"float32"', '"flaot32"'],
  ["how values are drawn", '"normal"', '"nromal"'],
])("what is misspelt has one mend, in files of either line ending: %s", (_, right, wrong) => {
  for (const text of [whole, whole.replaceAll("\n", "\r\n")]) {
    const typo = text.replace(right, wrong);
    expect(typo).not.toBe(text);
    expect(misspeltNames(typo).map(({ start, end }) => typo.slice(start, end))).toEqual([wrong]);
    expect(mended(typo)).toBe(text);
  }
});

test("a name that nothing known looks like is left to its writer, and so is a right file", () => {
  expect(parseKernelSpec(whole).ok).toBe(true);
  expect(misspeltNames(whole)).toEqual([]);
  expect(misspeltNames(whole.replace('"outputs"', '"results"'))).toEqual([]);
  expect(misspeltNames("{")).toEqual([]);
});
