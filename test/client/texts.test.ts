import { afterEach, expect, test } from "vitest";
import { nobodyToTell } from "../../client/src/chat/answer";
import { budgetWords } from "../../client/src/starting/start-rows";
import { speak, t } from "../../client/webview/common/localized";
import { resourceWord } from "../../client/webview/performance/words";
import { textsOfProduct } from "../../server/setup/support/texts.mjs";

afterEach(() => speak({}));

test("what translators begin with holds the texts of both sides, wherever they stand", () => {
  const texts = JSON.parse(textsOfProduct()) as Record<string, string>;
  const expected = {
    "of the client": "Restart Server",
    "of a page": "Reading the log …",
    "of a table of words": "shared memory",
    "marked in the server": "{0} of the modelled cost",
    "marked in a part of another": ", a check is running",
    "counted, one": "{0} warp instruction",
    "counted, several": "{0} warp instructions",
    "of an error": "Session {0} has no event {1}.",
    "of a finding": "race in {0} memory: {1} that {2} wrote{3}, {4}",
    "of a file of data": "Pad the rows of a shared tile",
    "of a word that is shown as it is": "dropped",
    "of the worker": "the reference gives {0} the shape {1}, the spec says {2}",
    "of the worker, of several literals":
      "Python has no numpy, which the check needs to make inputs and to compare outputs; compiling still works",
  };
  expect(Object.entries(expected).filter(([, text]) => texts[text] !== text)).toEqual([]);
});

test("sheet, chat and pictures speak the language of the editor, and English where it lacks a text", () => {
  const said = (): readonly unknown[] => [
    budgetWords({ usd: 1, minutes: 10, candidates: 24 }),
    nobodyToTell({ uri: "file:///k.cu", kernel: "k" }).parts.slice(1),
    resourceWord("shared"),
    t("{1} before {0}", "a", 2),
  ];
  const button = (title: string): object => ({
    title,
    command: "kernelwright.optimize",
    argument: { uri: "file:///k.cu", kernel: "k" },
  });
  expect(said()).toEqual([
    "$1 · 10 min · 24 candidates",
    [button("Optimize")],
    "shared memory",
    "2 before a",
  ]);
  speak({
    "{0} candidates": "{0} Kandidaten",
    Optimize: "Optimieren",
    "shared memory": "geteilter Speicher",
  });
  expect(said()).toEqual([
    "$1 · 10 min · 24 Kandidaten",
    [button("Optimieren")],
    "geteilter Speicher",
    "2 before a",
  ]);
});
