import { expect, test } from "vitest";
import { readSpecMarks } from "../../../server/core/workload/spec-text/marks";
import { keepAll, mendsOf, type SpecMend } from "../../../server/core/workload/spec-text/mends";

/** What Set up writes of a kernel without a guard and without a launch. */
const origins =
  '"launch.grid": "guessed", "launch.block": "guessed", ' +
  '"launch.sharedBytes": "probed", "inputs.x.shape": "guessed"';
const guard =
  "x is taken to have n elements; the kernel has no guard. " +
  "If n is always a multiple of 256, choose such shapes.";
const text = `// unknown: no entry has this.
{
  "version": 1,
  "kernel": "k.cu::k",
  "launch": {
    // unknown: no launch was found that explains it.
    "grid": ["ceil_div(n, 256)"],
    "block": [256],
    "arguments": ["x", "y", { "value": "n", "dtype": "int32" }]
  },
  "inputs": {
    "x": {
      "dtype": "float32",
      // unknown: ${guard}
      "shape": ["n"]
    }
  },
  "outputs": { "y": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 1000 } }, { "sizes": { "n": 512 }, "heldOut": true }],
  // unknown: what the right result is.
  "reference": "baseline",
  "origins": { ${origins} }
}
`;
const context = { outputs: ["y"], functions: ["refs.py::k_reference"] };

/** The text after a mend, as a reader of JSON with comments sees it: lines that differ. */
function after({ title, changes }: SpecMend): readonly string[] {
  const mended = [...changes]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (now, { offset, length, text: put }) => now.slice(0, offset) + put + now.slice(offset + length),
      text,
    );
  const [before, now] = [text.split("\n"), mended.split("\n")];
  return [
    title,
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line.trim().slice(0, 37)}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}

test("what a spec says about its facts stands at them", () => {
  const marks = readSpecMarks(text).map(({ path, origin, sentences, value }) => [
    path,
    origin,
    sentences.length,
    text.slice(value.start, value.end).slice(0, 24),
  ]);
  expect(marks).toEqual([
    ["", undefined, 1, "{"],
    ["launch.sharedBytes", "probed", 0, "{\n    // unknown: no lau"],
    ["launch.grid", "guessed", 1, '["ceil_div(n, 256)"]'],
    ["launch.block", "guessed", 0, "[256]"],
    ["inputs.x.shape", "guessed", 1, '["n"]'],
    ["reference", undefined, 1, '"baseline"'],
  ]);
  expect([readSpecMarks(""), readSpecMarks("{")]).toEqual([[], []]);
});

test("each mark has what can be done about it, and nothing else of the file changes", () => {
  const mends = readSpecMarks(text).flatMap((mark) => mendsOf(text, mark, context));
  const all = keepAll(text);
  const kept = (left: string): readonly string[] => [
    '- "origins": { "launch.grid": "guessed"',
    `+ "origins": { ${left} }`,
  ];
  expect([...mends, ...(all ? [all] : [])].map(after)).toEqual([
    ["Keep it as it is", "- // unknown: no entry has this."],
    [
      "Keep what was guessed: launch.grid",
      "- // unknown: no launch was found that ",
      ...kept('"launch.block": "guessed", "launch.sharedBytes": "probed", "inputs.x.shape": "guessed"'),
    ],
    [
      "Keep what was guessed: launch.block",
      ...kept('"launch.grid": "guessed", "launch.sharedBytes": "probed", "inputs.x.shape": "guessed"'),
    ],
    [
      "Use sizes n that are multiples of 256",
      "- // unknown: x is taken to have n elem",
      '- "shapes": [{ "sizes": { "n": 1000 } }',
      '- "origins": { "launch.grid": "guessed"',
      '+ "shapes": [{ "sizes": { "n": 1024 } }, { "sizes": { "n": 512 }, "heldOut": true }],',
      '+ "origins": { "launch.grid": "guessed", "launch.block": "guessed", "launch.sharedBytes": "probed" }',
    ],
    [
      "Keep what was guessed: inputs.x.shape",
      "- // unknown: x is taken to have n elem",
      ...kept('"launch.grid": "guessed", "launch.block": "guessed", "launch.sharedBytes": "probed"'),
    ],
    [
      "Check against refs.py::k_reference",
      "- // unknown: what the right result is.",
      '- "reference": "baseline",',
      '+ "reference": "refs.py::k_reference",',
    ],
    [
      "Check against numpy expressions",
      "- // unknown: what the right result is.",
      '- "reference": "baseline",',
      '+ "reference": {',
      '+ "expressions": {',
      '+ "y": ""',
    ],
    ["Keep it as it is: reference", "- // unknown: what the right result is."],
    [
      "Keep all 3 guesses",
      "- // unknown: no launch was found that ",
      "- // unknown: x is taken to have n elem",
      ...kept('"launch.sharedBytes": "probed"'),
    ],
  ]);
});
