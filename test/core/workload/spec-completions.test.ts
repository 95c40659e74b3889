import { expect, test } from "vitest";
import { specCompletions } from "../../../server/core/workload/spec-text/completions";

/** A spec while it is written; each `|` is a place where something is asked for. */
const text = `{
  "version": 1,
  "launch": {
    "grid": ["ceil_div(|n, 256)"],
    "block": [256],
    "arguments": ["|", { "value": "|", "dtype": "|int32" }]
  },
  "inputs": { "|x": { "dtype": "float32", "shape": ["n * |"] } },
  "outputs": { "x": { "dtype": "float32", "shape": ["n"] }, "y": { "dtype": "int32", "shape": [1] } },
  "shapes": [{ "sizes": { "n": 64, "m": 3 } }],
  "reference": "|"
}`;

test("names that a spec knows are offered where they may stand", () => {
  const places = [...text.matchAll(/\|/g)].map(({ index }, before) => index - before);
  const plain = text.replaceAll("|", "");
  const offered = places.map((offset) =>
    specCompletions(plain, offset, ["refs.py::k"]).map(({ label, detail, span, text: put }) => [
      label,
      detail,
      `${plain.slice(span.start, span.end)} → ${put}`,
    ]),
  );
  const sizes = [
    ["n", "size, first 64", " → n"],
    ["m", "size, first 3", " → m"],
    ["ceil_div", "function", " → ceil_div("],
    ["min", "function", " → min("],
    ["max", "function", " → max("],
    ["next_power_of_2", "function", " → next_power_of_2("],
  ];
  expect(offered).toEqual([
    sizes,
    [
      ["x", "input and output, float32", '"" → "x"'],
      ["y", "output, int32", '"" → "y"'],
    ],
    sizes,
    [],
    [],
    sizes,
    [
      ["baseline", "the kernel as it is", '"" → "baseline"'],
      ["refs.py::k", "reference", '"" → "refs.py::k"'],
    ],
  ]);
});
