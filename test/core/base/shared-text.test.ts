import { expect, test } from "vitest";
import { sharedText, withSharedTexts } from "../../../server/core/base/shared-text";

const long = "a line of a file that a model wrote\n".repeat(20);

test.each([
  ["a text", long],
  ["texts in lists and objects", { path: "k.cu", parts: [long, { text: long, none: null, count: 3 }] }],
  ["short texts", ["a", "", { b: "c" }]],
])("what is shared is equal to what it was: %s", (_, value) => {
  expect(withSharedTexts(structuredClone(value))).toEqual(value);
});

test("only so many texts are remembered, those that were seen last", () => {
  const numbered = (number: number): string => `${number} ${long}`;
  for (let number = 0; number < 1000; number += 1)
    expect(sharedText(numbered(number))).toBe(numbered(number));
});
