import { expect, test } from "vitest";
import { linesByColour, linesFrom, sourcesOf } from "../../client/src/machine-code/links";

const listing = {
  form: "sass",
  title: "SASS",
  kernel: "scale",
  text: "",
  links: [
    [2, 7],
    [3, 9],
    [4, 7],
    [5, 9],
    [5, 12],
    [7, 12],
  ] as const,
};

test("lines of a source and of its listing lead to each other", () => {
  expect(linesFrom(listing, new Set([7]))).toEqual([2, 4]);
  expect(linesFrom(listing, new Set([8]))).toEqual([]);
  expect([...sourcesOf(listing, 5)]).toEqual([9, 12]);
  expect([...sourcesOf(listing, 6)]).toEqual([]);
});

test("neighbouring lines of the source have other colours, and their code has the same", () => {
  expect(linesByColour(listing, 2)).toEqual([
    { sources: [7, 12], listed: [2, 4, 7] },
    { sources: [9], listed: [3, 5] },
  ]);
});
