import { expect, test } from "vitest";
import { askedNumbers } from "../../../server/core/language/cuda/launch/asked-numbers";
import { textLetters } from "../../../server/core/language/cuda/launch/contents/letters";
import { sizeParts } from "../../../server/core/language/cuda/launch/sizes/size-parts";

const constants = new Map([
  ["FREE", { name: "FREE", text: "7", node: undefined }],
  ["SLOTS", { name: "SLOTS", text: "48", node: undefined }],
]);
const names = { pointers: ["stage", "cost"], numbers: ["round", "n"] };

test.each([
  [
    "if (stage[v] != round) return; if (stage[w] < 0) push(w);",
    [
      ["round", 0],
      [0, -1],
    ],
  ],
  ["int s = stage[i]; if (FREE == s) take(i);", [[7, 0]]],
  ["if (stage[i].kind >= 3) x += 1;", [[3, 0]]],
  ["y = stage[i] << 2; z = stage[i] >> 1;", undefined],
  ["if (stage[i] < n) x = 1; // stage[i] == 5", undefined],
  ["while (stage[i] > FREE) i++;", [[7, 1]]],
] as const)("what elements are compared with in %s", (body, expected) => {
  const asked = askedNumbers(body, names, constants).get("stage");
  expect(asked?.map(({ of, step }) => [of, step])).toEqual(expected);
});

test.each([
  ["int windows = n / 300;", { n: { of: 300, rest: 5 } }],
  ["int slot = round % SLOTS;", { round: { of: 48, rest: -1 } }],
  ["float mean = sum / n; int half = n / 2; float third = n / 64.0f;", {}],
  ["// n / 512", {}],
] as const)("numbers that are divided by a constant in %s", (body, expected) => {
  expect(Object.fromEntries(sizeParts(body, names.numbers, constants))).toEqual(expected);
});

const letter = { name: "seq", element: { dtype: "int8", width: 1 } } as const;

test.each([
  ["bool ok = (c == 'A') | ('C' == c); if (c != 'A') x = '-';", "ACN"],
  ["switch (c) { case 'T': return 3; case 'N': return 4; } // c == 'G'", "TNx"],
  ["if (c == '\\n' || c == ' ') x = 1;", "\n N"],
  ["if (c >= 'a' && c <= 'f') v = c - 'a' + 10; else v = c - '0';", "0123456789abcdefN"],
  ["return 'x' <= c && 'z' >= c;", "xyzN"],
  ["bool ok = c == 'A';", ""],
])("letters of %s", (text, letters) => {
  const found = textLetters([letter, { name: "out", element: { dtype: "float32", width: 1 } }], text);
  expect([...new Set(found.get("seq"))].join("")).toEqual(letters);
  expect(found.has("out")).toBe(false);
});
