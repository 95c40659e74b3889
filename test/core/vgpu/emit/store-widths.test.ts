import { describe, expect, it } from "vitest";
import { forgottenBytes } from "../../../../server/core/vgpu/index";

/** `x`: a byte that was stored; anything else: none. */
function written(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => (letter === "x" ? 1 : 0));
}

describe("bytes that were forgotten", () => {
  it.each<[string, string, number, number]>([
    ["nothing was stored", "................", 0, 16],
    ["a character before a double", "x.......xxxxxxxxx.......xxxxxxxx", 8, 0],
    ["an integer behind a double, and the end of the structure", "xxxxxxxxxxxx....", 8, 0],
    ["the last of an array of integers", "xxxxxxxxxxxx....", 4, 4],
    ["the last three of integers that are stored four at a time", "xxxxxxxxxxxxxxxxxxxx............", 4, 12],
    ["the fourth of every four that are aligned together", "xxxxxxxxxxxx....xxxxxxxxxxxx....", 4, 0],
    ["the second of every two", "xxxx....xxxx....xxxx....", 4, 12],
    ["a half in an array of them", "xxxx..xxxxxx", 2, 2],
    ["a whole structure between two", "xxxx....xxxx............xxxx....", 8, 12],
  ])("%s", (_, text, widest, expected) => {
    expect(forgottenBytes(written(text), { from: 0, to: text.length }, widest)).toBe(expected);
  });

  it("are counted in the range alone", () => {
    expect(forgottenBytes(written("....xx......xx...."), { from: 2, to: 15 }, 2)).toBe(8);
    expect(forgottenBytes(written("....xx......xx...."), { from: 2, to: 15 }, 1)).toBe(9);
  });
});
