import { describe, expect, it } from "vitest";
import { inLanguage, Language, retold, t, tell } from "../../../server/core/base/localized";

const german = new Language({
  "line {0}": "Zeile {0}",
  "{0} of {1}": "{0} von {1}",
  "race that {0} wrote{1}, {2}": "Rennen, das {0} schrieb{1}, {2}",
  " on line {0}": " in Zeile {0}",
  "with no barrier": "ohne Barriere",
  "Pad the rows of {array}.": "Fülle die Zeilen von {array} auf.",
  "{0} is undefined": "{0} ist nicht definiert",
  "global sectors": "globale Sektoren",
  "Mend it there.": "Beheben Sie es dort.",
  "it makes {value} requests of {bytes} bytes": "{value} Anforderungen zu je {bytes} B",
});

describe("a text in the user's language", () => {
  const told = (): readonly string[] => [
    t`line ${3}`,
    t`${1} of ${t`line ${2}`}`,
    t`not known`,
    tell("line {0}", 4),
  ];

  it("is composed so inside, and in English outside", () => {
    expect(inLanguage(german, told)).toEqual(["Zeile 3", "1 von Zeile 2", "not known", "Zeile 4"]);
    expect(told()).toEqual(["line 3", "1 of line 2", "not known", "line 4"]);
  });

  it("is English again after an error, and in a language within a language", () => {
    const fails = (): never => {
      throw new Error("planned");
    };
    expect(() => inLanguage(german, fails)).toThrow("planned");
    expect(t`line ${1}`).toBe("line 1");
    expect(inLanguage(german, () => [inLanguage(undefined, () => t`line ${1}`), t`line ${1}`])).toEqual([
      "line 1",
      "Zeile 1",
    ]);
  });
});

it("a line that launches something is no launch", () => {
  expect(t`line ${1} launches ${1} blocks`).toBe("line 1 launches 1 block");
});

it.each([
  ["one", 1, 1, "it makes 1 request of 1 byte"],
  ["several", 2, 21, "it makes 2 requests of 21 bytes"],
  ["a fraction", 0.1, 1.1, "it makes 0.1 requests of 1.1 bytes"],
])("numbers of a text: %s", (_, requests, bytes, told) => {
  expect(t`it makes ${requests} requests of ${bytes} bytes`).toBe(told);
  expect(tell("it makes {0} requests of {1} bytes", requests, bytes)).toBe(told);
});

it.each([
  ["a number of one", "it makes 1 request of 4 bytes", "1 Anforderungen zu je 4 B"],
  ["a whole text", "Mend it there.", "Beheben Sie es dort."],
  ["without its full stop", "Mend it there", "Beheben Sie es dort"],
  [
    "with its parts",
    "race that x wrote on line 4, with no barrier",
    "Rennen, das x schrieb in Zeile 4, ohne Barriere",
  ],
  ["without a part", "race that x wrote, with no barrier", "Rennen, das x schrieb, ohne Barriere"],
  ["with named parts", "Pad the rows of tile.", "Fülle die Zeilen von tile auf."],
  [
    "in front of what explains it",
    "Pad the rows of tile (with no barrier)",
    "Fülle die Zeilen von tile auf (ohne Barriere)",
  ],
  ["beside others", "with no barrier; global sectors 96 → 12", "ohne Barriere; globale Sektoren 96 → 12"],
  ["with braces and dollars in its parts", "{1} $& is undefined", "{1} $& ist nicht definiert"],
  ["of which too little is fixed", "line 7", "line 7"],
  ["that nobody knows", "expected a ;", "expected a ;"],
  ["nothing", "", ""],
  [
    "a sentence among what is too long for one",
    `with no barrier; ${"x, ".repeat(9_000)}`,
    `ohne Barriere; ${"x, ".repeat(9_000)}`,
  ],
])("retells %s", (_, english, expected) => {
  expect(inLanguage(german, () => retold(english))).toBe(expected);
  expect(retold(english)).toBe(english);
});
