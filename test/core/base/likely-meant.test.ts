import { expect, test } from "vitest";
import { knownOrMeant, likelyMeant } from "../../../server/core/base/text";

test.each([
  ["a letter left out", "ouputs", "outputs"],
  ["a letter too much", "blockk", "block"],
  ["two letters that changed places", "flaot32", "float32"],
  ["capitals", "heldout", "heldOut"],
  ["of two the nearer one", "int61", "int16"],
  ["another word", "stride", undefined],
  ["short names differ in every letter", "m", undefined],
  ["the name itself says nothing", "n", undefined],
])("what was likely meant: %s", (_, name, meant) => {
  expect(likelyMeant(name, ["outputs", "block", "float32", "heldOut", "int16", "int64", "n"])).toBe(meant);
});

test("where nothing is near the known names are told", () => {
  expect(knownOrMeant("widht", ["width", "height"])).toBe('did you mean "width"?');
  expect(knownOrMeant("depth", ["rows", "cols"])).toBe("known are rows, cols");
  expect(knownOrMeant("depth", [])).toBe("known are none");
});
